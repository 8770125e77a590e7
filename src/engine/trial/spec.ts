import type { Task } from '../../core/task/task';

/** What acts in a trial. */
export type AgentSpec =
  | { readonly kind: 'oracle' }
  | { readonly kind: 'nop' }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'cheat'; readonly cheat: CheatRun };

/** One cheat, ready to run: a strategy of the catalogue with its facts, or an author's own script or folder. */
export interface CheatRun {
  /** As in `CheatRecord.strategy`. */
  readonly label: string;
  readonly source: 'catalogue' | 'cheat' | 'wrong' | 'partial' | 'alternative';
  readonly version: number;
  readonly level: 1 | 2 | 3;
  readonly knowledge: 'blind' | 'informed';
  /**
   * Catalogue: the script and its facts go to a random folder below /tmp and are removed after the run. Author: the
   * folder or script is copied to such a folder and run like the oracle.
   */
  readonly files: readonly { readonly name: string; readonly content: Uint8Array; readonly mode: number }[];
  /** Name among `files` of what is executed. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `agent`: the task's agent user. */
  readonly user: 'agent' | 'root';
  /** Seconds. */
  readonly timeoutSec: number;
  /** Author entries: the reward they are expected to reach or not to exceed, as written (`0`, `<1`, `>=1`). */
  readonly expect: string | null;
  readonly title: string | null;
  readonly targets: string | null;
  /** Author entries: exit code 77 says that it does not apply here (a program that it needs is missing). */
  readonly mayDecline?: boolean;
}

export interface TrialSpec {
  readonly task: Task;
  readonly agent: AgentSpec;
  /** From 1. */
  readonly attempt: number;
  /** Name of the dataset this task was taken from (its folder's name); absent or null for a task of its own. */
  readonly source?: string | null;
}
