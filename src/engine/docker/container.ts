import type { Readable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import type { Command, ExecOptions, Exit, Sandbox } from '../sandbox';
import { EngineError, TransferError } from '../sandbox';
import { RefusedError, type EngineClient } from './client';
import { runExec } from './exec';
import { whileAlive } from './heartbeat';
import { MemoryWatch } from './memory';
import { PROCESS_SCRIPT, readLeft, UNKNOWN_START } from './processes';

export interface ContainerState {
  readonly Config?: { readonly Entrypoint?: readonly string[] | null };
  readonly State: {
    readonly Running: boolean;
    readonly OOMKilled: boolean;
    readonly ExitCode: number;
    readonly Error?: string;
    readonly Health?: { readonly Status: string; readonly Log?: readonly { Output?: string }[] };
  };
}

/** Where a shell may be found, in the order tried. Every image has the first one or its keep-alive would not run. */
const SHELLS: readonly (readonly string[])[] = [['/bin/sh'], ['sh'], ['/bin/bash'], ['/bin/busybox', 'sh']];

/** The keep-alive command as a list of processes shows it, before or after the shell became the sleep. */
const KEEP_ALIVE = /^(?:sh -c )?sleep infinity$/;

/** How long an archive may stand still. */
const SILENCE_MS = 120_000;

/** A running container. */
export class DockerSandbox implements Sandbox {
  readonly id: string;
  private gone: Promise<boolean> | null = null;
  private readonly memory: MemoryWatch;
  /** Mark of a command → when it started, on the clock of `performance.now()`. */
  private readonly started = new Map<string, number>();

  constructor(
    private readonly client: EngineClient,
    private readonly containerId: string,
    readonly workdir: string,
    /** Milliseconds that the engine's clock is ahead of ours. */
    clockSkewMs: number,
    /** When it was started, on the clock of `performance.now()`. */
    private readonly runsSince: number,
    hasMemoryLimit: boolean,
  ) {
    this.id = containerId.slice(0, 12);
    this.memory = new MemoryWatch(client, containerId, clockSkewMs, hasMemoryLimit, async (script) => {
      const exit = await this.helper(['/bin/sh', '-c', script]);
      return exit.code === 0 ? exit.stdout.text : null;
    });
  }

  async exec(command: Command, options: ExecOptions): Promise<Exit> {
    const mark = randomBytes(16).toString('hex');
    const startedAt = Date.now();
    return runExec(
      {
        client: this.client,
        containerId: this.containerId,
        workdir: this.workdir,
        mark,
        onStart: () => this.started.set(mark, performance.now()),
        endProcesses: () => this.endProcesses(mark),
        health: (suspicious) => this.health(startedAt, suspicious),
      },
      command,
      options,
    );
  }

  private async health(sinceMs: number, suspicious: boolean): Promise<{ running: boolean; outOfMemory: boolean }> {
    const state = await this.inspect();
    if (state === null) return { running: false, outOfMemory: false };
    const { Running: running, OOMKilled: flag } = state.State;
    return { running, outOfMemory: await this.memory.ranOut(flag, running, sinceMs, suspicious) };
  }

  /** null when there is no such container any more. */
  private async inspect(): Promise<ContainerState | null> {
    try {
      return await this.client.json<ContainerState>({
        method: 'GET',
        path: `/containers/${this.containerId}/json`,
        what: 'describe a container',
      });
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return null;
      throw asEngineError(error);
    }
  }

  async put(tar: Readable, dest: string): Promise<void> {
    try {
      await whileAlive(this.client, new AbortController().signal, (signal) =>
        this.client.json({
          method: 'PUT',
          path: `/containers/${this.containerId}/archive`,
          query: { path: dest },
          tar,
          what: 'take files in',
          signal,
          limitMs: null,
        }),
      );
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw new TransferError(`Files cannot be copied to "${dest}" in the container: ${error.message}`);
    }
  }

  async get(path: string): Promise<Readable | null> {
    try {
      const stream = await this.client.stream({
        method: 'GET',
        path: `/containers/${this.containerId}/archive`,
        query: { path },
        what: 'give files out',
      });
      stream.setTimeout(SILENCE_MS, () => {
        stream.destroy(
          new EngineError(`Docker (${this.client.endpoint.url}) stopped in the middle of giving files out.`),
        );
      });
      return stream;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.status === 404) return null;
      throw new TransferError(`"${path}" cannot be copied out of the container: ${error.message}`);
    }
  }

  async has(path: string): Promise<boolean> {
    try {
      const answer = await this.client.stream({
        method: 'HEAD',
        path: `/containers/${this.containerId}/archive`,
        query: { path },
        what: 'look for a file',
      });
      answer.destroy();
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.status === 404) return false;
      throw new TransferError(`"${path}" cannot be looked at in the container: ${error.message}`);
    }
  }

  async endProcesses(mark: string): Promise<void> {
    const left = await this.processes(mark, 'end');
    // Nothing in the container can be asked any more (no shell, no process may be made): only its own end is sure.
    if (left !== 0) await this.kill();
  }

  async hasProcesses(mark: string): Promise<boolean> {
    if (!(await this.hasOthers())) return false;
    const left = await this.processes(mark, 'count');
    if (left !== null) return left > 0;
    return (await this.inspect())?.State.Running ?? false;
  }

  /**
   * Whether anything runs beside the keep-alive command, as the engine's own list says. It costs a fifth of looking at
   * each process from inside, and mostly settles the question. True where the engine cannot say.
   */
  private async hasOthers(): Promise<boolean> {
    try {
      const list = await this.client.json<{ readonly Processes: readonly (readonly string[])[] | null }>({
        method: 'GET',
        path: `/containers/${this.containerId}/top`,
        query: { ps_args: '-eo pid,args' },
        what: 'list the processes of a container',
      });
      const commands = (list.Processes ?? []).map((row) => row.slice(1).join(' '));
      return commands.length === 0 || commands.some((command) => !KEEP_ALIVE.test(command));
    } catch (error) {
      if (error instanceof RefusedError) return true;
      throw error;
    }
  }

  private async processes(mark: string, mode: 'end' | 'count'): Promise<number | null> {
    const started = this.started.get(mark);
    // Rounded down, and counted from when the engine said that the container runs: never later than it was.
    const after = started === undefined ? UNKNOWN_START : Math.max(0, Math.floor((started - this.runsSince) / 10) - 2);
    for (const shell of SHELLS) {
      const argv = [...shell, '-c', PROCESS_SCRIPT, 'taskwright', mark, String(after), mode];
      const exit = await this.helper(argv);
      if (exit.ended === 'container-gone') return 0;
      const left = readLeft(exit.stdout.text);
      if (left !== null) return left;
      if (exit.ended !== 'exited') return null;
    }
    return null;
  }

  /** A command of our own, as root, with a short limit whose end is not followed up. */
  private async helper(argv: readonly string[]): Promise<Exit> {
    return runExec(
      {
        client: this.client,
        containerId: this.containerId,
        workdir: '/',
        mark: 'helper',
        onStart: () => undefined,
        endProcesses: async () => undefined,
        health: async () => ({ running: (await this.inspect())?.State.Running ?? false, outOfMemory: false }),
      },
      { argv, user: 0, cwd: '/', env: { LD_PRELOAD: '', BASH_ENV: '', ENV: '' } },
      { limitSec: 20, idleLimitSec: null, signal: new AbortController().signal, keepBytes: 4096 },
    );
  }

  private async kill(): Promise<void> {
    try {
      await this.client.json({
        method: 'POST',
        path: `/containers/${this.containerId}/kill`,
        what: 'kill a container',
      });
    } catch (error) {
      // 409: it does not run; 404: it is not there.
      if (!(error instanceof RefusedError)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.gone ??= removeContainer(this.client, this.containerId);
    await this.gone;
  }
}

/** Kills and removes a container with its volumes. Returns whether it is gone; never rejects. */
export async function removeContainer(client: EngineClient, id: string): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await client.json({
        method: 'DELETE',
        path: `/containers/${id}`,
        query: { force: 'true', v: 'true' },
        what: 'remove a container',
        limitMs: 30_000,
      });
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError)) return false;
      if (error.status === 404) return true;
      // 409: its removal is already under way. Anything else may be a busy file system: both are asked again.
      await new Promise((resolve) => setTimeout(resolve, 200 * (attempt + 1)));
    }
  }
  return false;
}

function asEngineError(error: unknown): Error {
  if (error instanceof RefusedError) return new EngineError(`Docker refused: ${error.message}`);
  return error instanceof Error ? error : new Error(String(error));
}
