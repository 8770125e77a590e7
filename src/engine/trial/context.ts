import type { AgentUsage } from '../../core/results/harbor/agent';
import type { NotProvenReason } from '../../core/gates/verdict';
import type { Task } from '../../core/task/task';
import type { EngineEvent, Phase } from '../../protocol/engine';
import type { Clock, Random } from '../job/options';
import type { ImageResult, SandboxEngine } from '../sandbox';
import type { LogFile } from './disk';

/** What a trial needs of the job that it belongs to. */
export interface TrialContext {
  readonly engine: SandboxEngine;
  readonly jobId: string;
  readonly jobName: string;
  readonly jobDir: string;
  readonly jobLog: LogFile;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly rewardKey: string | null;
  readonly streamOutput: boolean;
  readonly emit: (event: EngineEvent) => void;
  /** A path as records show it. */
  readonly shown: (path: string) => string;
  /** The task's image, shared with the other trials of the job. */
  readonly image: (task: Task, signal: AbortSignal) => Promise<ImageResult>;
}

/** harbor-task.md, section 17. */
export interface TaskHashes {
  readonly checksum: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

/** Why a trial ends before its end, by Harbor's name, with what it means for a gate. */
export interface Trouble {
  readonly type: string;
  readonly message: string;
  /** null: a reward may still decide. */
  readonly undecided: NotProvenReason | null;
}

/** What a phase needs of its trial. */
export interface TrialScope {
  readonly context: TrialContext;
  readonly task: Task;
  readonly name: string;
  /** Absolute. */
  readonly dir: string;
  readonly signal: AbortSignal;
  /** A line for `trial.log` and `job.log`. */
  readonly log: (line: string) => void;
  /** Something that a person should know; it ends up in the record. */
  readonly remark: (text: string) => void;
  readonly output: (phase: Phase, text: string) => void;
}

/** What the agent's phase leaves. */
export interface AgentEnd {
  readonly exitCode: number | null;
  readonly ended: 'exited' | 'limit' | 'idle' | 'cancelled' | 'container-gone' | null;
  readonly outOfMemory: boolean;
  readonly trouble: Trouble | null;
  /** False where Harbor does not verify either. */
  readonly verify: boolean;
  /** Finds processes that the agent left running; null when it ran none. */
  readonly mark: string | null;
  readonly cheatRan: 'ran' | 'skipped' | 'broken' | null;
}

/** What the agent says of itself in the files it leaves. */
export interface AgentReport {
  readonly usage: AgentUsage;
  readonly usageFrom: string | null;
  readonly version: string | null;
  readonly model: { readonly name: string; readonly provider: string | null } | null;
  readonly remarks: readonly string[];
}

/** A limit in seconds as the engine takes it: none for what is not finite, at once for zero and less. */
export function limitOf(seconds: number | null): number | null {
  if (seconds === null || Number.isNaN(seconds) || seconds === Infinity) return null;
  return Math.max(0, seconds);
}
