import type { Command, ExecOptions, Exit } from '../sandbox';
import { EngineError } from '../sandbox';
import { RefusedError, type EngineClient } from './client';
import { Output } from './exec-output';
import { Watch } from './exec-watch';
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
  /**
   * Whether the container runs, and whether memory ran out since the command started; `suspicious` when the command's
   * own end makes that likely.
   */
  readonly health: (suspicious: boolean) => Promise<{ running: boolean; outOfMemory: boolean }>;
}

/** How long the output may stand still after the command itself ended, when something else holds its streams open. */
const GRACE_MS = 400;
/** The same after everything that could write to them was killed: they close by themselves then. */
const CLOSE_MS = 2000;

interface ExecState {
  Running: boolean;
  ExitCode: number | null;
}

/** Runs one command by the exec interface. See `Sandbox.exec`. */
export async function runExec(target: ExecTarget, command: Command, options: ExecOptions): Promise<Exit> {
  const output = new Output(options);
  const clock = { began: performance.now(), ended: null as number | null };
  const finish = async (ended: Exit['ended'], code: number | null, outOfMemory: boolean): Promise<Exit> => {
    clock.ended ??= performance.now();
    const spillFailure = await output.close();
    const notStarted = ended === 'exited' ? startFailure(code, output) : null;
    return {
      code,
      ended,
      outOfMemory,
      stdout: output.captured('stdout'),
      stderr: output.captured('stderr'),
      durationSec: (clock.ended - clock.began) / 1000,
      mark: target.mark,
      ...(notStarted === null ? {} : { notStarted }),
      ...(spillFailure === null ? {} : { spillFailure }),
    };
  };
  let watch: Watch | null = null;
  let running: RunningExec | null = null;
  try {
    if (isAborted(options)) return await finish('cancelled', null, false);
    const id = await createExec(target, command);
    if (isAborted(options)) return await finish('cancelled', null, false);
    clock.began = performance.now();
    const watching = (watch = new Watch(options));
    target.onStart();
    running = await startExec(target.client, id, output, () => {
      watching.touch();
    });
    const ended = await Promise.race([running.ended, watching.ended]);
    clock.ended = performance.now();
    if (typeof ended === 'string') await target.endProcesses();
    await running.drain(typeof ended === 'string' ? CLOSE_MS : GRACE_MS);
    const suspicious = typeof ended === 'string' || ended.ExitCode !== 0 || output.mentions(/\bkilled\b/i);
    const health = await target.health(suspicious);
    if (typeof ended === 'string') return await finish(ended, null, health.outOfMemory);
    if (!health.running) return await finish('container-gone', null, health.outOfMemory);
    return await finish('exited', ended.ExitCode, health.outOfMemory);
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      await output.close();
      throw error;
    }
    const health = await target.health(false);
    if (!health.running) return await finish('container-gone', null, health.outOfMemory);
    if (running !== null) {
      await output.close();
      throw new EngineError(`${whoIs(target.client)} lost a command that was running: ${error.message}`);
    }
    // The command could not be started: no such program, user or folder. Shells say so by 126 and 127.
    output.note(error.message);
    return await finish('exited', /not found|no such file/i.test(error.message) ? 127 : 126, false);
  } finally {
    watch?.stop();
    running?.stop();
  }
}

/** A function, since it can change between two looks. */
function isAborted(options: ExecOptions): boolean {
  return options.signal.aborted;
}

interface RunningExec {
  /** The command itself has ended. Rejects when the engine cannot tell any more. */
  readonly ended: Promise<ExecState>;
  /** Waits until the output has come whole, or has stood still for so long, and closes the connection. */
  readonly drain: (quietMs: number) => Promise<void>;
  readonly stop: () => void;
}

function whoIs(client: EngineClient): string {
  return `Docker (${client.endpoint.url})`;
}

async function startExec(client: EngineClient, id: string, output: Output, onBytes: () => void): Promise<RunningExec> {
  const stream = await client.hijack({
    method: 'POST',
    path: `/exec/${id}/start`,
    body: { Detach: false, Tty: false },
    what: 'run a command',
    limitMs: 60_000,
  });
  // The streams' end is not the command's: something it started may hold them open, or it may have closed them itself.
  // Asking tells; it also shows that the engine lives.
  const poll = pollExec(client, id);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const drained = output
    .drain(stream, () => {
      onBytes();
      timer?.refresh();
    })
    .finally(poll.hurry);
  drained.catch(() => undefined);
  const lost = new Promise<never>((_resolve, reject) => {
    drained.catch((error: unknown) => {
      if (!stopped) reject(new EngineError(`${whoIs(client)} broke off a command's output: ${String(error)}`));
    });
  });
  const ended = Promise.race([poll.ended, lost]);
  ended.catch(() => undefined);
  return {
    ended,
    drain: async (quietMs) => {
      stopped = true;
      const quiet = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, quietMs);
      });
      await Promise.race([drained.catch(() => undefined), quiet]);
      clearTimeout(timer);
      stream.destroy();
    },
    stop: () => {
      stopped = true;
      poll.stop();
      stream.destroy();
    },
  };
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

interface Poll {
  readonly ended: Promise<ExecState>;
  /** Asks at once, and often: the end is near. */
  readonly hurry: () => void;
  readonly stop: () => void;
}

/** Asks for the state of a command until it has ended, ever more slowly. */
function pollExec(client: EngineClient, id: string): Poll {
  let stopped = false;
  let waitMs = 250;
  let wake: (() => void) | undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<ExecState> => {
    for (;;) {
      await pause();
      waitMs = Math.min(1000, waitMs * 1.5);
      const state = await client.json<ExecState>({
        method: 'GET',
        path: `/exec/${id}/json`,
        what: 'tell how a command stands',
        limitMs: 30_000,
      });
      if (!state.Running || stopped) return state;
    }
  };
  const ended = run();
  ended.catch(() => undefined);
  return {
    ended,
    hurry: () => {
      waitMs = 10;
      wake?.();
    },
    stop: () => {
      stopped = true;
      wake?.();
    },
  };
}
