import type { Severity } from '../finding';

export const profileNames = ['harbor', 'shared-legacy', 'isolated', 'rubric-only'] as const;
export type ProfileName = (typeof profileNames)[number];

export type MetadataType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'table' | 'date';

/** What a repository asks of one key of `[metadata]`. */
export interface MetadataKey {
  readonly required: boolean;
  /** null: any. */
  readonly type: MetadataType | null;
  /** Texts that are allowed, also as items of an array; null: any. */
  readonly values: readonly string[] | null;
}

export interface MetadataSchema {
  readonly keys: Readonly<Record<string, MetadataKey>>;
  /** May `[metadata]` hold other keys? */
  readonly allowsOthers: boolean;
}

/** A set of choices on which benchmarks differ (task-rules.md, section 17). Rules read it; none of them names a benchmark. */
export interface Profile {
  readonly name: ProfileName;
  /** Severities that differ from the rules' own, by rule id; a rule that is `off` is not run. */
  readonly levels: Readonly<Record<string, Severity | 'off'>>;
  /**
   * Beginnings of the ids of the rules that are run, such as `rubric-`; null: all are. A person's own choice for a rule
   * comes before it.
   */
  readonly families: readonly string[] | null;
  /** The text that marks a file as not for training; null: none is asked for. */
  readonly canary: string | null;
  /** Files that have to hold the canary, as globs relative to the task folder. */
  readonly canaryFiles: readonly string[];
  /** Characters of a task's name. */
  readonly maxNameLength: number;
  /** Must a reward be 0 or 1? */
  readonly binaryReward: boolean;
  /** Must a base image be pinned by digest? */
  readonly digestPinned: boolean;
  /** May a task set network_mode at all? */
  readonly networkModeAllowed: boolean;
  /** Are tasks published without their solutions? */
  readonly solutionsWithheld: boolean;
  /** Is a verifier reported only because its test runner looks for a configuration where the agent may write? */
  readonly reportsConfigDiscovery: boolean;
  /** What a repository asks of `[metadata]`; null: nothing. */
  readonly metadata: MetadataSchema | null;
  /** Names of rubric files in the task folder. */
  readonly rubricFiles: readonly string[];
  /** Bytes from which on a file, and a task, is large. */
  readonly largeFileBytes: number;
  readonly largeTaskBytes: number;
  /** Tokens of an instruction, by estimate. */
  readonly maxInstructionTokens: number;
  /** Criteria of a rubric. */
  readonly rubricSize: { readonly min: number; readonly max: number };
}

export const harborProfile: Profile = {
  name: 'harbor',
  levels: {},
  families: null,
  canary: null,
  canaryFiles: [],
  maxNameLength: 60,
  binaryReward: false,
  digestPinned: false,
  networkModeAllowed: true,
  solutionsWithheld: false,
  reportsConfigDiscovery: true,
  metadata: null,
  rubricFiles: ['rubric.toml', 'rubric.yaml', 'rubric.yml', 'rubric.json'],
  largeFileBytes: 5_000_000,
  largeTaskBytes: 50_000_000,
  maxInstructionTokens: 1_500,
  rubricSize: { min: 7, max: 20 },
};

/** For old collections, whose ways were right when they were made. */
const sharedLegacyProfile: Profile = {
  ...harborProfile,
  name: 'shared-legacy',
  levels: {
    'config-shared-verifier-root-agent': 'information',
    'verifier-runtime-install': 'information',
    'verifier-unpinned-install': 'information',
    'verifier-network': 'information',
  },
  reportsConfigDiscovery: false,
};

/** For collections whose verifier is an image of its own, where nothing is installed while a task is graded. */
const isolatedProfile: Profile = {
  ...harborProfile,
  name: 'isolated',
  levels: { 'config-shared-verifier-root-agent': 'warning', 'verifier-runtime-install': 'error' },
  binaryReward: true,
};

/** For tasks that are graded by a rubric alone. */
const rubricOnlyProfile: Profile = {
  ...harborProfile,
  name: 'rubric-only',
  families: ['instruction-', 'hygiene-', 'rubric-'],
};

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  harbor: harborProfile,
  'shared-legacy': sharedLegacyProfile,
  isolated: isolatedProfile,
  'rubric-only': rubricOnlyProfile,
};
