import { readFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Clock, JobOptions } from '../../../src/engine/job/options';
import type { SandboxEngine } from '../../../src/engine/sandbox';
import { connect, json, open, outcome, Scratch } from './support';

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

const noon: Clock = {
  now: () => new Date('2026-08-03T10:00:00.250Z'),
  seconds: () => performance.now() / 1000,
  offsetMinutes: () => 120,
};

it('is named after the local time, and a name that is taken gets a suffix', async () => {
  const names: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { job } = await open(engine, scratch, { clock: noon });
    await job.close();
    names.push(job.name);
  }
  expect(names).toEqual(['2026-08-03__12-00-00', '2026-08-03__12-00-00-2', '2026-08-03__12-00-00-3']);
  const dir = join(scratch.dir, 'jobs', names[0]!);
  expect(await json(dir, 'result.json')).toMatchObject({
    started_at: '2026-08-03T12:00:00.250000',
    finished_at: '2026-08-03T12:00:00.250000',
    n_total_trials: 0,
    stats: { evals: {} },
  });
});

it('counts while it runs, and writes what every trial was', async () => {
  const task = await scratch.task({ 'task.toml': '[environment]\ncpus = 1\n' });
  const seen: unknown[] = [];
  const plan: JobOptions['plan'] = {
    agents: [{ kind: 'oracle' }, { kind: 'nop' }],
    tasks: [task.dir],
    attempts: 2,
    totalTrials: 4,
  };
  const { job } = await open(engine, scratch, { jobName: 'mine', plan, maxConcurrent: 2 });
  const specs = [1, 2].flatMap((attempt) => plan.agents.map((agent) => ({ task, agent, attempt, source: 'set' })));
  const runs = specs.map(async (spec) => {
    const record = await job.run(spec);
    seen.push(await json(job.dir, 'result.json'));
    return record;
  });
  const records = await Promise.all(runs);
  expect(records.map(outcome)).toEqual(['reward=1', 'reward=0', 'reward=1', 'reward=0']);
  expect(seen[0]).toMatchObject({
    n_total_trials: 4,
    finished_at: null,
    updated_at: expect.stringMatching(/Z$/) as string,
    stats: { n_running_trials: expect.any(Number) as number },
  });
  await job.close();
  expect(await json(job.dir, 'config.json')).toEqual({
    job_name: 'mine',
    n_attempts: 2,
    n_concurrent_trials: 2,
    agents: [{ name: 'oracle' }, { name: 'nop' }],
    tasks: [{ path: 'tasks/plain', source: 'set' }],
  });
  const lock = await json(job.dir, 'lock.json');
  expect((lock.trials as unknown[]).length).toBe(4);
  expect(await json(job.dir, 'result.json')).toMatchObject({
    n_total_trials: 4,
    stats: {
      n_completed_trials: 4,
      n_pending_trials: 0,
      evals: {
        oracle__set: { n_trials: 2, metrics: [{ mean: 1 }], pass_at_k: { '2': 1 } },
        nop__set: { n_trials: 2, metrics: [{ mean: 0 }], pass_at_k: { '2': 0 } },
      },
    },
  });
  expect(await readFile(join(job.dir, 'job.log'), 'utf8')).toContain(`${records[0]!.name}: test.sh ended with code 0`);
});

it('is taken up again: what ended is kept, what was cut off is run, what is foreign is left', async () => {
  const task = await scratch.task({ 'solution/solve.sh': '#!/bin/bash\necho done > answer.txt\n' });
  const cancel = new AbortController();
  let isSecond = false;
  const first = await open(engine, scratch, {
    jobName: 'again',
    signal: cancel.signal,
    emit: (event) => {
      if (isSecond && event.type === 'phase' && event.phase === 'agent') cancel.abort();
    },
  });
  const kept = await first.job.run({ task, agent: { kind: 'oracle' }, attempt: 1 });
  isSecond = true;
  const cut = await first.job.run({ task, agent: { kind: 'oracle' }, attempt: 2 });
  await first.job.close();
  expect([outcome(kept), outcome(cut)]).toEqual(['reward=1', 'cancelled']);
  expect(await json(first.job.dir, 'result.json')).toMatchObject({
    updated_at: expect.stringMatching(/Z$/) as string,
    finished_at: null,
    stats: { n_completed_trials: 2, n_cancelled_trials: 1, evals: { oracle__adhoc: { pass_at_k: {} } } },
  });
  // An interrupted trial of this job, and folders of other people.
  const dir = first.job.dir;
  await mkdir(join(dir, 'interrupted'));
  await writeFile(join(dir, 'interrupted', 'config.json'), JSON.stringify({ job_id: first.job.id }));
  await mkdir(join(dir, 'notes'));
  await writeFile(join(dir, 'notes', 'config.json'), JSON.stringify({ job_id: 'another' }));

  const second = await open(engine, scratch, { jobName: 'again', resume: true });
  expect(second.job.id).toBe(first.job.id);
  const again = await second.job.run({ task, agent: { kind: 'oracle' }, attempt: 1 });
  expect(again).toEqual(kept);
  const fresh = await second.job.run({ task, agent: { kind: 'oracle' }, attempt: 2 });
  await second.job.close();
  expect(fresh.name).not.toBe(cut.name);
  const folders = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).sort()).toEqual([kept.name, fresh.name, 'notes'].sort());
  expect(await json(dir, 'result.json')).toMatchObject({
    id: first.job.id,
    n_total_trials: 2,
    stats: { n_completed_trials: 2, n_cancelled_trials: 0, evals: { oracle__adhoc: { pass_at_k: { '2': 1 } } } },
  });
  expect((await json(dir, 'result.json')).finished_at).toEqual(expect.any(String));
  // The lock of the trial that was kept is written again as Python wrote it.
  const lock = await readFile(join(dir, 'lock.json'), 'utf8');
  expect(lock.split('"timeout_multiplier": 1.0,').length - 1).toBe(2);
});

it('has its logs and the lock of a trial on disk while the trial runs', async () => {
  const task = await scratch.task({});
  const onDisk = new Map<string, string>();
  const { job } = await open(engine, scratch, {
    jobName: 'early',
    emit: (event) => {
      if (event.type !== 'phase' || event.phase !== 'agent' || event.trial === null) return;
      const dir = join(scratch.dir, 'jobs', 'early');
      for (const path of ['job.log', 'lock.json', `${event.trial}/trial.log`, `${event.trial}/lock.json`])
        onDisk.set(path, readFileSync(join(dir, path), 'utf8'));
    },
  });
  const { name } = await job.run({ task, agent: { kind: 'nop' }, attempt: 1 });
  await job.close();
  expect([...onDisk.keys()]).toEqual(['job.log', 'lock.json', `${name}/trial.log`, `${name}/lock.json`]);
  const { trials } = JSON.parse(onDisk.get('lock.json')!) as { trials: unknown[] };
  expect(trials).toEqual([JSON.parse(onDisk.get(`${name}/lock.json`)!)]);
});

it('cannot be taken up where there is none, nor have a name that is no folder', async () => {
  await expect(open(engine, scratch, { jobName: 'none', resume: true })).rejects.toThrow(/no job to resume/);
  await expect(open(engine, scratch, { jobName: '../x' })).rejects.toThrow(/name of a folder/);
});

it('says when the jobs folder is a file', async () => {
  await writeFile(join(scratch.dir, 'jobs'), '');
  await expect(open(engine, scratch)).rejects.toThrow(/could not be written/);
});

it('says of a trial that its folder could not be made', async () => {
  const task = await scratch.task({});
  const { job } = await open(engine, scratch);
  await rm(job.dir, { recursive: true });
  await writeFile(job.dir, '');
  const record = await job.run({ task, agent: { kind: 'nop' }, attempt: 1 });
  await job.close();
  expect(record).toMatchObject({ dir: null, undecided: { reason: 'engine-failed' } });
});

it('builds one image for all trials, and removes it at the end', async () => {
  const marker = `taskwright-${String(Date.now())}`;
  const task = await scratch.task({ 'environment/Dockerfile': `FROM python:3.13-slim\nRUN echo ${marker}\nWORKDIR /app\n` });
  const { job, events } = await open(engine, scratch);
  const records = await Promise.all([1, 2, 3].map((attempt) => job.run({ task, agent: { kind: 'nop' }, attempt })));
  await job.close();
  expect(new Set(records.map((record) => record.imageDigest)).size).toBe(1);
  const steps = events.filter((event) => event.type === 'phase' && event.trial === null && event.detail?.includes(marker));
  expect(steps.length).toBe(1);
});
