import type { OperatingSystem, TaskConfig } from './config';

/** What Harbor does with a folder (harbor-task.md, section 1). */
export interface HarborVerdict {
  /** `loads`: run as a task. `refused`: an error is raised. `dropped`: left out of a dataset run without a message. */
  readonly outcome: 'loads' | 'refused' | 'dropped';
  /** One sentence for people; null when it loads. */
  readonly reason: string | null;
}

/** Where the parts of a task or of one step are. Paths are relative to the task folder, with `/`; null is "not there". */
export interface ScriptPair {
  readonly instruction: string | null;
  readonly testScript: string | null;
  readonly testsDir: string | null;
  readonly solutionDir: string | null;
  readonly solveScript: string | null;
}

export interface StepLayout extends ScriptPair {
  readonly name: string;
  readonly dir: string;
}

export interface TaskLayout extends ScriptPair {
  readonly os: OperatingSystem;
  readonly environmentDir: string | null;
  readonly dockerfile: string | null;
  readonly composeFile: string | null;
  /** Empty for a single-step task. */
  readonly steps: readonly StepLayout[];
}

/** An immutable snapshot of a task folder. */
export interface Task {
  /** Absolute path. */
  readonly dir: string;
  readonly dirName: string;
  /** `[task].name`, else the folder's name. */
  readonly name: string;
  /** null when there is no task.toml or it cannot be read as text. */
  readonly configText: string | null;
  /** null when Harbor would refuse the text. */
  readonly config: TaskConfig | null;
  readonly layout: TaskLayout;
  /** Loader test A: a folder given to `run -p`, or a child of a dataset. */
  readonly harbor: HarborVerdict;
}
