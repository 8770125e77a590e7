import { ParseError, parseTOML } from 'toml-eslint-parser';
import type { AST } from 'toml-eslint-parser';
import { linesOf } from './lines';
import type { Range } from './position';
import type { TomlArray, TomlEntry, TomlTable, TomlValue } from './toml-tree';
import { codeByMessage, syntaxMessage } from './toml-errors';

export type TomlResult =
  | { readonly ok: true; readonly root: TomlTable }
  | { readonly ok: false; readonly message: string; readonly range: Range; readonly code: string };

/**
 * Reads TOML 1.0 as Python's tomllib does behind a text file: universal newlines, a byte-order mark and duplicate keys
 * are errors, integers have no limit. Never throws.
 */
export function readToml(text: string): TomlResult {
  const lines = linesOf(text);
  const fail = (code: string, start: number, end: number): TomlResult => ({
    ok: false,
    code,
    message: syntaxMessage(code),
    range: lines.range(start, end),
  });
  if (text.startsWith('\uFEFF')) return fail('byte-order-mark', 0, 1);

  // A lone carriage return is a line end to Python. One character for another keeps all offsets.
  const source = text.replace(/\r(?!\n)/gu, '\n');
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(source, { tomlVersion: '1.0' });
  } catch (error) {
    if (!(error instanceof ParseError)) return fail('too-complex', 0, 0);
    return fail(codeOf(error), ...placeOf(text, error.index));
  }
  const beyond = valueBeyondPython(program);
  if (beyond) return fail(beyond.code, ...beyond.node.range);
  return { ok: true, root: buildTree(program, source, (start, end) => lines.range(start, end)) };
}

type RangeOf = (start: number, end: number) => Range;

interface TableDraft extends TomlTable {
  readonly entries: Map<string, TomlEntry>;
}

interface ArrayDraft extends TomlArray {
  readonly items: TomlValue[];
}

function buildTree(program: AST.TOMLProgram, source: string, rangeOf: RangeOf): TomlTable {
  // The library gives a lone 0 at the end of a text no length; no part of a document has none.
  const at = ({ range: [start, end] }: { range: [number, number] }): Range =>
    rangeOf(start, end === start ? start + 1 : end);
  const newTable = (form: TomlTable['form'], range: Range): TableDraft => ({
    kind: 'table',
    entries: new Map(),
    form,
    range,
  });

  // Tables that headers and dotted keys may still add to; inline tables are closed and never in here.
  const open = new WeakMap<TomlValue, TableDraft>();
  const arrays = new WeakMap<TomlValue, ArrayDraft>();
  const make = (form: TomlTable['form'], range: Range): TableDraft => {
    const table = newTable(form, range);
    open.set(table, table);
    return table;
  };

  const valueOf = (node: AST.TOMLContentNode): TomlValue => {
    const range = at(node);
    if (node.type === 'TOMLArray') {
      return { kind: 'array', items: node.elements.map(valueOf), isOfTables: false, range };
    }
    if (node.type === 'TOMLInlineTable') {
      const table = make('inline', range);
      for (const item of node.body) assign(table, item);
      return table;
    }
    switch (node.kind) {
      case 'string':
        return { kind: 'string', value: node.multiline ? node.value.replaceAll('\r\n', '\n') : node.value, range };
      case 'integer':
        return { kind: 'integer', value: node.bigint, range };
      case 'float':
        return { kind: 'float', value: node.value, range };
      case 'boolean':
        return { kind: 'boolean', value: node.value, range };
      case 'offset-date-time':
      case 'local-date-time':
      case 'local-date':
      case 'local-time':
        return { kind: 'date', form: node.kind, value: node.datetime, range };
    }
  };

  /** The table below `parent` at a key segment, made when it is not there yet. */
  const descend = (parent: TableDraft, segment: AST.TOMLBare | AST.TOMLQuoted): TableDraft => {
    const key = segmentName(segment);
    const entry = parent.entries.get(key);
    const last = entry && arrays.get(entry.value)?.items.at(-1);
    const found = entry && open.get(last ?? entry.value);
    if (found) {
      parent.entries.set(key, { ...entry, mentions: [...entry.mentions, at(segment)] });
      return found;
    }
    const table = make('implied', at(segment));
    parent.entries.set(key, newEntry(key, at(segment), table, at(segment)));
    return table;
  };

  const assign = (table: TableDraft, node: AST.TOMLKeyValue): void => {
    const segments = [...node.key.keys];
    const last = segments.pop();
    if (last === undefined) return;
    const key = segmentName(last);
    segments.reduce(descend, table).entries.set(key, newEntry(key, at(last), valueOf(node.value), at(node)));
  };

  const openHeader = (node: AST.TOMLTable): TableDraft => {
    const segments = [...node.key.keys];
    const last = segments.pop();
    const header = rangeOf(node.range[0], headerEnd(node, source));
    if (last === undefined) return make('header', header);
    const parent = segments.reduce(descend, root);
    const key = segmentName(last);
    const existing = parent.entries.get(key);
    const table = make('header', header);
    if (node.kind === 'array') {
      const list = existing && arrays.get(existing.value);
      if (list) {
        list.items.push(table);
        parent.entries.set(key, { ...existing, mentions: [...existing.mentions, at(last)] });
        return table;
      }
      const draft: ArrayDraft = { kind: 'array', items: [table], isOfTables: true, range: header };
      arrays.set(draft, draft);
      parent.entries.set(key, newEntry(key, at(last), draft, header));
      return table;
    }
    // A header may name a table that was implied before: it keeps what it has, and gets its own header.
    const before = existing && open.get(existing.value);
    if (before) for (const [name, entry] of before.entries) table.entries.set(name, entry);
    parent.entries.delete(key);
    parent.entries.set(key, newEntry(key, at(last), table, header, existing?.mentions));
    return table;
  };

  const root = make('root', rangeOf(0, 0));
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') assign(root, node);
    else {
      const table = openHeader(node);
      for (const item of node.body) assign(table, item);
    }
  }
  return root;
}

function newEntry(
  key: string,
  keyRange: Range,
  value: TomlValue,
  range: Range,
  before: readonly Range[] = [],
): TomlEntry {
  return { key, keyRange, value, range, mentions: [...before, keyRange] };
}

function segmentName(segment: AST.TOMLBare | AST.TOMLQuoted): string {
  return segment.type === 'TOMLBare' ? segment.name : segment.value;
}

/** Offset behind the closing brackets of a header; spaces may stand before them. */
function headerEnd(node: AST.TOMLTable, source: string): number {
  return source.indexOf(']', node.key.range[1]) + (node.kind === 'array' ? 2 : 1);
}

// Python gives up at about this depth (its recursion limit), and so does this reader's own recursion far later.
const maxDepth = 480;
// Python refuses to convert a longer text into an integer.
const maxDigits = 4300;

interface Beyond {
  readonly code: string;
  readonly node: AST.TOMLContentNode;
}

/** The first value that the grammar allows and Python's types do not. */
function valueBeyondPython(program: AST.TOMLProgram): Beyond | null {
  const stack: { node: AST.TOMLContentNode; depth: number }[] = [];
  const push = (entries: readonly AST.TOMLKeyValue[], depth: number): void => {
    for (const entry of entries.toReversed()) stack.push({ node: entry.value, depth });
  };
  for (const node of program.body[0].body.toReversed()) push(node.type === 'TOMLKeyValue' ? [node] : node.body, 0);
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, depth } = next;
    if (depth > maxDepth) return { code: 'too-complex', node };
    if (node.type === 'TOMLArray') {
      for (const element of node.elements.toReversed()) stack.push({ node: element, depth: depth + 1 });
    } else if (node.type === 'TOMLInlineTable') push(node.body, depth + 1);
    else if (node.kind === 'integer') {
      if (/^[+-]?\d+$/u.test(node.number) && node.number.length > maxDigits) return { code: 'integer-too-long', node };
    } else if ('datetime' in node) {
      if (node.kind !== 'local-time' && node.datetime.startsWith('0000')) return { code: 'invalid-date', node };
      if (/:60(?:[^:]|$)/u.test(node.datetime)) return { code: 'invalid-time', node };
    }
  }
  return null;
}

function codeOf(error: ParseError): string {
  return (
    codeByMessage.get(error.message) ?? (error.message.startsWith('Invalid code point') ? 'invalid-code-point' : '')
  );
}

/**
 * The word or sign at an offset, so that an error covers what is wrong and not the rest of the line. Where the line or
 * the text ends there, it is the last sign before.
 */
function placeOf(text: string, index: number): [start: number, end: number] {
  const start = Math.min(index, text.length);
  const word = /^(?:[A-Za-z0-9_+.-]+|[^\r\n])/u.exec(text.slice(start, start + 200));
  if (word) return [start, start + word[0].length];
  const end = text.slice(0, start).trimEnd().length;
  return [Math.max(0, end - 1), end];
}
