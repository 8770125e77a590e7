export type GateName = 'oracle' | 'nop' | 'cheat';
export type Verdict = 'passed' | 'failed' | 'not-proven';

export type FailedReason = 'reward-too-low' | 'nop-rewarded' | 'cheat-rewarded' | 'variant-rejected';
export type NotProvenReason =
  | 'no-reward'
  | 'bad-reward'
  | 'build-failed'
  | 'start-failed'
  | 'timeout'
  | 'denied'
  | 'blocked'
  | 'unsupported'
  | 'not-loadable'
  | 'engine-failed'
  | 'cancelled';

/** Outcome of one cheat run (cheats.md, section 2). */
export type CheatOutcome = 'resisted' | 'hit' | 'partial-hit' | 'denied' | 'late-hit' | 'n/a' | 'broken';

/** Whether an entry is another right solution, which the tests are to accept and not to resist. */
export function isVariant(strategy: string | undefined): boolean {
  return strategy?.startsWith('variant:') ?? false;
}

/** The reward that decided, as it stands in the JSON output: numbers that are not finite are strings. */
export interface RewardAccount {
  readonly key: string;
  readonly value: number | string;
  readonly file: string;
  /** The file's text, cut at 4 KiB. */
  readonly raw: string;
}

export interface AttemptResult {
  /** The trial's folder, relative to the working directory where that is shorter. */
  readonly trial: string | null;
  readonly strategy?: string;
  readonly outcome?: CheatOutcome;
  readonly reward: number | string | null;
  /** Harbor's exception name. */
  readonly exception: string | null;
  readonly durationSec: number;
  /** What went on in this attempt, for people; left out when the reward says it all. */
  readonly message?: string | null;
  /** For a cheat that was rewarded: how, and what to do about it (cheats.md, section 9). */
  readonly explanation?: HitAccount;
}

/** What a report needs to show a hit. */
export interface HitAccount {
  /** What the cheat says it planted. */
  readonly planted: readonly string[];
  readonly whatHappened: string;
  readonly whyItWorked: string;
  readonly whatToChange: string;
  readonly howToCheck: string;
  /** A script that repeats it, as a path like `AttemptResult.trial`; null when none could be written. */
  readonly reproduction: string | null;
}

export interface GateResult {
  readonly gate: GateName;
  readonly verdict: Verdict;
  readonly reason: FailedReason | NotProvenReason | null;
  readonly message: string | null;
  readonly strategy?: string | null;
  readonly reward: RewardAccount | null;
  readonly attempts: readonly AttemptResult[];
}
