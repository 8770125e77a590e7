import type { Document, Node, Pair } from 'yaml';
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { linesOf } from '../lines';
import type { Range } from '../position';
import type { YamlEntry, YamlResult, YamlTrouble, YamlValue } from './yaml-tree';

/** Nodes that aliases may unfold to; a text of ten lines can ask for billions. */
const maxNodes = 50_000;
const maxDepth = 200;
/** Each is looked for in the whole document. */
const maxAliases = 500;
/** Characters; the caller's cap of a text is far above what a compose file or a rubric has. */
const maxLength = 500_000;
/** Errors of one text; after the first few the rest follows from them. */
const maxErrors = 20;

/**
 * Reads YAML 1.2, as the first document of a stream. `<<` brings in the keys of other mappings, as in Compose.
 * Never throws.
 */
export function readYaml(text: string): YamlResult {
  const lines = linesOf(text);
  // The parser's ends may lie within a CRLF.
  const whole = (at: number): number => (text[at - 1] === '\r' && text[at] === '\n' ? at - 1 : at);
  const rangeOf = (start: number, end: number): Range => lines.range(whole(start), whole(Math.max(start, end)));
  const fail = (code: string, message: string, start: number, end: number): YamlResult => ({
    ok: false,
    errors: [{ code, message, range: lines.range(start, end) }],
  });
  if (text.length > maxLength) return fail('TOO_LARGE', 'The file is too large to be read as YAML.', 0, 0);
  if (nestsTooDeep(text)) return fail('TOO_DEEP', 'The values are nested too deeply.', 0, 0);
  let documents: readonly Document[];
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter: new LineCounter(),
      prettyErrors: false,
      merge: true,
      intAsBigInt: false,
      logLevel: 'silent',
      stringKeys: false,
    });
    documents = Array.isArray(parsed) ? parsed : [];
  } catch {
    return fail('TOO_COMPLEX', 'The file is too complex to be read as YAML.', 0, 0);
  }
  const errors = documents.flatMap((document) =>
    document.errors.map(({ code, message, pos }): YamlTrouble => ({
      code,
      message: sentence(message),
      range: rangeOf(pos[0], Math.min(pos[1], text.length)),
    })),
  );
  if (errors.length > 0) return { ok: false, errors: errors.slice(0, maxErrors) };
  const document = documents[0];
  if (document === undefined || document.contents === null) return { ok: true, root: null };
  try {
    return { ok: true, root: build(document, rangeOf) };
  } catch (error) {
    if (error instanceof UnfoldError) return fail('TOO_LARGE', error.message, error.start, error.end);
    return fail('TOO_COMPLEX', 'The file is too complex to be read as YAML.', 0, 0);
  }
}

class UnfoldError extends Error {
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

function sentence(message: string): string {
  const first = (message.split('\n')[0] ?? message).trim();
  return /[.!?]$/u.test(first) ? first : `${first}.`;
}

/** Brackets nest without limit in a line of text, and the parser goes down with them. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 91 || unit === 123) depth++;
    else if (unit === 93 || unit === 125) depth = Math.max(0, depth - 1);
    if (depth > maxDepth) return true;
  }
  return /^[ \t]*(?:[-?:] ){200}/mu.test(text) || /^ {1000}/mu.test(text);
}

function keyOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function build(document: Document, rangeOf: (start: number, end: number) => Range): YamlValue {
  let made = 0;
  // The parser looks through the whole document for each; one that stands in an unfolded part comes by many times.
  const targets = new Map<Node, Node | null>();
  const spanOf = (node: Node | null): [number, number] => {
    const range = node?.range;
    return range === null || range === undefined ? [0, 0] : [range[0], range[1]];
  };
  const empty = (at: number): YamlValue => ({
    kind: 'scalar',
    value: null,
    source: '',
    quoted: false,
    range: rangeOf(at, at),
  });

  const valueOf = (node: Node | null, depth: number, at: number): YamlValue => {
    made++;
    const [start, end] = spanOf(node);
    if (made > maxNodes || depth > maxDepth)
      throw new UnfoldError('What the aliases stand for is too much to be unfolded.', start, end);
    if (node === null) return empty(at);
    const range = rangeOf(start, end);
    if (isAlias(node)) {
      if (!targets.has(node)) targets.set(node, node.resolve(document) ?? null);
      if (targets.size > maxAliases)
        throw new UnfoldError('The file has too many aliases to be read as YAML.', start, end);
      const target = targets.get(node) ?? undefined;
      return target === undefined ? empty(start) : valueOf(target, depth + 1, start);
    }
    if (isScalar(node)) {
      const { value } = node;
      const plain =
        typeof value === 'string' ||
        typeof value === 'number' ||
        typeof value === 'bigint' ||
        typeof value === 'boolean'
          ? value
          : null;
      return {
        kind: 'scalar',
        value: plain,
        source: node.source ?? keyOf(plain),
        quoted: node.type !== undefined && node.type !== 'PLAIN',
        range,
      };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) =>
        isPair(item) ? pairAsMap(item, depth, end) : valueOf(item as Node | null, depth + 1, start),
      );
      return { kind: 'list', items, range };
    }
    if (isMap(node)) {
      const entries = new Map<string, YamlEntry>();
      const merged: Node[] = [];
      for (const pair of node.items as readonly Pair<Node, Node | null>[]) {
        const key = isScalar(pair.key) ? keyOf(pair.key.value) : null;
        if (key === null) continue;
        if (isScalar(pair.key) && pair.key.source === '<<' && pair.value !== null && !isScalar(pair.value)) {
          merged.push(pair.value);
          continue;
        }
        entries.set(key, entryOf(key, pair, depth));
      }
      for (const from of merged) {
        const value = valueOf(from, depth + 1, start);
        for (const source of value.kind === 'list' ? value.items : [value]) {
          if (source.kind !== 'map') continue;
          for (const entry of source.entries.values())
            if (!entries.has(entry.key)) entries.set(entry.key, { ...entry, merged: true });
        }
      }
      return { kind: 'map', entries, range };
    }
    return empty(start);
  };

  const entryOf = (key: string, pair: Pair<Node, Node | null>, depth: number): YamlEntry => {
    const [keyStart, keyEnd] = spanOf(pair.key);
    const value = valueOf(pair.value, depth + 1, keyEnd);
    const [, end] = pair.value === null ? [keyStart, keyEnd] : spanOf(pair.value);
    return {
      key,
      keyRange: rangeOf(keyStart, keyEnd),
      value,
      range: rangeOf(keyStart, Math.max(keyEnd, end)),
      merged: false,
    };
  };

  const pairAsMap = (pair: Pair, depth: number, end: number): YamlValue => {
    const key = isScalar(pair.key) ? keyOf(pair.key.value) : '';
    const entry = entryOf(key, pair as Pair<Node, Node | null>, depth + 1);
    return { kind: 'map', entries: new Map([[key, entry]]), range: { ...entry.range, end: rangeOf(end, end).end } };
  };

  return valueOf(document.contents, 0, 0);
}
