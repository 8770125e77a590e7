import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkInWorkers } from '../../src/cli/findings/checker-pool';
import type { CheckJob } from '../../src/cli/findings/task-checker';
import { defaultSettings } from '../../src/core/settings/settings';
import { temporaryFolder } from './call';

/** A worker that does what the last part of a job's path says, in place of checking. */
const toyWorker = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ place }) => {
  if (place === 'end') process.exit(3);
  if (place === 'throw') throw new Error('toy trouble');
  if (place === 'hang') for (;;);
  if (place === 'fill') { const kept = []; for (;;) kept.push(new Array(100000).fill(kept.length)); }
  parentPort.postMessage(JSON.stringify({ name: place, harbor: { outcome: 'loads', reason: null }, isReadable: true, findings: [], suppressed: [], usedAllowances: [], limit: null }));
});
`;

function jobs(...places: string[]): readonly CheckJob[] {
  return places.map((place) => ({
    place,
    isAlone: false,
    inDataset: true,
    taskPath: null,
    settings: defaultSettings,
  }));
}

async function run(list: readonly CheckJob[], signal = new AbortController().signal): Promise<readonly unknown[]> {
  const workerFile = join(temporaryFolder(), 'worker.js');
  writeFileSync(workerFile, toyWorker);
  const outcomes = await checkInWorkers(list, { workerFile, size: 2, signal, cache: null, mostSeconds: 2, heapMb: 24 });
  return outcomes.map((one) => (one === undefined ? null : 'failure' in one ? one.failure : one.name));
}

describe('checking in worker threads', () => {
  it('answers in the order of the jobs', async () => {
    const places = Array.from({ length: 50 }, (_, at) => `task-${at}`);
    expect(await run(jobs(...places))).toEqual(places);
  });

  it('loses only the task that made a worker end, fail, hang or fill its memory', async () => {
    expect(await run(jobs('a', 'end', 'b', 'throw', 'c', 'd', 'hang', 'e', 'fill', 'f', 'g'))).toEqual([
      'a',
      'made the checker end',
      'b',
      'made the checker fail: toy trouble',
      'c',
      'd',
      'was given up after 2 s',
      'e',
      expect.stringMatching(/^made the checker fail: .*memory/),
      'f',
      'g',
    ]);
  });

  it('gives up where no worker can answer', async () => {
    await expect(run(jobs('end', 'end', 'end', 'end', 'end'))).rejects.toThrow('no task could be checked');
  });

  it('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    const running = run(jobs('hang', 'hang', 'hang'), controller.signal);
    setImmediate(() => {
      controller.abort();
    });
    expect(await running).toEqual([null, null, null]);
  });
});
