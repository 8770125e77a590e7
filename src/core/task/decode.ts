import { linesOf } from '../text/lines';
import type { Range } from '../text/position';
import type { TomlEntry, TomlPath, TomlTable, TomlValue } from '../text/toml-tree';
import { formatPath } from '../text/toml-tree';
import { nameOf, toBoolean, toFloat, toInteger } from './coerce';
import type { Coerced } from './coerce';
import type { TaskConfig } from './config';
import { oddNumber, withoutEffectHere } from './decode-advice';
import { decodeArtifact } from './decode-artifact';
import { decodeChoice } from './decode-choice';
import { plainValue } from './decode-free';
import { migrateLegacyKeys } from './decode-legacy';
import { reportMisplacedMetadata, reportUnknownKeys } from './decode-unknown';
import type { Decoding, Refused } from './decoding';
import { invalid, rangeOfValue, refused, replaceFix, sourceOf } from './decoding';
import type { Decoded, Key, Shape, Table, TextFormat } from './keys/key';
import { isLegacy } from './keys/key';
import { taskTable } from './keys/task-table';
import type { Problem, ProblemFix } from './problem';
import { tomlString } from '../text/toml-edit';

export interface DecodeResult {
  /** null when Harbor refuses the file. */
  readonly config: TaskConfig | null;
  readonly problems: readonly Problem[];
}

/** Turns a document into Harbor's configuration, by the table of keys. Never throws. */
export function decodeTask(root: TomlTable, text: string): DecodeResult {
  const problems: Problem[] = [];
  const decoding: Decoding = {
    text,
    root,
    lines: linesOf(text),
    report: (problem) => void problems.push(problem),
  };
  const decoded = decodeTable(taskTable, root, [], root.range, decoding);
  const isValid = decoded !== refused && !problems.some((problem) => problem.severity === 'error');
  // The assignment is the proof that the table of keys and the contract say the same.
  const config: TaskConfig | null = isValid ? tidy(decoded as Decoded<typeof taskTable>) : null;
  return { config, problems };
}

/** An empty image is no image to Harbor, and an empty destination no destination. */
function tidy(decoded: Decoded<typeof taskTable>): TaskConfig {
  const environment = <E extends { readonly docker_image: string | null }>(of: E): E =>
    of.docker_image === '' ? { ...of, docker_image: null } : of;
  const artifacts = <A extends { readonly destination: string | null }>(list: readonly A[]): readonly A[] =>
    list.map((artifact) => (artifact.destination === '' ? { ...artifact, destination: null } : artifact));
  const verifier = <V extends TaskConfig['verifier']>(of: V): V =>
    of.environment === null ? of : { ...of, environment: environment(of.environment) };
  return {
    ...decoded,
    environment: environment(decoded.environment),
    verifier: verifier(decoded.verifier),
    artifacts: artifacts(decoded.artifacts),
    steps: decoded.steps.map((step) => ({
      ...step,
      verifier: verifier(step.verifier),
      artifacts: artifacts(step.artifacts),
    })),
  };
}

/** The keys of one table, or `refused` after at least one error. */
function decodeTable(
  spec: Table,
  table: TomlTable,
  path: TomlPath,
  at: Range,
  decoding: Decoding,
): Readonly<Record<string, unknown>> | Refused {
  let failed = false;
  reportUnknownKeys(spec, table, path, decoding);
  const { entries, isRefused } = migrateLegacyKeys(spec, table, path, decoding, decodeValue);
  if (isRefused) failed = true;

  const values: [string, unknown][] = [];
  for (const [name, key] of Object.entries(spec.keys)) {
    if (isLegacy(key)) continue;
    const entry = entries.get(name);
    if (entry === undefined && key.presence.kind === 'required') {
      failed = true;
      invalid(decoding, [...path, name], at, `${spec.title} needs a ${name}.`);
    }
    const value = entry === undefined ? absent(key) : decodeKey(key, entry, [...path, name], decoding);
    if (value === refused) failed = true;
    else values.push([name, value]);
  }
  if (failed) return refused;

  const result = Object.fromEntries(values);
  const troubles = spec.check?.(result) ?? [];
  for (const trouble of troubles) {
    const entry = table.entries.get(trouble.key);
    invalid(decoding, path, entry ? rangeOfValue(entry) : at, trouble.message);
  }
  return troubles.length > 0 ? refused : result;
}

function absent(key: Key<unknown>): unknown {
  const { presence } = key;
  switch (presence.kind) {
    case 'required':
      return refused;
    case 'optional':
      return null;
    case 'default':
      return presence.value;
    case 'empty-table':
      return key.type.kind === 'table' ? defaultsOf(key.type.table) : null;
  }
}

const defaults = new WeakMap<Table, Readonly<Record<string, unknown>>>();

/** What a table decodes to when nothing is written in it; only for tables without required keys. */
function defaultsOf(spec: Table): Readonly<Record<string, unknown>> {
  const known = defaults.get(spec);
  if (known !== undefined) return known;
  const made = Object.fromEntries(
    Object.entries(spec.keys).flatMap(([name, key]) => (isLegacy(key) ? [] : [[name, absent(key)]])),
  );
  defaults.set(spec, made);
  return made;
}

function decodeKey(key: Key<unknown>, entry: TomlEntry, path: TomlPath, decoding: Decoding): unknown {
  if (key.withoutEffect !== undefined) withoutEffectHere(key.withoutEffect, entry, path, decoding);
  const value = decodeValue(key.type, entry.value, path, decoding, rangeOfValue(entry));
  if (typeof value === 'number' && key.sensible) oddNumber(key.sensible, value, entry, path, decoding);
  return value;
}

/** Decodes one value; `at` is where its errors are shown. */
function decodeValue(shape: Shape, value: TomlValue, path: TomlPath, decoding: Decoding, at: Range): unknown {
  const refuse = (wanted: string): Refused => {
    invalid(
      decoding,
      path,
      at,
      `${formatPath(path)} ${wanted}, not ${nameOf(value)}.`,
      quoteFix(shape, value, decoding),
    );
    return refused;
  };
  switch (shape.kind) {
    case 'text':
      if (value.kind !== 'string') return refuse('must be a text in quotes');
      return shape.format === undefined
        ? value.value
        : formatted(shape.format, value.value, path, at, formatPath(path), decoding);
    case 'integer':
      return coerced(toInteger(value), value, path, at, decoding);
    case 'float':
      return coerced(toFloat(value), value, path, at, decoding);
    case 'boolean':
      return coerced(toBoolean(value), value, path, at, decoding);
    case 'user':
      return value.kind === 'string'
        ? value.value
        : coerced(toInteger(value), value, path, at, decoding, 'a user name or ');
    case 'choice':
      return decodeChoice(shape, value, path, at, decoding);
    case 'list':
      return value.kind === 'array' ? decodeList(shape, value.items, path, decoding) : refuse('must be an array');
    case 'map':
      return value.kind === 'table' ? decodeMap(shape.value, value, path, decoding) : refuse('must be a table');
    case 'threshold':
      if (value.kind === 'table') {
        const map = decodeMap({ kind: 'float' }, value, path, decoding);
        // Harbor tries both forms, and so reports the value as a whole, too.
        if (map === refused) invalid(decoding, path, at, `${formatPath(path)} is no table of numbers.`);
        return map;
      }
      return coerced(toFloat(value), value, path, at, decoding, 'a table of numbers or ');
    case 'artifact':
      return decodeArtifact(shape.table, value, path, decoding, at, decodeTable);
    case 'table':
      return value.kind === 'table' ? decodeTable(shape.table, value, path, at, decoding) : refuse('must be one table');
    case 'free-table':
      if (value.kind !== 'table') return refuse('must be a table');
      reportMisplacedMetadata(value, path, decoding);
      return plainValue(value);
  }
}

function decodeList(
  shape: Extract<Shape, { kind: 'list' }>,
  items: readonly TomlValue[],
  path: TomlPath,
  decoding: Decoding,
): unknown {
  const values = items.map((item, index) => decodeValue(shape.item, item, [...path, index], decoding, item.range));
  if (values.includes(refused)) return refused;
  const { each } = shape;
  if (each === undefined) return values;
  const checked = items.map((item) => {
    if (item.kind !== 'string') return refused;
    const subject = `${JSON.stringify(item.value)} in ${formatPath(path)}`;
    return formatted(each, item.value, path, item.range, subject, decoding);
  });
  return checked.includes(refused) ? refused : checked;
}

function decodeMap(shape: Shape, table: TomlTable, path: TomlPath, decoding: Decoding): unknown {
  const values = [...table.entries].map(([name, entry]): [string, unknown] => [
    name,
    decodeValue(shape, entry.value, [...path, name], decoding, rangeOfValue(entry)),
  ]);
  return values.some(([, value]) => value === refused) ? refused : Object.fromEntries(values);
}

function formatted(
  format: TextFormat,
  value: string,
  path: TomlPath,
  at: Range,
  subject: string,
  decoding: Decoding,
): string | Refused {
  const result = format.parse(value);
  if (result.ok) return result.value;
  invalid(decoding, path, at, `${subject} ${result.reason}.`);
  return refused;
}

function coerced<T extends number | boolean>(
  result: Coerced<T>,
  value: TomlValue,
  path: TomlPath,
  at: Range,
  decoding: Decoding,
  alternative = '',
): T | Refused {
  if (!result.ok) {
    const reason = alternative === '' ? result.reason : result.reason.replace(/^must be /u, `must be ${alternative}`);
    invalid(decoding, path, at, `${formatPath(path)} ${reason}.`);
    return refused;
  }
  if (!result.exact && value.kind !== 'float') {
    const plain = tomlNumber(result.value);
    decoding.report({
      ruleId: 'config-invalid-value',
      severity: 'hint',
      path,
      range: at,
      message: `Harbor reads this ${nameOf(value).replace(/^an? /u, '')} as ${plain}.`,
      fixes: [replaceFix(`Write ${plain}`, at, plain)],
    });
  }
  return result.value;
}

function tomlNumber(value: number | boolean): string {
  if (typeof value === 'boolean' || Number.isInteger(value))
    return typeof value === 'number' ? BigInt(value).toString() : String(value);
  return String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
}

/** Numbers and booleans where a text is wanted: the usual slip in `env` tables. */
function quoteFix(shape: Shape, value: TomlValue, decoding: Decoding): readonly ProblemFix[] {
  if (shape.kind !== 'text' || shape.format !== undefined) return [];
  if (value.kind !== 'integer' && value.kind !== 'float' && value.kind !== 'boolean') return [];
  return [replaceFix('Put it in quotes', value.range, tomlString(sourceOf(decoding, value.range)), true)];
}
