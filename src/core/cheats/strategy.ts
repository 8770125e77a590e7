import type { Facts, Probe } from './facts';

export type CheatLevel = 1 | 2 | 3;

/**
 * One cheat of the catalogue (cheats.md, section 4). Its script is one readable shell file with a header of comments;
 * this is the header, read.
 */
export interface Strategy {
  readonly id: string;
  readonly version: number;
  readonly level: CheatLevel;
  readonly knowledge: 'blind' | 'informed';
  readonly isDefault: boolean;
  /** What the script imitates, one sentence. */
  readonly imitates: string;
  /** Ids of the defences that beat it (cheats.md, section 5). */
  readonly beatenBy: readonly string[];
  /** Names of the runs; a strategy with one way of doing it has the single run `''`. */
  readonly runs: readonly string[];
  readonly script: string;
}

/** One run that is to be made, or a strategy that cannot apply and why. */
export type PlannedCheat =
  | { readonly kind: 'run'; readonly strategy: Strategy; readonly run: string; readonly label: string }
  | { readonly kind: 'not-applicable'; readonly strategy: Strategy; readonly reason: string };

/** The four texts of a hit (cheats.md, section 9). */
export interface HitExplanation {
  readonly whatHappened: string;
  readonly whyItWorked: string;
  readonly whatToChange: string;
  readonly howToCheck: string;
}

export interface CheatContext {
  readonly facts: Facts;
  readonly probe: Probe | null;
}
