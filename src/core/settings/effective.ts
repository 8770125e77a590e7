import type { GateName } from '../gates/verdict';
import { gateNames } from '../gates/settings';
import type { MetadataKey, MetadataSchema, Profile } from '../rules/profile';
import { profileNames, profiles } from '../rules/profile';
import { levels, metadataTypes } from './keys';
import type { Plain, PlainTable } from './read';
import type { Allowance, GateDefaults, RuleLevel, Settings } from './settings';
import { defaultSettings } from './settings';

/** What a person set in the editor or on the command line; absent or null where they set nothing. */
export interface PersonSettings {
  readonly profile?: string | null;
  /** Severities by rule id; what is none is passed over. */
  readonly rules?: Readonly<Record<string, unknown>> | null;
}

/** The settings in force: the defaults, `taskwright.toml` over them, and what a person set over that. */
export function effectiveSettings(file: PlainTable | null, person: PersonSettings = {}): Settings {
  const table = file ?? new Map<string, Plain>();
  const name = profileNames.find((one) => one === person.profile) ?? textAt(table, 'profile');
  const own = Object.entries(person.rules ?? {}).flatMap(([id, level]): [string, RuleLevel][] => {
    const known = levels.find((one) => one === level);
    return known === undefined ? [] : [[id, known]];
  });
  return {
    profile: {
      ...withParameters(profiles[profileNames.find((one) => one === name) ?? 'harbor'], tableAt(table, 'parameters')),
      metadata: metadataSchema(tableAt(table, 'metadata')),
    },
    rules: new Map([...levelsIn(tableAt(table, 'rules')), ...own]),
    allow: allowances(table.get('allow')),
    gates: gateDefaults(tableAt(table, 'gates')),
  };
}

function withParameters(profile: Profile, table: PlainTable): Profile {
  const number = (key: string, otherwise: number): number => numberAt(table, key) ?? otherwise;
  const boolean = (key: string, otherwise: boolean): boolean => {
    const value = table.get(key);
    return typeof value === 'boolean' ? value : otherwise;
  };
  return {
    ...profile,
    canary: textAt(table, 'canary') ?? profile.canary,
    canaryFiles: textsAt(table, 'canary-files') ?? profile.canaryFiles,
    maxNameLength: number('max-name-length', profile.maxNameLength),
    binaryReward: boolean('binary-reward', profile.binaryReward),
    digestPinned: boolean('digest-pinned', profile.digestPinned),
    networkModeAllowed: boolean('network-mode-allowed', profile.networkModeAllowed),
    solutionsWithheld: boolean('solutions-withheld', profile.solutionsWithheld),
    rubricFiles: textsAt(table, 'rubric-files') ?? profile.rubricFiles,
    largeFileBytes: number('large-file-bytes', profile.largeFileBytes),
    largeTaskBytes: number('large-task-bytes', profile.largeTaskBytes),
    maxInstructionTokens: number('max-instruction-tokens', profile.maxInstructionTokens),
    rubricSize: {
      min: number('min-criteria', profile.rubricSize.min),
      max: number('max-criteria', profile.rubricSize.max),
    },
  };
}

function levelsIn(table: PlainTable): readonly [string, RuleLevel][] {
  return [...table].flatMap(([id, value]): [string, RuleLevel][] => {
    const level = levels.find((one) => one === value);
    return level === undefined ? [] : [[id, level]];
  });
}

function allowances(value: Plain | undefined): readonly Allowance[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item): Allowance[] => {
    if (typeof item === 'string') return [];
    const { table, range } = item as { readonly table: PlainTable; readonly range: Allowance['range'] };
    const [rule, path, reason] = ['rule', 'path', 'reason'].map((key) => textAt(table, key));
    return rule && path && reason ? [{ rule, path, reason, range }] : [];
  });
}

function metadataSchema(table: PlainTable): MetadataSchema | null {
  if (table.size === 0) return null;
  const keys = [...tableAt(table, 'keys')].flatMap(([name, value]): [string, MetadataKey][] =>
    value instanceof Map ? [[name, metadataKey(value as PlainTable)]] : [],
  );
  return { keys: Object.fromEntries(keys), allowsOthers: table.get('allow-others') !== false };
}

function metadataKey(table: PlainTable): MetadataKey {
  return {
    required: table.get('required') === true,
    type: metadataTypes.find((one) => one === table.get('type')) ?? null,
    values: textsAt(table, 'values'),
  };
}

function gateDefaults(table: PlainTable): GateDefaults {
  const { gates: defaults } = defaultSettings;
  const names = textsAt(table, 'gates');
  return {
    gates: names === null ? defaults.gates : gateNames.filter((name: GateName) => names.includes(name)),
    attempts: numberAt(table, 'attempts') ?? defaults.attempts,
    passThreshold: numberAt(table, 'pass-threshold') ?? defaults.passThreshold,
    rewardKey: textAt(table, 'reward-key') ?? defaults.rewardKey,
  };
}

function textAt(table: PlainTable, key: string): string | null {
  const value = table.get(key);
  return typeof value === 'string' ? value : null;
}

function numberAt(table: PlainTable, key: string): number | null {
  const value = table.get(key);
  return typeof value === 'number' ? value : null;
}

function textsAt(table: PlainTable, key: string): readonly string[] | null {
  const value = table.get(key);
  if (!Array.isArray(value)) return null;
  return value.filter((item): item is string => typeof item === 'string');
}

function tableAt(table: PlainTable, key: string): PlainTable {
  const value = table.get(key);
  return value instanceof Map ? (value as PlainTable) : new Map();
}
