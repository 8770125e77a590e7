import type { Files, Sha256 } from '../../core/files';
import type { GateTaskResult } from '../../core/gates/document';
import type { GateSettings } from '../../core/gates/settings';
import type { GateName } from '../../core/gates/verdict';
import type { Task } from '../../core/task/task';
import type { Grammars } from '../../core/text/syntax-tree';
import type { Workspace } from '../../core/workspace';
import type { EngineEvent } from '../../protocol/engine';
import type { SandboxEngine } from '../sandbox';

/** A task to judge, and where its receipts and its author's cheats are. */
export interface GateTarget {
  readonly task: Task;
  /** The folder as a person would write it. */
  readonly path: string;
  readonly workspace: Workspace;
  /** Name of the dataset it was taken from, for the records; null for a task of its own. */
  readonly dataset?: string | null;
}

export interface RunGatesOptions {
  readonly targets: readonly GateTarget[];
  /** Those to report. `cheat` runs the other two as well, as it means nothing without them. */
  readonly gates: readonly GateName[];
  readonly settings: GateSettings;
  /** Ids or labels of the cheats to try; null is the default set and the author's. */
  readonly strategies: readonly string[] | null;
  /** null only where no target loads: nothing is run then. */
  readonly engine: SandboxEngine | null;
  /** Absolute. */
  readonly jobsDir: string;
  readonly jobName: string | null;
  readonly maxConcurrent: number | null;
  /** Absolute folder of the cheats' scripts. */
  readonly cheatsDir: string;
  /** The parsers of shell and Python; asked for only where cheats are tried. */
  readonly grammars: () => Promise<Grammars>;
  readonly files: Files;
  readonly sha256: Sha256;
  readonly now: () => Date;
  /** How an absolute path is written for people: relative to the working directory where that is shorter. */
  readonly showPath: (path: string) => string;
  /** Absolute. */
  readonly workingDir: string;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly emit: (event: EngineEvent) => void;
  readonly streamOutput: boolean;
  /** A sentence that a person should see, and that changes no verdict. */
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

export type RunGatesResult =
  | {
      readonly ok: true;
      readonly tasks: readonly GateTaskResult[];
      /** Absolute; null when nothing had to be run. */
      readonly jobDir: string | null;
    }
  | {
      readonly ok: false;
      readonly reason: 'not-writable' | 'installation';
      readonly message: string;
    };
