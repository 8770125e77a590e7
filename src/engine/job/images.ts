import type { Task } from '../../core/task/task';
import type { BuildStep, ImageResult, SandboxEngine } from '../sandbox';
import { limitOf } from '../trial/context';
import { imageSource } from '../trial/environment';

interface Hold {
  readonly result: Promise<ImageResult>;
  readonly abort: AbortController;
  waiting: number;
  done: boolean;
}

export interface ImageNews {
  readonly onStep: (task: Task, step: BuildStep) => void;
  readonly onOutput: (task: Task, text: string) => void;
}

const gaveUp: ImageResult = {
  ok: false,
  reason: 'cancelled',
  message: 'Cancelled.',
  line: null,
  output: '',
};

/**
 * One image a task for a whole job, so that all its trials run in the same one and a build that failed is not tried
 * again. Whoever stops waiting lets the others wait on; a build that nobody waits for any more is ended.
 */
export class JobImages implements AsyncDisposable {
  private readonly holds = new Map<string, Hold>();

  constructor(
    private readonly engine: SandboxEngine,
    private readonly news: ImageNews,
  ) {}

  /** The task must have been checked: it has something to make an image from. */
  async get(task: Task, signal: AbortSignal): Promise<ImageResult> {
    if (signal.aborted) return gaveUp;
    const hold = this.holds.get(task.dir) ?? this.begin(task);
    hold.waiting++;
    try {
      const result = await Promise.race([hold.result, aborted(signal)]);
      // What was cancelled or broke off may work for the next.
      if (!result.ok && (result.reason === 'cancelled' || result.reason === 'engine-failed'))
        this.forget(task.dir, hold);
      return result;
    } finally {
      hold.waiting--;
      if (hold.waiting === 0) this.giveUp(task.dir, hold);
    }
  }

  private begin(task: Task): Hold {
    const abort = new AbortController();
    const hold: Hold = { result: this.prepare(task, abort.signal), abort, waiting: 0, done: false };
    const finish = (): void => {
      hold.done = true;
    };
    hold.result.then(finish, finish);
    this.holds.set(task.dir, hold);
    return hold;
  }

  private async prepare(task: Task, signal: AbortSignal): Promise<ImageResult> {
    const { config } = task;
    const source = config === null ? null : imageSource(task, config);
    if (config === null || source === null) {
      const message = 'There is nothing to make an image from.';
      return { ok: false, reason: 'build-failed', message, line: null, output: '' };
    }
    return this.engine.prepareImage(source, {
      signal,
      limitSec: limitOf(config.environment.build_timeout_sec),
      onStep: (step) => {
        this.news.onStep(task, step);
      },
      onOutput: (text) => {
        this.news.onOutput(task, text);
      },
    });
  }

  /** Only a build that still runs is ended: a finished one serves the trials that come later. */
  private giveUp(taskDir: string, hold: Hold): void {
    if (hold.done) return;
    this.forget(taskDir, hold);
    hold.abort.abort();
    void releaseWhenDone(hold);
  }

  private forget(taskDir: string, hold: Hold): void {
    if (this.holds.get(taskDir) === hold) this.holds.delete(taskDir);
  }

  async release(taskDir: string): Promise<void> {
    const hold = this.holds.get(taskDir);
    if (hold === undefined) return;
    this.holds.delete(taskDir);
    await releaseWhenDone(hold);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const hold of this.holds.values()) if (hold.waiting === 0) hold.abort.abort();
    await Promise.all([...this.holds.keys()].map((taskDir) => this.release(taskDir)));
  }
}

async function releaseWhenDone(hold: Hold): Promise<void> {
  const result = await hold.result.catch(() => null);
  if (result?.ok) await result.release();
}

async function aborted(signal: AbortSignal): Promise<ImageResult> {
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve(gaveUp);
      },
      { once: true },
    );
  });
}
