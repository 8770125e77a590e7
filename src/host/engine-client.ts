import { fork, type ChildProcess } from 'node:child_process';
import type { Disposable, LogOutputChannel } from 'vscode';
import type { EngineEvent, EngineRequest } from '../protocol/engine';
import { decodeEngineEvent } from './engine-events';

export interface CliCall {
  /** As on a command line, the command first. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The setting `taskwright.docker.host`, where a person set it. */
  readonly dockerHost?: string | null;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: EngineEvent) => void;
}

/** How a call ended. `cancelled` is reported at once; the program then still clears up behind the scenes. */
export type CliEnd =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'crashed'; readonly message: string };

/** Removing containers is quick; what has not ended by itself after this long is ended. */
const graceMs = 10_000;
const terminateMs = 5_000;
/** Kept of each stream: enough for any report a person reads. */
const keepChars = 4_000_000;

/** Runs our own command line as a child process, so that editor and terminal cannot disagree. */
export class EngineClient implements Disposable {
  private readonly children = new Set<ChildProcess>();

  constructor(
    private readonly cliPath: string,
    private readonly log: LogOutputChannel,
  ) {}

  run(call: CliCall): Promise<CliEnd> {
    if (call.signal.aborted) return Promise.resolve({ kind: 'cancelled' });
    this.log.debug(`[engine] taskwright ${call.args.join(' ')}`);
    const child = fork(this.cliPath, [...call.args], {
      cwd: call.cwd,
      env: childEnvironment(call.dockerHost ?? null),
      execArgv: [],
      silent: true,
      serialization: 'json',
    });
    this.children.add(child);
    return new Promise((resolve) => {
      let live = true;
      const end = (how: CliEnd): void => {
        live = false;
        call.signal.removeEventListener('abort', onAbort);
        resolve(how);
      };
      const onAbort = (): void => {
        this.stop(child);
        end({ kind: 'cancelled' });
      };
      call.signal.addEventListener('abort', onAbort);

      const stdout = keepText(child.stdout);
      const stderr = keepText(child.stderr, (line) => {
        this.log.debug(`[engine] ${line}`);
      });
      child.on('message', (message) => {
        if (!live) return;
        const event = decodeEngineEvent(message);
        if (event === null) this.log.warn('[engine] sent a message that this version does not understand');
        else call.onEvent?.(event);
      });
      child.on('error', (error) => {
        this.children.delete(child);
        if (live) end({ kind: 'crashed', message: error.message });
      });
      // `close` comes after both streams have ended, and after the channel was read to its end.
      child.on('close', (code, signal) => {
        this.children.delete(child);
        this.log.debug(`[engine] ended with ${signal ?? String(code)}`);
        if (!live) return;
        if (code === null) end({ kind: 'crashed', message: `it was ended by ${signal ?? 'a signal'}` });
        else end({ kind: 'exited', code, stdout: stdout(), stderr: stderr() });
      });
    });
  }

  /** Asks every child to stop and returns: a child clears up by itself when its parent is gone. */
  dispose(): void {
    for (const child of this.children) this.stop(child);
  }

  /** The rungs: ask, then terminate, then kill. */
  private stop(child: ChildProcess): void {
    const request: EngineRequest = { type: 'cancel' };
    if (child.connected) child.send(request, () => undefined);
    const terminate = setTimeout(() => {
      this.log.warn('[engine] did not stop when asked; ending it');
      child.kill('SIGTERM');
    }, graceMs);
    const kill = setTimeout(() => {
      this.log.warn('[engine] did not end when told to; killing it');
      child.kill('SIGKILL');
    }, graceMs + terminateMs);
    child.once('close', () => {
      clearTimeout(terminate);
      clearTimeout(kill);
    });
  }
}

/** The window's environment without what is meant for the editor's own processes. */
function childEnvironment(dockerHost: string | null): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (name === 'NODE_OPTIONS' || name.startsWith('VSCODE_') || name.startsWith('ELECTRON_')) continue;
    environment[name] = value;
  }
  // In the desktop editor the program we are running in is Electron: this makes it a plain Node.
  if (process.versions.electron !== undefined) environment.ELECTRON_RUN_AS_NODE = '1';
  if (dockerHost !== null) environment.TASKWRIGHT_DOCKER_HOST = dockerHost;
  return environment;
}

/** Collects a stream's text up to a bound; whole lines go to `onLine` as they come. */
function keepText(stream: NodeJS.ReadableStream | null, onLine?: (line: string) => void): () => string {
  let text = '';
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    if (text.length < keepChars) text += chunk.slice(0, keepChars - text.length);
    if (onLine === undefined) return;
    const lines = (rest + chunk).split(/\r?\n/);
    rest = (lines.pop() ?? '').slice(-keepChars);
    for (const line of lines) if (line.trim() !== '') onLine(line);
  });
  return () => text;
}
