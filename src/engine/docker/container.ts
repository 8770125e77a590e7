import type { Readable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import type { Command, ExecOptions, Exit, Sandbox } from '../sandbox';
import { EngineError, TransferError } from '../sandbox';
import { RefusedError, type EngineClient } from './client';
import { runExec } from './exec';
import { whileAlive } from './heartbeat';
import { PROCESS_SCRIPT, readLeft } from './processes';

export interface ContainerState {
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

/** How long an archive may stand still. */
const SILENCE_MS = 120_000;

/** A running container. */
export class DockerSandbox implements Sandbox {
  readonly id: string;
  private gone: Promise<boolean> | null = null;
  private memoryRanOut = false;
  /** Mark of a command → when it started, on the clock of `performance.now()`. */
  private readonly started = new Map<string, number>();

  constructor(
    private readonly client: EngineClient,
    private readonly containerId: string,
    readonly workdir: string,
    /** Milliseconds that the engine's clock is ahead of ours. */
    private readonly clockSkewMs: number,
  ) {
    this.id = containerId.slice(0, 12);
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
        health: () => this.health(startedAt),
      },
      command,
      options,
    );
  }

  private async health(sinceMs: number): Promise<{ running: boolean; outOfMemory: boolean }> {
    const state = await this.inspect();
    if (state === null) return { running: false, outOfMemory: false };
    if (!state.State.OOMKilled) return { running: state.State.Running, outOfMemory: false };
    // The flag stays up for good: after the first time, only the engine's events tell when.
    const outOfMemory = this.memoryRanOut ? await this.memoryEventSince(sinceMs) : true;
    this.memoryRanOut = true;
    return { running: state.State.Running, outOfMemory };
  }

  private async memoryEventSince(sinceMs: number): Promise<boolean> {
    const seconds = (ms: number): string => ((ms + this.clockSkewMs) / 1000).toFixed(3);
    const stream = await this.client.stream({
      method: 'GET',
      path: '/events',
      query: {
        since: seconds(sinceMs),
        until: seconds(Date.now()),
        filters: JSON.stringify({ container: [this.containerId], event: ['oom'] }),
      },
      what: 'list events',
    });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text.trim() !== '';
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

  async endProcesses(mark: string): Promise<void> {
    const left = await this.processes(mark, 'end');
    // Nothing in the container can be asked any more (no shell, no process may be made): only its own end is sure.
    if (left !== 0) await this.kill();
  }

  async hasProcesses(mark: string): Promise<boolean> {
    const left = await this.processes(mark, 'count');
    if (left !== null) return left > 0;
    return (await this.inspect())?.State.Running ?? false;
  }

  private async processes(mark: string, mode: 'end' | 'count'): Promise<number | null> {
    const started = this.started.get(mark);
    for (const shell of SHELLS) {
      const age = started === undefined ? 0 : Math.ceil((performance.now() - started) / 10);
      const argv = [...shell, '-c', PROCESS_SCRIPT, 'taskwright', mark, String(age), mode];
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

export function asEngineError(error: unknown): Error {
  if (error instanceof RefusedError) return new EngineError(`Docker refused: ${error.message}`);
  return error instanceof Error ? error : new Error(String(error));
}
