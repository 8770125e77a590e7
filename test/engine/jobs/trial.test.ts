import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { SandboxEngine } from '../../../src/engine/sandbox';
import { connect, json, outcome, runOne, Scratch } from './support';

let engine: SandboxEngine;
let scratch: Scratch;
beforeAll(async () => {
  engine = await connect();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
});
beforeEach(async () => {
  scratch = await Scratch.make();
});
afterEach(async () => {
  await scratch[Symbol.asyncDispose]();
});

describe('the oracle', () => {
  it('earns the reward, and leaves the files that Harbor leaves', async () => {
    const task = await scratch.task({});
    const { record, job, events } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record).toMatchObject({ exception: null, undecided: null, agentExitCode: 0, attempt: 1, remarks: [] });
    expect(outcome(record)).toBe('reward=1');
    expect(record.name).toMatch(/^plain__[2-9A-HJ-NP-Za-km-z]{7}$/);
    const dir = join(job.dir, record.name);
    expect(record.dir).toBe(dir);
    expect((await readdir(dir, { recursive: true })).sort()).toEqual([
      'agent',
      'agent/oracle.txt',
      'artifacts',
      'artifacts/logs',
      'artifacts/logs/artifacts',
      'artifacts/manifest.json',
      'config.json',
      'lock.json',
      'result.json',
      'taskwright.json',
      'trial.log',
      'verifier',
      'verifier/reward.txt',
      'verifier/test-stdout.txt',
    ]);
    expect(await readFile(join(dir, 'agent/oracle.txt'), 'utf8')).toBe('solving as root\n');
    expect(await json(dir, 'result.json')).toMatchObject({
      task_name: 'taskwright-tests/plain',
      trial_name: record.name,
      task_id: { path: 'tasks/plain' },
      verifier_result: { rewards: { reward: 1 } },
      verifier_environment_mode: 'shared',
      exception_info: null,
      config: { trials_dir: `jobs/${job.name}`, job_id: job.id },
    });
    expect(await json(job.dir, 'result.json')).toMatchObject({
      n_total_trials: 1,
      finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      stats: { n_completed_trials: 1, n_running_trials: 0, evals: { oracle__adhoc: { metrics: [{ mean: 1 }] } } },
    });
    expect((await readdir(job.dir)).sort()).toEqual(['config.json', 'job.log', 'lock.json', record.name, 'result.json'].sort());
    const told = events.filter((event) => event.type === 'phase' && event.trial !== null);
    expect(told.map((event) => (event.type === 'phase' ? event.phase : ''))).toEqual([
      'queued',
      'image',
      'start',
      'agent',
      'verifier',
      'finish',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'trial-finished', outcome: 'scored', reward: 1, exception: null });
  });
});
