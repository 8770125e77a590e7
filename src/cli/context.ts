import type { Command } from 'commander';
import type { Files, Sha256 } from '../core/files';
import type { Grammars } from '../core/text/syntax-tree';
import type { EngineEvent } from '../protocol/engine';

/** Exit codes of every command (0 all well, 1 findings or a gate not passed, 2 could not run, 130 cancelled). */
export type ExitCode = 0 | 1 | 2 | 130;

/** Where text goes. Writing never throws: a reader that went away (EPIPE) is dealt with by `main.ts`. */
export interface TextSink {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Width of a terminal, else 80. */
  readonly columns: number;
  /** True when this stream may be coloured: a terminal, and no NO_COLOR. */
  readonly color: boolean;
}

/** The world as a command sees it. Commands touch no `process` themselves, so that a test can call them. */
export interface CliContext {
  /** Results only. */
  readonly stdout: TextSink;
  /** Progress, logs, warnings, errors. */
  readonly stderr: TextSink;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
  readonly sha256: Sha256;
  /** Aborted by Ctrl-C, SIGTERM, SIGHUP, and by a parent that says `cancel` or goes away. */
  readonly signal: AbortSignal;
  /** Absolute folder of the files shipped beside the bundle (`media/` of the package). */
  readonly resourceDir: string;
  /** The parsers of shell and Python, loaded once. Rejects when their files are missing. */
  readonly grammars: () => Promise<Grammars>;
  /** Absolute path of the bundle that checks tasks in worker threads; null: everything is done in this thread. */
  readonly workerFile: string | null;
  /** Cores that work may be spread over, from 1. */
  readonly cores: number;
  /** This program's version, as in package.json. */
  readonly version: string;
  /** True when another program (the editor) started this one and listens to its events. */
  readonly hasParent?: boolean;
  /** Tells a parent process (the editor) how a run goes; does nothing when there is none. */
  emit(event: EngineEvent): void;
  now(): Date;
  /** Cryptographically random bytes, for names and ids. */
  randomBytes(count: number): Uint8Array;
  /**
   * Sets the exit code of the command; called once, at its end. A command that never calls it ends with 2. For
   * trouble with what was asked, write one sentence with `complain` and finish with 2.
   */
  finish(code: ExitCode): void;
  /** Writes `error: <message>` to standard error, one line unless the message has more. */
  complain(message: string): void;
}

/** Each command's module exports one of these: `registerGate`, `registerCheck`, … */
export type Register = (program: Command, context: CliContext) => void;
