import type { Severity } from '../finding';

export const profileNames = ['harbor', 'shared-legacy', 'isolated', 'rubric-only'] as const;
export type ProfileName = (typeof profileNames)[number];

/** A set of choices on which benchmarks differ (task-rules.md, section 17). Rules read it; none of them names a benchmark. */
export interface Profile {
  readonly name: ProfileName;
  /** Severities that differ from the rules' own, by rule id; a rule that is `off` is not run. */
  readonly levels: Readonly<Record<string, Severity | 'off'>>;
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
  canary: null,
  canaryFiles: [],
  maxNameLength: 60,
  binaryReward: false,
  digestPinned: false,
  networkModeAllowed: true,
  solutionsWithheld: false,
  rubricFiles: ['rubric.toml', 'rubric.yaml', 'rubric.yml', 'rubric.json'],
  largeFileBytes: 5_000_000,
  largeTaskBytes: 50_000_000,
  maxInstructionTokens: 1_500,
  rubricSize: { min: 7, max: 20 },
};
