import type { ShellCommand, ShellScript, ShellWrite } from '../script';
import { Runner } from './runner';
import type { Value } from './state';

/** What whoever asks wants to know about the ways through a script. */
export interface FlowQuestions {
  /** Absolute paths of the files whose content matters at the end. */
  readonly watched: readonly string[];
  /** May this command write such a file in a way that the shell script does not show (a program of its own)? */
  readonly mayWrite: (command: ShellCommand) => boolean;
  /** Is this a command whose result the script is there to find out? */
  readonly grades: (command: ShellCommand) => boolean;
  /** Is it worth keeping apart what happens when this command succeeds and when it fails? */
  readonly decides: (command: ShellCommand) => boolean;
  /** The folder that the script starts in; null when unknown. */
  readonly startFolder: string | null;
}

/** What a path of the script found out on its way. */
export interface Decision {
  /** Whose success or failure was looked at; for `[ "$n" = 3 ]` that test. */
  readonly command: ShellCommand;
  readonly succeeded: boolean;
  /** For a test: the commands that what it compares comes from. */
  readonly about: readonly ShellCommand[];
}

/** The last content that a path gave to a watched file. */
export interface Written {
  readonly value: Value;
  readonly command: ShellCommand | null;
  readonly write: ShellWrite;
  /** Decisions before the write, and graders that had run. */
  readonly decided: number;
  readonly graded: number;
}

export interface ShellPath {
  readonly end: {
    /** `errexit`: the command failed under `set -e`. `end`: nothing left to run. */
    readonly kind: 'exit' | 'errexit' | 'exec' | 'end';
    /** The `exit`, the command that failed, the program that took over; for `end` the last command. */
    readonly command: ShellCommand | null;
    /** Of an `exit` with a constant; null otherwise. */
    readonly code: number | null;
  };
  /** By absolute path. An empty file is in it. */
  readonly written: ReadonlyMap<string, Written>;
  /** True when something that cannot be read may have written, changed or removed a watched file, or ended elsewhere. */
  readonly unsure: boolean;
  readonly decisions: readonly Decision[];
  /** Graders in the order they ran. */
  readonly graded: readonly ShellCommand[];
  /** Watched files that were removed or emptied before the first grader ran. */
  readonly cleared: ReadonlySet<string>;
}

export interface ShellFlow {
  readonly paths: readonly ShellPath[];
  /** False when the script has parts that are not understood, or too many ways through: then nothing follows from `paths`. */
  readonly complete: boolean;
}

/** Follows every way through a script, functions and sourced files included, loops once. */
export function readFlow(script: ShellScript, questions: FlowQuestions): ShellFlow {
  const runner = new Runner(script, questions);
  runner.run();
  return { paths: runner.paths, complete: runner.complete && script.complete && script.errors.length === 0 };
}
