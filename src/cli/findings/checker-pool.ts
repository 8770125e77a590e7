import { Worker } from 'node:worker_threads';
import type { CheckJob, CheckOutcome } from './task-checker';

export interface PoolOptions {
  /** The bundle of `check-worker.ts`. */
  readonly workerFile: string;
  /** Worker threads, from 1. */
  readonly size: number;
  readonly signal: AbortSignal;
  /** null: nothing is kept. */
  readonly cache: CacheData | null;
  /** A task that takes longer is given up. */
  readonly mostSeconds?: number;
  /** For the heap of one worker: a task that needs more is an error for itself, not for the machine. */
  readonly heapMb?: number;
}

export interface CacheData {
  /** Absolute. */
  readonly folder: string;
  /** Of the rules and the parsers. */
  readonly version: string;
}

export interface WorkerData {
  readonly cache: CacheData | null;
}

/** Twice the usual: what a task needs is garbage with the next one, and is copied less often the later it is looked at. */
const youngMb = 96;

/** Jobs that wait in a worker, so that it need not wait for us. */
const ahead = 4;

/**
 * Checks tasks in several threads. The outcomes are in the order of the jobs; after an abort, what is not done is
 * missing. A worker that ends or hangs costs the task that it was at, and another takes its place. Rejects when workers
 * cannot be started at all.
 */
export async function checkInWorkers(
  jobs: readonly CheckJob[],
  options: PoolOptions,
): Promise<readonly (CheckOutcome | undefined)[]> {
  const outcomes: (CheckOutcome | undefined)[] = Array.from({ length: jobs.length });
  const queue = jobs.map((job, index) => ({ job, index })).reverse();
  const take = (): Assigned | undefined => queue.pop();
  const lost: string[] = [];
  const settle = (index: number, outcome: CheckOutcome): void => {
    outcomes[index] = outcome;
    if ('failure' in outcome) lost.push(outcome.failure);
    // What keeps the first workers from any answer would keep the next ones from it too.
    if (lost.length === 3 && lost.length === outcomes.filter((one) => one !== undefined).length) {
      throw new Error(`no task could be checked: the first ${lost[0] ?? ''}`);
    }
  };
  const giveBack = (unanswered: readonly Assigned[]): void => {
    queue.push(...unanswered.toReversed());
  };
  const size = Math.min(options.size, jobs.length);
  const run = async (): Promise<void> => {
    while (queue.length > 0 && !options.signal.aborted) await runWorker(take, settle, giveBack, options);
  };
  await Promise.all(Array.from({ length: size }, run));
  return outcomes;
}

interface Assigned {
  readonly job: CheckJob;
  readonly index: number;
}

/** Ends when there is nothing left to take, or with the worker. */
async function runWorker(
  take: () => Assigned | undefined,
  settle: (index: number, outcome: CheckOutcome) => void,
  giveBack: (unanswered: readonly Assigned[]) => void,
  { workerFile, signal, cache, mostSeconds = 60, heapMb = 384 }: PoolOptions,
): Promise<void> {
  const workerData: WorkerData = { cache };
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb };
  const worker = new Worker(workerFile, { workerData, resourceLimits });
  const at: Assigned[] = [];
  let timer: NodeJS.Timeout | null = null;
  let failure = 'made the checker end';
  await new Promise<void>((done) => {
    const watch = (): void => {
      if (timer !== null) clearTimeout(timer);
      if (at.length === 0) return;
      timer = setTimeout(() => {
        failure = `was given up after ${mostSeconds} s`;
        void worker.terminate();
      }, mostSeconds * 1000);
    };
    const feed = (): void => {
      while (at.length < ahead && !signal.aborted) {
        const next = take();
        if (next === undefined) break;
        at.push(next);
        worker.postMessage(next.job);
      }
      if (at.length === 0) void worker.terminate();
    };
    const onAbort = (): void => void worker.terminate();
    signal.addEventListener('abort', onAbort);
    worker.on('message', (outcome: string) => {
      const answered = at.shift();
      if (answered !== undefined) settle(answered.index, JSON.parse(outcome) as CheckOutcome);
      watch();
      feed();
    });
    worker.on('error', (error) => {
      failure = `made the checker fail: ${error.message.split('\n', 1)[0] ?? ''}`;
    });
    worker.on('exit', () => {
      if (timer !== null) clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      done();
    });
    feed();
    watch();
  });
  if (signal.aborted) return;
  const [culprit, ...others] = at;
  if (culprit !== undefined) settle(culprit.index, { failure });
  giveBack(others);
}
