/** What the static models tell about a task that a cheat can use (cheats.md, section 3). */
export interface Facts {
  readonly outputs: readonly OutputFact[];
  readonly examples: readonly ExampleFact[];
  /** JSON keys and table columns that the instruction names. */
  readonly keys: readonly string[];
  readonly ports: readonly number[];
  /** Top-level modules that the tests import, standard library included. */
  readonly imports: readonly string[];
  /** Of those, the ones that are neither standard library nor files in `tests/`. */
  readonly thirdPartyImports: readonly string[];
  /** Words of `test.sh` that name commands, in order. */
  readonly verifierCommands: readonly string[];
  /** Absolute paths that `test.sh` and the tests name. */
  readonly verifierPaths: readonly string[];
  /** Strings that look like what a passing program prints (PASS, OK, success) and that the tests look for. */
  readonly successWords: readonly string[];
  readonly verifierUsesPython: boolean;
  readonly verifierUsesPytest: boolean;
  /** Paths that the task's own Dockerfile puts into the image. */
  readonly imagePaths: readonly string[];
  /** Programs of `imagePaths` that the verifier runs and that are no deliverable. */
  readonly graders: readonly string[];
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

/** The lines that `probe.sh` printed in the image. A key may occur several times. */
export type Probe = readonly { readonly key: string; readonly value: string }[];
