import type { FileAction } from '../text/python/file-uses';
import type { PythonModule } from '../text/python/module';
import type { ShellScript } from '../text/shell/script';
import type { TaskStep } from './steps';

/** A file of `tests/` that the verifier runs, collects, imports or opens. */
export interface ReachedFile {
  /** Relative to the task folder. */
  readonly file: string;
  /** Where it lies when it is used: below `/tests`, or where the script copied it. */
  readonly at: string;
  /**
   * `start`: the test script. `script`: run by a shell script; `source`: read in by one. `pytest`: collected. `program`: run by an
   * interpreter. `import`: imported by one of these. `read`: opened, copied or named; what it is for is not known.
   */
  readonly via: 'start' | 'script' | 'source' | 'pytest' | 'program' | 'import' | 'read';
  /** The folder that its relative paths start from; null when unknown. */
  readonly folder: string | null;
  readonly shell: ShellScript | null;
  readonly python: PythonModule | null;
}

/**
 * `own`: brought by the verifier, or its logs. `scratch`: written by the verifier before. `system`: of the operating
 * system. `input`: a file of the agent's image. `output`: the agent has to make it, or to change it. `unknown`: any.
 */
export type PathRole = 'own' | 'scratch' | 'system' | 'input' | 'output' | 'unknown';

/** A use of a path by the verifier. */
export interface PathUse {
  /** Where it stands, relative to the task folder. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  /** Absolute and normalised. */
  readonly path: string;
  /** `run`: started as a program. `argument`: given to a program. */
  readonly action: FileAction | 'run' | 'argument';
  /** Below `path`; null without. */
  readonly pattern: string | null;
  /** Its absence is provided for. */
  readonly guarded: boolean;
  readonly role: PathRole;
  /** The test function that it stands in, or that its helper serves; null for a script and for the module's own level. */
  readonly test: string | null;
}

/** A place that the verifier talks to. */
export interface Contact {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  /** null when it is not constant. */
  readonly host: string | null;
  readonly port: number | null;
  /** The path of the URL, without its query; null when it is not constant or there is none. */
  readonly route: string | null;
}

/** What the verifier of one step uses and asks for (task-rules.md, section 4.7). */
export interface Expectations {
  readonly step: TaskStep;
  /** The folder in which the test script starts; null when unknown. */
  readonly startFolder: string | null;
  /** In the order in which they are reached; each file once. */
  readonly files: readonly ReachedFile[];
  readonly uses: readonly PathUse[];
  readonly contacts: readonly Contact[];
  /**
   * False when something runs that reading does not follow: a command that is not constant, a program of another
   * language, a file that does not parse. Who reasons about what is not there keeps silent then.
   */
  readonly complete: boolean;
}
