import type { MetadataKey, MetadataType } from '../profile';
import type { TomlEntry, TomlTable, TomlValue } from '../../text/toml-tree';
import { tableAt } from '../../text/toml-tree';
import type { Claim, Rule } from '../rule';
import { sourceOf } from './toml-places';

export const configMetadataSchema: Rule = {
  id: 'config-metadata-schema',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['toml'],
  why: 'Reports and reviewers of this repository count on the keys that its taskwright.toml asks for.',
  docs: {
    finds:
      'What `[metadata]` lacks or holds against the schema that `taskwright.toml` gives for it: a missing key, a value of another type or outside of its list, a key that the repository does not know.',
    silent: 'A workspace whose `taskwright.toml` says nothing of metadata. Harbor itself leaves `[metadata]` free.',
    bad: '[metadata]\ndifficulty = "tricky" # with values = ["easy", "medium", "hard"] in taskwright.toml',
    good: '[metadata]\ndifficulty = "hard"',
  },
  *check({ toml, profile }) {
    const schema = profile.metadata;
    const source = sourceOf(toml);
    if (schema === null || source === null) return;
    const metadata = tableAt(source.root, ['metadata']);
    const known = Object.entries(schema.keys);
    const missing = known.filter(([name, { required }]) => required && metadata?.entries.has(name) !== true);
    for (const [name] of missing) yield missingKey(name, metadata);
    for (const entry of metadata?.entries.values() ?? []) {
      const key = Object.hasOwn(schema.keys, entry.key) ? schema.keys[entry.key] : undefined;
      if (key !== undefined) yield* against(key, entry);
      else if (!schema.allowsOthers) yield unknownKey(entry, known);
    }
  },
};

const fileStart = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function missingKey(name: string, metadata: TomlTable | undefined): Claim {
  return {
    range: metadata?.range ?? fileStart,
    path: ['metadata', name],
    message: `[metadata] lacks ${name}, which taskwright.toml asks of every task.`,
  };
}

function unknownKey({ key, keyRange }: TomlEntry, known: readonly (readonly [string, unknown])[]): Claim {
  const names = known.map(([name]) => name).join(', ');
  return {
    range: keyRange,
    path: ['metadata', key],
    message: `taskwright.toml knows no ${key} in [metadata]; it knows ${names}.`,
  };
}

function* against({ type, values }: MetadataKey, { key, value }: TomlEntry): Generator<Claim> {
  const path = ['metadata', key];
  if (type !== null && !isOfType(value, type)) {
    yield { range: value.range, path, message: `${key} is no ${type}, which taskwright.toml asks for.` };
    return;
  }
  if (values === null) return;
  for (const item of value.kind === 'array' ? value.items : [value]) {
    if (item.kind === 'string' && values.includes(item.value)) continue;
    const wanted = values.map((one) => `"${one}"`).join(', ');
    const shown = item.kind === 'string' ? JSON.stringify(item.value) : `A value that is no text`;
    yield { range: item.range, path, message: `${shown} is none of the values of ${key}: ${wanted}.` };
  }
}

function isOfType({ kind }: TomlValue, type: MetadataType): boolean {
  return type === 'number' ? kind === 'integer' || kind === 'float' : kind === type;
}
