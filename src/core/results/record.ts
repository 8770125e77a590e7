import type { CheatOutcome, NotProvenReason } from '../gates/verdict';

/** A number as Python wrote it: Harbor tells `1` from `1.0`, and its records may hold nan and inf. */
export interface RewardNumber {
  readonly value: number;
  readonly kind: 'int' | 'float';
}

/** Harbor's exception names of reading a reward (harbor-run.md, section 9). */
export type RewardError =
  | 'RewardFileNotFoundError'
  | 'RewardFileEmptyError'
  | 'VerifierOutputParseError'
  | 'ValidationError'
  | 'IsADirectoryError';

/** One of the two reward files as it was found. */
export interface RewardFile {
  readonly name: 'reward.json' | 'reward.txt';
  readonly kind: 'file' | 'directory' | 'link' | 'fifo' | 'other';
  /** Bytes. */
  readonly size: number;
  /** The text, cut at 4 KiB; null when it is no text or no file. */
  readonly raw: string | null;
}

/** What Harbor makes of the verifier's folder, and what else lay there. */
export type RewardReading =
  | {
      readonly ok: true;
      /** The file that won. */
      readonly file: RewardFile;
      /** null for a JSON `null`: Harbor accepts it and has no reward. */
      readonly rewards: Readonly<Record<string, RewardNumber>> | null;
      readonly others: readonly RewardFile[];
    }
  | {
      readonly ok: false;
      readonly error: RewardError;
      readonly message: string;
      readonly file: RewardFile | null;
      readonly others: readonly RewardFile[];
    };

/** What one trial ended as: all that gates, displays and job records need of it. */
export interface TrialRecord {
  readonly name: string;
  /** Absolute folder of the trial; null when nothing could be written. */
  readonly dir: string | null;
  readonly taskDir: string;
  readonly agent: 'oracle' | 'nop' | 'cheat' | 'command';
  readonly attempt: number;
  readonly reading: RewardReading | null;
  /** Harbor's exception of this trial: class name and sentence. A trial can have one and a reward as well. */
  readonly exception: { readonly type: string; readonly message: string } | null;
  /**
   * Why this trial proves nothing, where that is so whatever the reward says: it was not built, not started, cancelled,
   * cut off by a limit, or asks for what is not supported.
   */
  readonly undecided: { readonly reason: NotProvenReason; readonly message: string } | null;
  readonly cheat: CheatRecord | null;
  /** The agent's own exit code; null when it has none or was cut off. */
  readonly agentExitCode: number | null;
  readonly durationSec: number;
  readonly imageDigest: string | null;
  readonly architecture: string | null;
  /** What else a person should know, one sentence each, such as why a script did not start. */
  readonly remarks?: readonly string[];
}

/** What a cheat trial adds (cheats.md, section 2). The outcome is worked out later, against the nop's reward. */
export interface CheatRecord {
  /** Of the catalogue, or `author:<name>` / `variant:<name>`. With several runs of one strategy: `reward-block#2`. */
  readonly strategy: string;
  readonly kind: 'catalogue' | 'cheat' | 'wrong' | 'partial' | 'alternative';
  /** `skipped`: exit 77. `broken`: any other non-zero exit of a catalogue script, or it never ran. */
  readonly ran: 'ran' | 'skipped' | 'broken';
  /** What it says it planted, one a line. */
  readonly planted: readonly string[];
  /** Reward read 2 s after the verifier's end, when a process of the cheat was still alive then. */
  readonly late: RewardReading | null;
  readonly outcome?: CheatOutcome;
}
