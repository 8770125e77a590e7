/** What the static models tell about a task that a cheat can use (cheats.md, section 3). */
export interface Facts {
  readonly outputs: readonly OutputFact[];
  /** Absolute paths that the instruction names and that are no outputs. */
  readonly inputs: readonly string[];
  readonly examples: readonly ExampleFact[];
  /** JSON keys and table columns that the instruction names. */
  readonly keys: readonly string[];
  readonly ports: readonly number[];
  /** Top-level modules that the tests import, standard library included. */
  readonly imports: readonly string[];
  /** Of those, the ones that are neither standard library nor files in `tests/`, nor files of the task in its image. */
  readonly thirdPartyImports: readonly string[];
  /** Words of `test.sh` that name commands, in order. */
  readonly verifierCommands: readonly string[];
  /** Absolute paths that `test.sh` and the tests name. */
  readonly verifierPaths: readonly string[];
  /** Strings that look like what a passing program prints (PASS, OK, success) and that the tests look for. */
  readonly successWords: readonly string[];
  /** False only where nothing in `tests/` speaks of Python. */
  readonly verifierUsesPython: boolean;
  /** False only where nothing in `tests/` speaks of pytest. */
  readonly verifierUsesPytest: boolean;
  /** Paths that the task's own Dockerfile puts into the image. A folder of unknown content ends with `/`. */
  readonly imagePaths: readonly string[];
  /** Programs of `imagePaths` that the verifier runs and that are no deliverable. */
  readonly graders: readonly string[];
  /** Working directory of the trial as the static model knows it. */
  readonly workdir: string | null;
  /** Where the verifier starts a test runner or an interpreter. */
  readonly runners: readonly RunnerFact[];
  /** Where `test.sh` and the tests name an absolute path. */
  readonly pathUses: readonly PathUse[];
}

export type OutputKind = 'json' | 'csv' | 'text' | 'script' | 'module' | 'binary' | 'folder' | 'service' | 'unknown';

export interface OutputFact {
  readonly path: string;
  readonly kind: OutputKind;
  /** Line of the instruction, from 0. */
  readonly line: number;
}

export interface ExampleFact {
  readonly text: string;
  /** The output it illustrates, when that is clear. */
  readonly output: string | null;
  readonly line: number;
}

/** A line of a file of the task; `file` is relative to the task folder, `line` counts from 0. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

export interface PathUse extends Place {
  readonly path: string;
}

export interface RunnerFact extends Place {
  readonly runner: 'pytest' | 'python';
  /** The command's words. */
  readonly words: readonly string[];
}

/** The lines that `probe.sh` printed in the image. A key may occur several times. */
export type Probe = readonly { readonly key: string; readonly value: string }[];
