import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GateDocument } from '../../src/core/gates/document';
import type { EngineEvent } from '../../src/protocol/engine';
import { call, childrenOf, copyTask, leftOf, start, startForked, useBundle, useWorkspace } from './process';

const cli = useBundle();
const work = useWorkspace('slow', 'sound');

/** Every way in which a run is told to stop. */
const ways: Readonly<Record<string, (child: ChildProcess) => void>> = {
  SIGINT: (child) => child.kill('SIGINT'),
  SIGTERM: (child) => child.kill('SIGTERM'),
  SIGHUP: (child) => child.kill('SIGHUP'),
  cancel: (child) => child.send({ type: 'cancel' }),
  disconnect: (child) => {
    child.disconnect();
  },
};

describe('a run that is stopped while the solution works', () => {
  test.each(Object.keys(ways))('by %s ends with 130, a verdict of its own, and nothing left', async (way) => {
    const finished: EngineEvent[] = [];
    const running = startForked(
      cli.path,
      ['gate', 'slow', '--gates', 'oracle', '--format', 'json'],
      work.dir,
      (event, child) => {
        finished.push(event);
        if (event.type === 'phase' && event.phase === 'agent') ways[way]!(child);
      },
    );
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    const document = JSON.parse(ended.stdout) as GateDocument;
    expect(document.tasks[0]!.gates).toMatchObject([{ gate: 'oracle', verdict: 'not-proven', reason: 'cancelled' }]);
    expect(document.tasks[0]!.receipt).toBeNull();
    expect(await leftOf(running.child.pid!)).toEqual([]);
    // A parent that is still there hears the end of it.
    if (way === 'cancel') expect(finished.map(({ type }) => type)).toContain('gate-finished');
  });

  test('the second Ctrl-C says that it is still at work, and the job tells that the trial was cancelled', async () => {
    const running = start(cli.path, ['gate', 'slow', '--gates', 'oracle', '--job-name', 'stopped'], work.dir);
    await untilRunning(running.child.pid!);
    let again = false;
    running.child.stderr?.on('data', () => {
      if (again || !running.stderr().includes('Stopping, and removing the containers')) return;
      again = true;
      running.child.kill('SIGINT');
    });
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('Still removing containers. Press Ctrl-C once more');
    expect(await leftOf(running.child.pid!)).toEqual([]);
    const job = join(work.dir, 'jobs/stopped');
    const trial = readdirSync(job).find((name) => name.startsWith('slow__'));
    const result = JSON.parse(readFileSync(join(job, trial!, 'result.json'), 'utf8')) as {
      exception_info: { exception_type: string };
    };
    expect(result.exception_info.exception_type).toBe('CancelledError');
  });

  test('what a killed run leaves is removed by the next', async () => {
    const running = start(cli.path, ['gate', 'slow', '--gates', 'oracle'], work.dir);
    const pid = running.child.pid!;
    await untilRunning(pid);
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await leftOf(pid)).not.toEqual([]);
    expect((await call(cli.path, ['gate', 'sound', '--gates', 'nop'], work.dir)).code).toBe(0);
    expect(await leftOf(pid)).toEqual([]);
  });
});

test('a reader that goes away is no error', async () => {
  const running = start(cli.path, ['gate', 'sound', '--gates', 'nop', '--format', 'json'], work.dir);
  running.child.stdout?.destroy();
  const ended = await running.ended;
  expect(ended.code).toBe(0);
  expect(ended.stderr).not.toContain('EPIPE');
});

/**
 * Runs stopped at points of the event stream, drawn with a fixed seed. TASKWRIGHT_CANCEL_RUNS sets how many (10; the
 * figure that is kept in the notes is for 100).
 */
test('runs cancelled at any point leave no container, image, volume, network or process', async () => {
  const runs = Number(process.env.TASKWRIGHT_CANCEL_RUNS ?? 10);
  const random = mulberry32(20261130);
  const args = ['gate', 'built', '--strategy', 'reward-json', '--strategy', 'reward-txt', '--format', 'json'];
  const dockerfile = join(copyTask('sound', join(work.dir, 'cancelled')), '../sound/environment/Dockerfile');
  args[1] = 'cancelled/sound';
  // A step that is never in the cache, long enough to be stopped in.
  const rebuild = (): void => {
    appendFileSync(dockerfile, `RUN sleep 1 && echo ${random()}\n`);
  };

  rebuild();
  let length = 0;
  const whole = await startForked(cli.path, args, work.dir, () => (length += 1)).ended;
  expect(whole.code).toBe(0);
  expect(length).toBeGreaterThan(10);

  for (let at = 0; at < runs; at++) {
    rebuild();
    const point = 1 + Math.floor(random() * (length - 1));
    const names = Object.keys(ways);
    const way = names[Math.floor(random() * names.length)]!;
    let count = 0;
    let last = 'start';
    let below: readonly number[] = [];
    const running = startForked(cli.path, args, work.dir, (event, child) => {
      count += 1;
      if (count > point) return;
      last = event.type === 'phase' ? event.phase : event.type;
      if (count < point) return;
      below = childrenOf(child.pid!);
      ways[way]!(child);
    });
    const ended = await running.ended;
    const what = `run ${at + 1}: ${way} at event ${point} of ${length} (${last})`;
    // Close to the end a run may be done before it hears of the stop.
    expect([130, 0, 1], `${what}\n${ended.stderr}`).toContain(ended.code);
    expect(ended.stderr, what).not.toContain('taskwright itself failed');
    expect(await leftOf(running.child.pid!), what).toEqual([]);
    expect(
      below.filter((pid) => existsSync(`/proc/${pid}`)),
      what,
    ).toEqual([]);
  }
}, 3_600_000);

/** Waits until the run has a container, as `docker` shows it. */
async function untilRunning(pid: number): Promise<void> {
  while (!(await leftOf(pid)).some((line) => line.startsWith('container') && line.includes('"running"')));
}

/** A small generator with a fixed seed: the same points on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
