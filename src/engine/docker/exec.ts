import { StringDecoder } from 'node:string_decoder';
import type { Duplex } from 'node:stream';
import type { Command, ExecOptions, Exit } from '../sandbox';
import { EngineError } from '../sandbox';
import { RefusedError, type EngineClient } from './client';
import { Capture, Spill } from './exec-capture';
import { FrameDecoder, type OutputStream } from './exec-frames';
import { MARK_VARIABLE } from './processes';

export interface ExecTarget {
  readonly client: EngineClient;
  readonly containerId: string;
  readonly workdir: string;
  readonly mark: string;
  /** Called just before the command starts. */
  readonly onStart: () => void;
  /** Ends what the command left, after a limit or a cancel. */
  readonly endProcesses: () => Promise<void>;
  /** Whether the container runs, and whether memory ran out since the command started. */
  readonly health: () => Promise<{ running: boolean; outOfMemory: boolean }>;
}

const KEEP_BYTES = 1024 * 1024;
const SPILL_BYTES = 256 * 1024 * 1024;
/** How long output may still come after the command itself ended, when something else holds its streams open. */
const GRACE_MS = 400;
/** How long the streams have to close after everything that could write to them was killed. */
const CLOSE_MS = 2000;

type Ended = 'exited' | 'limit' | 'idle' | 'cancelled';

interface ExecState {
  Running: boolean;
  ExitCode: number | null;
}

/** Runs one command by the exec interface. See `Sandbox.exec`. */
export async function runExec(target: ExecTarget, command: Command, options: ExecOptions): Promise<Exit> {
  const output = new Output(options);
  const began = performance.now();
  const finish = async (ended: Exit['ended'], code: number | null, outOfMemory: boolean): Promise<Exit> => {
    const spillFailure = await output.close();
    const notStarted = ended === 'exited' ? startFailure(code, output) : null;
    return {
      code,
      ended,
      outOfMemory,
      stdout: output.captured('stdout'),
      stderr: output.captured('stderr'),
      durationSec: (performance.now() - began) / 1000,
      mark: target.mark,
      ...(notStarted === null ? {} : { notStarted }),
      ...(spillFailure === null ? {} : { spillFailure }),
    };
  };
  if (options.signal.aborted) return finish('cancelled', null, false);
  const { client } = target;
  let id: string;
  let stream: Duplex;
  const watch = new Watch(options);
  try {
    id = await createExec(target, command);
    target.onStart();
    stream = await client.hijack({
      method: 'POST',
      path: `/exec/${id}/start`,
      body: { Detach: false, Tty: false },
      what: 'run a command',
      limitMs: 120_000,
    });
  } catch (error) {
    watch.stop();
    if (!(error instanceof RefusedError)) throw error;
    const health = await target.health();
    if (!health.running) return finish('container-gone', null, health.outOfMemory);
    // The command could not be started: no such program, user or folder. Shells say so by 126 and 127.
    output.note(error.message);
    return finish('exited', /not found|no such file/i.test(error.message) ? 127 : 126, false);
  }

  // A poll tells when the command itself has ended although something holds its streams open, and that the engine lives.
  const poll = pollExec(client, id);
  const drained = output.drain(stream, () => {
    watch.touch();
  });
  drained.catch(() => undefined);
  poll.ended.catch(() => undefined);
  try {
    const ended: Ended = await Promise.race([
      drained.then((): Ended => 'exited'),
      poll.ended.then((): Ended => 'exited'),
      watch.ended,
    ]);
    if (ended === 'exited') {
      const state = await poll.ended;
      await withinOrDrop(drained, GRACE_MS, stream);
      const health = await target.health();
      if (!health.running) return await finish('container-gone', null, health.outOfMemory);
      return await finish('exited', state.ExitCode, health.outOfMemory);
    }
    await target.endProcesses();
    await withinOrDrop(drained, CLOSE_MS, stream);
    const health = await target.health();
    return await finish(ended, null, health.outOfMemory);
  } catch (error) {
    await output.close();
    if (error instanceof RefusedError) {
      const health = await target.health();
      if (!health.running) return await finish('container-gone', null, health.outOfMemory);
      throw new EngineError(`Docker (${client.endpoint.url}) lost a command that was running: ${error.message}`);
    }
    throw error;
  } finally {
    watch.stop();
    poll.stop();
    stream.destroy();
  }
}

/**
 * The engine reports by the command's own output that it could not start it, with the exit codes that shells use. Its
 * wording is what tells it from a command that itself ended with such a code.
 */
function startFailure(code: number | null, output: Output): string | null {
  if (code !== 126 && code !== 127) return null;
  const said = output.captured('stdout').text.trim() || output.captured('stderr').text.trim();
  return /^(?:OCI runtime exec failed|unable to find (?:user|group)|unable to start container process|crun: )/i.test(
    said,
  )
    ? said
    : null;
}

async function createExec(target: ExecTarget, command: Command): Promise<string> {
  const { client, containerId } = target;
  const created = await client.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${containerId}/exec`,
    what: 'prepare a command',
    body: {
      AttachStdin: false,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
      Cmd: command.argv,
      Env: [
        ...Object.entries(command.env).map(([name, value]) => `${name}=${value}`),
        `${MARK_VARIABLE}=${target.mark}`,
      ],
      WorkingDir: command.cwd ?? target.workdir,
      ...(command.user === null ? {} : { User: String(command.user) }),
    },
  });
  return created.Id;
}

async function withinOrDrop(drained: Promise<void>, limitMs: number, stream: Duplex): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([drained.catch(() => undefined), late]);
  clearTimeout(timer);
  stream.destroy();
}

/** Asks for the state of a command until it has ended, ever more slowly. */
function pollExec(client: EngineClient, id: string): { ended: Promise<ExecState>; stop: () => void } {
  let stopped = false;
  let wake: (() => void) | undefined;
  const run = async (): Promise<ExecState> => {
    for (let waitMs = 20; ; waitMs = Math.min(1000, waitMs * 1.5)) {
      const state = await client.json<ExecState>({
        method: 'GET',
        path: `/exec/${id}/json`,
        what: 'tell how a command stands',
        limitMs: 30_000,
      });
      if (!state.Running || stopped) return state;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  return {
    ended: run(),
    stop: () => {
      stopped = true;
      wake?.();
    },
  };
}

/** Total limit, idle limit and cancel, whichever comes first. */
class Watch {
  readonly ended: Promise<Ended>;
  private settle: (ended: Ended) => void = () => undefined;
  private readonly total: NodeJS.Timeout | undefined;
  private readonly idle: NodeJS.Timeout | undefined;
  private readonly onAbort = (): void => {
    this.settle('cancelled');
  };

  constructor(private readonly options: ExecOptions) {
    this.ended = new Promise((resolve) => {
      this.settle = resolve;
    });
    if (options.limitSec !== null)
      this.total = after(options.limitSec, () => {
        this.settle('limit');
      });
    if (options.idleLimitSec !== null)
      this.idle = after(options.idleLimitSec, () => {
        this.settle('idle');
      });
    options.signal.addEventListener('abort', this.onAbort, { once: true });
    if (options.signal.aborted) this.onAbort();
  }

  touch(): void {
    this.idle?.refresh();
  }

  stop(): void {
    clearTimeout(this.total);
    clearTimeout(this.idle);
    this.options.signal.removeEventListener('abort', this.onAbort);
  }
}

/** A timer takes at most 2^31 ms; a longer limit is none in practice. */
function after(seconds: number, act: () => void): NodeJS.Timeout {
  return setTimeout(act, Math.min(Math.max(0, seconds) * 1000, 2 ** 31 - 1));
}

/** Both streams of a command: what is kept, what goes to a file, and the text that is handed on as it comes. */
class Output {
  private readonly frames = new FrameDecoder();
  private readonly captures: Record<OutputStream, Capture>;
  private readonly decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  private readonly spill: Spill | null;
  private closed: Promise<string | null> | null = null;

  constructor(private readonly options: ExecOptions) {
    const keep = options.keepBytes ?? KEEP_BYTES;
    this.captures = { stdout: new Capture(keep), stderr: new Capture(keep) };
    this.spill =
      options.spillFile === undefined ? null : new Spill(options.spillFile, options.spillLimitBytes ?? SPILL_BYTES);
  }

  async drain(stream: Duplex, onBytes: () => void): Promise<void> {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const pieces: Uint8Array[] = [];
      this.frames.push(chunk, (bytes, name) => {
        this.captures[name].push(bytes);
        pieces.push(bytes);
        if (this.options.onOutput)
          this.hand(this.decoders[name].write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)), name);
      });
      onBytes();
      // Waiting here is what makes a command that writes faster than the disk wait in turn.
      if (this.spill && pieces.length > 0) await this.spill.write(pieces);
    }
  }

  /** Words of the engine in place of output. */
  note(message: string): void {
    const text = `${message}\n`;
    this.captures.stderr.push(Buffer.from(text));
    this.hand(text, 'stderr');
  }

  private hand(text: string, name: OutputStream): void {
    if (text !== '') this.options.onOutput?.(text, name);
  }

  captured(name: OutputStream): Exit['stdout'] {
    return this.captures[name].text();
  }

  /** Returns why the spill file is not whole, or null. */
  async close(): Promise<string | null> {
    this.closed ??= (async () => {
      this.hand(this.decoders.stdout.end(), 'stdout');
      this.hand(this.decoders.stderr.end(), 'stderr');
      await this.spill?.close();
      return this.spill?.failure ?? null;
    })();
    return this.closed;
  }
}
