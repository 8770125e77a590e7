import type { Range } from '../text/position';
import { removeStatement } from '../text/toml-edit';
import type { TomlEntry, TomlPath, TomlTable } from '../text/toml-tree';
import type { DecodeValue, Decoding } from './decoding';
import { invalid, rangeOfValue, refused } from './decoding';
import type { LegacyKey, Migration, Table } from './keys/key';
import { isLegacy } from './keys/key';
import type { ProblemFix } from './problem';

export interface Migrated {
  /** The table's entries with what the legacy keys were turned into. */
  readonly entries: ReadonlyMap<string, TomlEntry>;
  readonly isRefused: boolean;
}

/** Turns the keys of earlier formats into today's, as Harbor does before it looks at any other key. */
export function migrateLegacyKeys(
  spec: Table,
  table: TomlTable,
  path: TomlPath,
  decoding: Decoding,
  decodeValue: DecodeValue,
): Migrated {
  const legacy = legacyKeys(spec).filter(([name]) => table.entries.has(name));
  if (legacy.length === 0) return { entries: table.entries, isRefused: false };
  const entries = new Map(table.entries);
  let isRefused = false;
  for (const [name, key] of legacy) {
    const entry = table.entries.get(name);
    if (entry === undefined) continue;
    entries.delete(name);
    const own = [...path, name];
    if (key.isChecked && decodeValue(key.type, entry.value, own, decoding, rangeOfValue(entry)) === refused) {
      isRefused = true;
      continue;
    }
    const migration = key.migrate(entry.value, table);
    if (migration.kind === 'refused') {
      isRefused = true;
      const fixes = migration.text === null ? [] : [rewrite(key, entry, migration.text, true)];
      invalid(decoding, path, rangeOfValue(entry), migration.message, fixes);
    } else reportMigration(name, key, entry, migration, own, decoding);
    if (migration.kind === 'converted' && migration.isSet) {
      entries.set(key.presence.replacedBy, { ...entry, key: key.presence.replacedBy, value: migration.value });
    }
  }
  return { entries, isRefused };
}

const legacyKeysOf = new WeakMap<Table, readonly (readonly [string, LegacyKey])[]>();

function legacyKeys(spec: Table): readonly (readonly [string, LegacyKey])[] {
  const known = legacyKeysOf.get(spec);
  if (known !== undefined) return known;
  const found = Object.entries(spec.keys).flatMap(([name, key]) => (isLegacy(key) ? [[name, key] as const] : []));
  legacyKeysOf.set(spec, found);
  return found;
}

function reportMigration(
  name: string,
  key: LegacyKey,
  entry: TomlEntry,
  migration: Exclude<Migration, { kind: 'refused' }>,
  path: TomlPath,
  decoding: Decoding,
): void {
  const { replacedBy } = key.presence;
  const range: Range = entry.keyRange;
  const removal = removeStatement(decoding, entry);
  const remove: readonly ProblemFix[] = removal ? [{ title: `Remove ${name}`, edits: removal }] : [];
  switch (migration.kind) {
    case 'converted': {
      const { text, isSet } = migration;
      decoding.report({
        ruleId: 'config-deprecated-key',
        severity: 'information',
        path,
        range,
        message: isSet
          ? `${name} is an old spelling of ${replacedBy}${text === null ? '' : `; Harbor reads it as ${replacedBy} = ${text}`}.`
          : `${name} is an old spelling and says the same as ${replacedBy}.`,
        fixes: isSet ? (text === null ? [] : [rewrite(key, entry, text, true)]) : remove,
      });
      return;
    }
    case 'overruled':
      decoding.report({
        ruleId: 'config-deprecated-key',
        severity: 'warning',
        path,
        range,
        message: migration.message,
        fixes: remove,
      });
      return;
    case 'dropped':
      decoding.report({
        ruleId: 'config-suspicious-value',
        severity: 'warning',
        path,
        range: rangeOfValue(entry),
        message: migration.message,
        fixes: migration.text === null ? remove : [rewrite(key, entry, migration.text, false)],
      });
  }
}

function rewrite(key: LegacyKey, entry: TomlEntry, text: string, preferred: boolean): ProblemFix {
  const { replacedBy } = key.presence;
  return {
    title: `Write ${replacedBy} = ${text}`,
    edits: [
      { range: entry.keyRange, newText: replacedBy },
      { range: entry.value.range, newText: text },
    ],
    preferred,
  };
}
