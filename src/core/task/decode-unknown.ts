import { editDistance } from '../text/edit-distance';
import { moveStatement } from '../text/toml-edit';
import type { TomlEntry, TomlPath, TomlTable } from '../text/toml-tree';
import { formatPath } from '../text/toml-tree';
import type { Decoding } from './decoding';
import { sourceOf } from './decoding';
import type { Alias, AnyKey, Table } from './keys/key';
import { isLegacy } from './keys/key';
import { places } from './keys/places';
import type { ProblemFix } from './problem';

/** Reports the keys of a table that Harbor does not know there, and so ignores. */
export function reportUnknownKeys(spec: Table, table: TomlTable, path: TomlPath, decoding: Decoding): void {
  for (const entry of table.entries.values()) {
    if (Object.hasOwn(spec.keys, entry.key)) continue;
    const alias = aliasOf(entry.key, spec);
    if (alias) reportSuggestion(alias.key, alias.alias, entry, spec, table, path, decoding);
    else if (!reportMisplaced(entry, table, path, decoding)) {
      const near = nearestKey(entry.key, spec);
      if (near === undefined || (isOfTables(entry) && !takesTables(spec, near)))
        reportUnknown(entry, table, path, decoding);
      else reportSuggestion(near, null, entry, spec, table, path, decoding);
    }
  }
}

// Keys that nobody keeps as metadata: one of them there was meant for a table or the root above `[metadata]`.
const neverMetadata = ['network_mode', 'allowed_hosts', 'multi_step_reward_strategy'];

/** `[metadata]` is free-form, so only a key that cannot be meant for it is reported. */
export function reportMisplacedMetadata(table: TomlTable, path: TomlPath, decoding: Decoding): void {
  for (const entry of table.entries.values()) {
    const { key, value } = entry;
    const isPath =
      key === 'artifacts' &&
      value.kind === 'array' &&
      value.items.some((item) => item.kind === 'string' && item.value.startsWith('/'));
    if (isPath || neverMetadata.includes(key)) reportMisplaced(entry, table, path, decoding);
  }
}

/** `[x]` or `[[x]]`: nobody means a text or a number by that. */
function isOfTables({ value }: TomlEntry): boolean {
  return value.kind === 'table' || (value.kind === 'array' && value.items.some(({ kind }) => kind === 'table'));
}

function takesTables(spec: Table, name: string): boolean {
  const kind = spec.keys[name]?.type.kind;
  return kind !== undefined && !/^(?:text|integer|float|boolean|choice|user)$/u.test(kind);
}

// Too common to say where they were meant to be.
const common = new Set([
  'name',
  'type',
  'command',
  'args',
  'url',
  'service',
  'description',
  'version',
  'email',
  'exclude',
]);

/** Reports a key that Harbor knows elsewhere; false when it does not. */
function reportMisplaced(entry: TomlEntry, table: TomlTable, path: TomlPath, decoding: Decoding): boolean {
  if (path.length > 0 && common.has(entry.key)) return false;
  const homes = homesOf(entry.key, path);
  if (homes.length === 0) return false;
  const names = homes.map((home) => tableName(home));
  const where = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
  const fixes: ProblemFix[] = [];
  for (const home of homes) {
    const edits = moveStatement(decoding, entry, home);
    if (edits) fixes.push({ title: `Move ${entry.key} to ${tableName(home)}`, edits, preferred: homes.length === 1 });
  }
  const here = tableName(path);
  const because =
    homes.some((home) => home.length === 0) && table.form === 'header'
      ? 'TOML attaches it to the table header above it, so it has no effect'
      : 'there it has no effect';
  decoding.report({
    ruleId: 'config-misplaced-key',
    severity: 'warning',
    path: [...path, entry.key],
    range: entry.keyRange,
    message: `${entry.key} belongs to ${where ?? ''}, not to ${here}: ${because}.`,
    fixes,
  });
  return true;
}

/** The tables in which Harbor knows a key and an author can have meant it: below this one, the root, or top tables. */
function homesOf(name: string, path: TomlPath): readonly TomlPath[] {
  const homes = places
    .filter((place) => place.name === name && !place.path.includes('[]'))
    .map((place) => place.path.slice(0, -1));
  const below = homes.filter(
    (home) => home.length === path.length + 1 && path.every((part, i) => part === home[i]) && path.length > 0,
  );
  if (below.length > 0) return below;
  const root = homes.filter((home) => home.length === 0);
  return root.length > 0 ? root : homes.filter((home) => home.length === 1);
}

function reportSuggestion(
  suggestion: string,
  alias: Alias | null,
  entry: TomlEntry,
  spec: Table,
  table: TomlTable,
  path: TomlPath,
  decoding: Decoding,
): void {
  const fixes: ProblemFix[] = [];
  const taken = table.entries.has(suggestion);
  const newValue = alias?.rewrite?.(entry.value);
  if (!taken && newValue !== null) {
    const edits = entry.mentions.map((range) => ({ range, newText: suggestion }));
    if (newValue !== undefined) edits.push({ range: entry.value.range, newText: newValue });
    fixes.push({ title: `Rename to ${suggestion}`, edits, preferred: true });
  }
  decoding.report({
    ruleId: 'config-unknown-key',
    severity: 'warning',
    path: [...path, entry.key],
    range: entry.keyRange,
    message: `Harbor does not know ${entry.key} in ${tableName(path)} and ignores it. Did you mean ${suggestion}? ${inForce(suggestion, spec, table, decoding)}`,
    fixes: [...fixes, ...toMetadata(entry, table, path, decoding)],
  });
}

function reportUnknown(entry: TomlEntry, table: TomlTable, path: TomlPath, decoding: Decoding): void {
  decoding.report({
    ruleId: 'config-unknown-key',
    severity: 'warning',
    path: [...path, entry.key],
    range: entry.keyRange,
    message: `Harbor does not know ${formatPath([entry.key])} in ${tableName(path)} and ignores it.`,
    fixes: toMetadata(entry, table, path, decoding),
  });
}

function toMetadata(entry: TomlEntry, table: TomlTable, path: TomlPath, decoding: Decoding): readonly ProblemFix[] {
  if (path.some((part) => typeof part === 'number') || table.form === 'inline') return [];
  const edits = moveStatement(decoding, entry, ['metadata']);
  return edits ? [{ title: `Move ${entry.key} to [metadata]`, edits }] : [];
}

/** What counts instead of the ignored key. */
function inForce(name: string, spec: Table, table: TomlTable, decoding: Decoding): string {
  const entry = table.entries.get(name);
  if (entry) {
    const isShort = entry.value.kind !== 'table' && entry.value.kind !== 'array';
    return isShort ? `${name} = ${sourceOf(decoding, entry.value.range)} is in force.` : `${name} is there, too.`;
  }
  const key: AnyKey | undefined = spec.keys[name];
  if (key === undefined || isLegacy(key)) return '';
  if (
    key.presence.kind === 'default' &&
    (typeof key.presence.value === 'number' || typeof key.presence.value === 'string')
  ) {
    return `The default is in force: ${name} = ${JSON.stringify(key.presence.value)}.`;
  }
  return `As it stands, ${name} is not set.`;
}

function aliasOf(name: string, spec: Table): { readonly key: string; readonly alias: Alias } | undefined {
  for (const [key, { aliases }] of Object.entries(spec.keys)) {
    const alias = aliases?.find((one) => one.name === normal(name));
    if (alias) return { key, alias };
  }
  return undefined;
}

function nearestKey(name: string, spec: Table): string | undefined {
  const wanted = normal(name);
  const limit = wanted.length <= 4 ? 1 : 2;
  let best: { key: string; distance: number } | undefined;
  for (const [key, spelled] of Object.entries(spec.keys)) {
    if (isLegacy(spelled)) continue;
    const distance = editDistance(wanted, key);
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { key, distance };
  }
  return best?.key;
}

const normal = (name: string): string => name.toLowerCase().replaceAll('-', '_');

function tableName(path: TomlPath): string {
  if (path.length === 0) return 'the root';
  const names = path.filter((part) => typeof part === 'string');
  const isItem = typeof path.at(-1) === 'number';
  return isItem ? `[[${formatPath(names)}]]` : `[${formatPath(names)}]`;
}
