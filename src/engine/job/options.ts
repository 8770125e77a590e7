import type { Task } from '../../core/task/task';
import type { TrialRecord } from '../../core/results/record';
import type { EngineEvent } from '../../protocol/engine';
import type { ImageResult, SandboxEngine } from '../sandbox';
import type { AgentSpec, TrialSpec } from '../trial/spec';

/** Time as it comes in from outside, so that tests can fix it. */
export interface Clock {
  /** The wall clock, for records. */
  now(): Date;
  /** Seconds since any fixed moment, never going back, for durations. */
  seconds(): number;
  /** Minutes that local time is ahead of UTC at a moment. Job folders carry local time (harbor-results.md, section 1). */
  offsetMinutes(at: Date): number;
}

export interface Random {
  /** A version-4 UUID, lower case. */
  uuid(): string;
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
}

/** What is known of a job before its first trial. */
export interface JobPlan {
  /** What acts; agents that appear later (cheats chosen after the probe) are added as they run. */
  readonly agents: readonly AgentSpec[];
  /** Absolute task folders. */
  readonly tasks: readonly string[];
  readonly attempts: number;
  /** null when it only shows during the run; the record then counts up. */
  readonly totalTrials: number | null;
}

export interface JobOptions {
  readonly engine: SandboxEngine;
  /** Absolute. Made when it is missing. */
  readonly jobsDir: string;
  /** null: the local time, `YYYY-MM-DD__HH-MM-SS`. A name that is taken gets a suffix, except when resuming. */
  readonly jobName: string | null;
  /** Continue the job of that name: finished trials are kept and answered from their files. */
  readonly resume: boolean;
  readonly plan: JobPlan;
  /** Trials side by side; null: as many as fit the engine's machine, at most 4. */
  readonly maxConcurrent: number | null;
  /** The setting; null: the key `reward`, else the only key there is. Only used for what events say. */
  readonly rewardKey: string | null;
  readonly emit: (event: EngineEvent) => void;
  /** Whether `output` events are wanted while agent and verifier run. Costs one read of the log file a second. */
  readonly streamOutput: boolean;
  /** Ends every trial of the job. */
  readonly signal: AbortSignal;
  /** The host's variables, for `${VAR}` templates. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Paths below it are written relative to it, as Harbor writes them. Absolute. */
  readonly workingDir: string;
  /** Version of this program, for records. */
  readonly version: string;
  readonly clock?: Clock;
  readonly random?: Random;
}

export type JobOpening =
  | { readonly ok: true; readonly job: RunningJob }
  | {
      readonly ok: false;
      /** `not-writable`: the jobs folder, or such a name. `conflict`: there is no job to resume. */
      readonly reason: 'not-writable' | 'conflict';
      readonly message: string;
    };

/**
 * A set of trials with one folder. Whoever opens it closes it, after the last `run` has settled; closing releases the
 * images and writes the final record.
 */
export interface RunningJob {
  readonly name: string;
  /** Absolute. */
  readonly dir: string;
  readonly id: string;
  /**
   * One trial, as soon as there is room for it; `signal` ends just this one. Whatever goes wrong is in the record: this
   * rejects only for a bug. May be called many times at once. A trial that is cancelled before there was room leaves no
   * folder (`dir` null) and no event but its queueing.
   */
  run(spec: TrialSpec, signal?: AbortSignal): Promise<TrialRecord>;
  /** The task's image, built or pulled once for the whole job and held until `releaseTask` or `close`. */
  image(task: Task, signal?: AbortSignal): Promise<ImageResult>;
  /** Says that no more trials of this task will come, so that its image may go. */
  releaseTask(taskDir: string): Promise<void>;
  close(): Promise<void>;
}
