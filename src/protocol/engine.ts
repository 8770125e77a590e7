import type { GateResult, GateName } from '../core/gates/verdict';

/** Phases of a trial, in order (harbor-run.md, section 3). */
export type Phase = 'queued' | 'image' | 'start' | 'agent' | 'verifier' | 'finish';

/** What a trial ended as: with a reward, with an error and no reward, or stopped by the person. */
export type TrialOutcome = 'scored' | 'unscored' | 'cancelled';

/**
 * What the engine process tells its parent over the fork's message channel. `task` is the absolute path of the task's
 * folder, `trial` the trial's name, which is unique within a run.
 */
export type EngineEvent =
  | { readonly type: 'engine-connected'; readonly endpoint: string; readonly source: string; readonly version: string }
  | { readonly type: 'job-started'; readonly dir: string }
  | {
      readonly type: 'trial-started';
      readonly trial: string;
      readonly task: string;
      readonly agent: string;
      readonly strategy: string | null;
      readonly attempt: number;
      readonly dir: string;
    }
  | {
      readonly type: 'phase';
      readonly task: string;
      /** null for what a whole task shares: its image. */
      readonly trial: string | null;
      readonly phase: Phase;
      /** Such as `3/7 RUN make`. */
      readonly detail: string | null;
    }
  | {
      readonly type: 'output';
      readonly task: string;
      readonly trial: string | null;
      readonly phase: Phase;
      readonly text: string;
    }
  | {
      readonly type: 'trial-finished';
      readonly trial: string;
      readonly task: string;
      readonly agent: string;
      readonly strategy: string | null;
      readonly outcome: TrialOutcome;
      readonly reward: number | string | null;
      readonly exception: string | null;
      readonly dir: string;
      readonly durationSec: number;
    }
  | { readonly type: 'gate-started'; readonly task: string; readonly gate: GateName }
  | { readonly type: 'gate-finished'; readonly task: string; readonly gate: GateName; readonly result: GateResult }
  | {
      readonly type: 'task-finished';
      readonly task: string;
      /** Absolute path of the receipt, if one was kept. */ readonly receipt: string | null;
    }
  | { readonly type: 'engine-failed'; readonly reason: string; readonly message: string };

/** What the parent may send. Going away means the same as `cancel`. */
export interface EngineRequest {
  readonly type: 'cancel';
}
