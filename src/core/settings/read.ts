import type { Finding, Fix, Severity } from '../finding';
import { fingerprint } from '../rules/fingerprint';
import { editDistance } from '../text/edit-distance';
import type { Range } from '../text/position';
import { readToml } from '../text/toml';
import { tomlString } from '../text/toml-edit';
import type { TomlEntry, TomlTable, TomlValue } from '../text/toml-tree';
import { formatPath } from '../text/toml-tree';
import type { SettingKeys, SettingShape } from './keys';
import { settingKeys } from './keys';

/** The file at the workspace root. */
export const settingsFile = 'taskwright.toml';

/** A table of taskwright.toml with what is wrong left out; values as `Plain`. */
export type PlainTable = ReadonlyMap<string, Plain>;
export type Plain = string | number | boolean | readonly string[] | PlainTable | readonly PlainItem[];
export interface PlainItem {
  readonly table: PlainTable;
  readonly range: Range;
}

export interface ReadSettings {
  readonly table: PlainTable;
  /** About the file itself. */
  readonly findings: readonly Finding[];
}

export interface SettingsRule {
  readonly id: string;
  readonly severity: Severity;
  readonly why: string;
}

const reason = 'Where taskwright.toml is not understood, tasks are judged by other settings than its author meant.';

/** What can be said of taskwright.toml itself; these are no rules about tasks, and cannot be switched off there. */
export const settingsRules = {
  syntax: { id: 'settings-syntax', severity: 'error', why: reason },
  value: { id: 'settings-invalid-value', severity: 'error', why: reason },
  key: { id: 'settings-unknown-key', severity: 'warning', why: reason },
  rule: { id: 'settings-unknown-rule', severity: 'warning', why: reason },
  unused: {
    id: 'settings-unused-allow',
    severity: 'hint',
    why: 'An allowance that lets nothing pass hides the next finding that it happens to fit.',
  },
} as const satisfies Readonly<Record<string, SettingsRule>>;

/** Reads taskwright.toml; what is wrong is left out and reported. Never throws on any text. */
export function readSettings(text: string, ruleIds: readonly string[]): ReadSettings {
  const toml = readToml(text);
  const findings: Finding[] = [];
  const report: Report = (rule, range, path, message, fixes = []) => {
    const { id, severity, why } = rule;
    findings.push({
      ruleId: id,
      severity,
      confidence: 'certain',
      file: settingsFile,
      range,
      path,
      message,
      why,
      fixes,
      fingerprint: fingerprint(id, JSON.stringify(path), message),
    });
  };
  if (!toml.ok) {
    report(
      settingsRules.syntax,
      toml.range,
      [],
      `${toml.message.replace(/\.$/u, '')}, so none of this file is in force.`,
    );
    return { table: new Map(), findings };
  }
  const table = readTable(settingKeys, toml.root, [], { report, ruleIds });
  return { table, findings };
}

type Path = readonly (string | number)[];
type Report = (rule: SettingsRule, range: Range, path: Path, message: string, fixes?: readonly Fix[]) => void;

interface Reader {
  readonly report: Report;
  readonly ruleIds: readonly string[];
}

function readTable(keys: SettingKeys, table: TomlTable, path: Path, reader: Reader): PlainTable {
  const read = new Map<string, Plain>();
  for (const entry of table.entries.values()) {
    const own = [...path, entry.key];
    const key = Object.hasOwn(keys, entry.key) ? keys[entry.key] : undefined;
    if (key === undefined) {
      const where = path.length === 0 ? settingsFile : `[${formatPath(path)}]`;
      reportUnknown(settingsRules.key, entry, own, Object.keys(keys), `${where} has no key ${entry.key}`, reader);
      continue;
    }
    const value = readValue(key.shape, entry.value, own, reader);
    if (value !== null) read.set(entry.key, value);
  }
  for (const [name, { isRequired }] of Object.entries(keys)) {
    if (isRequired !== true || table.entries.has(name)) continue;
    reader.report(settingsRules.value, table.range, path, `The key ${name} is missing in [[${formatPath(path)}]].`);
  }
  return read;
}

function readValue(shape: SettingShape, value: TomlValue, path: Path, reader: Reader): Plain | null {
  const refuse = (wanted: string, at: TomlValue = value): null => {
    reader.report(settingsRules.value, at.range, path, `${formatPath(path)} has to be ${wanted}.`);
    return null;
  };
  switch (shape.kind) {
    case 'text':
      if (value.kind !== 'string' || value.value.trim() === '') return refuse('a text that is not empty');
      return isChoice(shape.choices, value.value) ? value.value : refuse(oneOf(shape.choices));
    case 'boolean':
      return value.kind === 'boolean' ? value.value : refuse('true or false');
    case 'number': {
      const { isWhole, min, max } = shape;
      const isNumber = value.kind === 'integer' || (value.kind === 'float' && !isWhole);
      const number = isNumber ? Number(value.value) : NaN;
      if (Number.isFinite(number) && number >= (min ?? -Infinity) && number <= (max ?? Infinity)) return number;
      const range = min === undefined || max === undefined ? '' : ` from ${min} to ${max}`;
      return refuse(`a ${isWhole ? 'whole' : 'finite'} number${range}`);
    }
    case 'texts': {
      if (value.kind !== 'array') return refuse('a list of texts');
      const read: string[] = [];
      for (const item of value.items) {
        if (item.kind !== 'string' || item.value.trim() === '') return refuse('a list of texts', item);
        if (!isChoice(shape.choices, item.value)) return refuse(`a list of these: ${list(shape.choices)}`, item);
        read.push(item.value);
      }
      return read.length >= (shape.least ?? 0) ? read : refuse(`a list with at least ${shape.least ?? 0} item`);
    }
    case 'table':
      return value.kind === 'table' ? readTable(shape.keys, value, path, reader) : refuse('a table');
    case 'map':
      return value.kind === 'table' ? readMap(shape, value, path, reader) : refuse('a table');
    case 'tables': {
      if (value.kind !== 'array') return refuse(`a list of tables, written as [[${formatPath(path)}]]`);
      return value.items.flatMap((item, index): PlainItem[] => {
        if (item.kind !== 'table') {
          refuse('a list of tables', item);
          return [];
        }
        const table = readTable(shape.keys, item, path, reader);
        checkRule(item, [...path, index, 'rule'], reader);
        return [{ table, range: item.range }];
      });
    }
  }
}

function readMap(
  { keys, item }: SettingShape & { readonly kind: 'map' },
  table: TomlTable,
  path: Path,
  reader: Reader,
): PlainTable {
  const read = new Map<string, Plain>();
  for (const entry of table.entries.values()) {
    const own = [...path, entry.key];
    if (keys === 'rule' && !reader.ruleIds.includes(entry.key)) {
      reportUnknown(settingsRules.rule, entry, own, reader.ruleIds, `There is no rule ${entry.key}`, reader);
      continue;
    }
    const value = readValue(item, entry.value, own, reader);
    if (value !== null) read.set(entry.key, value);
  }
  return read;
}

/** An allowance of a rule that does not exist lets nothing pass. */
function checkRule(table: TomlTable, path: Path, { report, ruleIds }: Reader): void {
  const value = table.entries.get('rule')?.value;
  if (value?.kind !== 'string' || value.value.trim() === '' || ruleIds.includes(value.value)) return;
  const near = nearest(value.value, ruleIds);
  const fixes = near === null ? [] : [renameTo(near, tomlString(near), value.range)];
  const guess = near === null ? '' : ` Did you mean ${near}?`;
  report(settingsRules.rule, value.range, path, `There is no rule ${value.value}.${guess}`, fixes);
}

function reportUnknown(
  rule: SettingsRule,
  { key, keyRange }: TomlEntry,
  path: Path,
  known: readonly string[],
  what: string,
  { report }: Reader,
): void {
  const near = nearest(key, known);
  if (near === null) report(rule, keyRange, path, `${what}.`);
  else report(rule, keyRange, path, `${what}. Did you mean ${near}?`, [renameTo(near, near, keyRange)]);
}

function renameTo(name: string, newText: string, range: Range): Fix {
  return { title: `Rename to ${name}`, edits: [{ file: settingsFile, range, newText }], preferred: true };
}

/** The closest of some names, if it is close enough for a slip. */
function nearest(name: string, known: readonly string[]): string | null {
  const plain = name.replaceAll('_', '-').toLowerCase();
  const [best] = known
    .map((one) => ({ one, distance: editDistance(plain, one) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.one.length / 5)) ? best.one : null;
}

function isChoice(choices: readonly string[] | undefined, value: string): boolean {
  return choices === undefined || choices.includes(value);
}

function oneOf(choices: readonly string[] | undefined): string {
  return `one of ${list(choices)}`;
}

function list(choices: readonly string[] | undefined): string {
  return (choices ?? []).map((choice) => `"${choice}"`).join(', ');
}
