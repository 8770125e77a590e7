import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Phase } from '../../../src/protocol/engine';
import { EngineError, type Sandbox, type SandboxEngine } from '../../../src/engine/sandbox';
import { cheatOf, connect, json, open, outcome, runOne, Scratch } from './support';

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

const sh = (body: string): string => `#!/bin/bash\n${body}\n`;

/** Containers of a trial, running or not; other people's do not count. */
function containersOf(trial: string): string {
  const label = trial.toLowerCase().split('__')[1] ?? '';
  return execFileSync('docker', ['ps', '-a', '--format', '{{.Names}}'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.includes(label))
    .join(' ');
}

describe('limits', () => {
  it('of the agent: nothing of it goes on, and the verifier runs', async () => {
    const task = await scratch.task({
      'task.toml': '[agent]\ntimeout_sec = 1.5\n',
      'solution/solve.sh': sh('echo begun; (while :; do date +%N > /app/ticks; sleep 0.1; done) & setsid sleep 300 & sleep 300'),
      'tests/test.sh': sh('a=$(cat /app/ticks); sleep 0.5; [ "$a" = "$(cat /app/ticks)" ] && ! pgrep -f "sleep 300" && echo 1 > /logs/verifier/reward.txt'),
    });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record).toMatchObject({
      exception: { type: 'AgentTimeoutError', message: expect.stringContaining('1.5 s') as string },
      undecided: { reason: 'timeout' },
      reading: { ok: true, rewards: { reward: { value: 1 } } },
      agentExitCode: null,
    });
    expect(await readFile(join(record.dir!, 'agent/oracle.txt'), 'utf8')).toBe('begun\n');
    expect(await json(record.dir!, 'result.json')).toMatchObject({
      verifier_result: { rewards: { reward: 1 } },
      exception_info: { exception_type: 'AgentTimeoutError' },
    });
  });

  it('of the verifier: the reward does not count, and what it printed is kept', async () => {
    const task = await scratch.task({
      'task.toml': '[verifier]\ntimeout_sec = 1.0\n',
      'tests/test.sh': sh('echo partly; echo 1 > /logs/verifier/reward.txt; sleep 300'),
    });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(record).toMatchObject({
      exception: { type: 'VerifierTimeoutError' },
      undecided: { reason: 'timeout' },
      reading: null,
    });
    expect(await readFile(join(record.dir!, 'verifier/test-stdout.txt'), 'utf8')).toBe('partly\n');
  });

  it('of nought are over at once', async () => {
    const task = await scratch.task({ 'task.toml': '[verifier]\ntimeout_sec = 0\n' });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(record.exception?.type).toBe('VerifierTimeoutError');
  });

  it('of build and start', async () => {
    const task = await scratch.task({
      'task.toml': '[environment]\nbuild_timeout_sec = 1.0\n',
      'environment/Dockerfile': `FROM python:3.13-slim\nRUN sleep 60 # ${String(Date.now())}\n`,
    });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(record).toMatchObject({
      exception: { type: 'EnvironmentStartTimeoutError' },
      undecided: { reason: 'timeout' },
    });
  });

  it('tells when memory ran out', async () => {
    const task = await scratch.task({
      'task.toml': '[environment]\nmemory_mb = 64\n',
      'tests/test.sh': sh('python3 -c "x = bytearray(300 * 1024 * 1024)" && echo 1 > /logs/verifier/reward.txt'),
    });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(record.exception?.message).toContain('ran out of memory while the tests ran; raise [environment].memory_mb');
  });

  it('says that the container stopped when the agent ends it', async () => {
    const task = await scratch.task({});
    const { record } = await runOne(engine, scratch, task, cheatOf(sh('sleep 0.2; kill -9 -1; kill -9 1'), { source: 'cheat' }));
    // A container's first process is safe from its own signals, so either the cheat or its container is gone.
    expect(record.cheat?.ran).toMatch(/ran|broken/);
    expect(containersOf(record.name)).toBe('');
  });
});

describe('a container that ends while the tests run', () => {
  const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

  it.each([
    ['counts what was written by then', 'echo 1 > /logs/verifier/reward.txt; ', 'reward=1'],
    ['has no reward where none was written', '', 'RuntimeError'],
  ])('%s', async (_what, write, expected) => {
    const name = `ends-${expected.toLowerCase().replace('=', '')}`;
    const task = await scratch.task({ 'tests/test.sh': sh(`${write}touch /tmp/ready; sleep 60`) }, name);
    const running = runOne(engine, scratch, task, { kind: 'nop' });
    await vi.waitFor(
      () => {
        const id = docker('ps', '-q', '--filter', `name=taskwright-${name}`);
        docker('exec', id, 'test', '-e', '/tmp/ready');
        docker('kill', id);
      },
      { timeout: 60_000, interval: 200 },
    );
    const { record } = await running;
    expect(record.exception?.type ?? outcome(record)).toBe(expected);
    expect(`${record.remarks?.join(' ') ?? ''} ${record.exception?.message ?? ''}`).toContain('container stopped while the tests ran');
  });
});

describe('a cancel', () => {
  it.each<[Phase, string]>([
    ['queued', ''],
    ['image', ''],
    ['start', ''],
    ['agent', ''],
    ['verifier', ''],
    ['finish', ''],
  ])('in phase %s leaves no container and a whole record', async (phase) => {
    const task = await scratch.task({
      'environment/Dockerfile':
        phase === 'image' ? `FROM python:3.13-slim\nRUN sleep 60 # ${String(Date.now())}\n` : 'FROM python:3.13-slim\nWORKDIR /app\n',
      'solution/solve.sh': sh(phase === 'agent' ? 'setsid sleep 300 & sleep 300' : 'echo done > answer.txt'),
      'tests/test.sh': sh(phase === 'verifier' ? 'sleep 300' : 'echo 1 > /logs/verifier/reward.txt'),
    });
    const cancel = new AbortController();
    const { job } = await open(engine, scratch, {
      signal: cancel.signal,
      emit: (event) => {
        if (event.type === 'phase' && event.phase === phase && event.trial !== null) cancel.abort();
      },
    });
    const began = performance.now();
    const record = await job.run({ task, agent: { kind: 'oracle' }, attempt: 1 });
    await job.close();
    expect(performance.now() - began).toBeLessThan(30_000);
    const expected = phase === 'finish' ? null : 'CancelledError';
    expect(record.exception?.type ?? null).toBe(expected);
    expect(record.undecided?.reason ?? null).toBe(expected === null ? null : 'cancelled');
    expect(containersOf(record.name)).toBe('');
    // What was cancelled before its turn leaves nothing, as in Harbor.
    if (phase === 'queued') expect(record.dir).toBeNull();
    else expect(await json(record.dir!, 'result.json')).toMatchObject({ finished_at: expect.any(String) as string });
    expect(await json(job.dir, 'result.json')).toMatchObject({
      stats: { n_cancelled_trials: expected === null || phase === 'queued' ? 0 : 1, n_running_trials: 0, n_pending_trials: 0 },
    });
  });

  it('of one trial leaves the others alone', async () => {
    const task = await scratch.task({ 'solution/solve.sh': sh('sleep 2; echo done > answer.txt') });
    const cancel = new AbortController();
    const { job } = await open(engine, scratch, {
      emit: (event) => {
        if (event.type === 'phase' && event.phase === 'agent') cancel.abort();
      },
    });
    const [one, two] = await Promise.all([
      job.run({ task, agent: { kind: 'oracle' }, attempt: 1 }, cancel.signal),
      job.run({ task, agent: { kind: 'oracle' }, attempt: 2 }),
    ]);
    await job.close();
    expect([outcome(one), outcome(two)]).toEqual(['cancelled', 'reward=1']);
  });
});

it('an engine that breaks off during the tests is said, and the container is given up', async () => {
  const task = await scratch.task({});
  let disposed = 0;
  // No engine can be made to break off at just this moment, so the connection does it.
  const broken: SandboxEngine = {
    info: engine.info,
    prepareImage: async (...args) => engine.prepareImage(...args),
    reap: async () => engine.reap(),
    start: async (spec) => {
      const started = await engine.start(spec);
      if (!started.ok) return started;
      const { sandbox } = started;
      const weak: Sandbox = {
        id: sandbox.id,
        workdir: sandbox.workdir,
        exec: async (command, options) => {
          if (command.argv.some((word) => word.includes('/tests/test.sh'))) throw new EngineError('The engine is gone.');
          return sandbox.exec(command, options);
        },
        put: async (tar, dest) => sandbox.put(tar, dest),
        get: async (path) => sandbox.get(path),
        has: async (path) => sandbox.has(path),
        endProcesses: async (mark) => sandbox.endProcesses(mark),
        hasProcesses: async (mark) => sandbox.hasProcesses(mark),
        [Symbol.asyncDispose]: async () => {
          disposed++;
          await sandbox[Symbol.asyncDispose]();
        },
      };
      return { ok: true, sandbox: weak };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const { record } = await runOne(broken, scratch, task, { kind: 'oracle' });
  expect(record).toMatchObject({
    exception: { type: 'EngineError', message: 'The engine is gone.' },
    undecided: { reason: 'engine-failed' },
    reading: null,
  });
  expect(disposed).toBe(1);
  expect(await json(record.dir!, 'result.json')).toMatchObject({ exception_info: { exception_type: 'EngineError' } });
});

it('works on a path with spaces, quotes and an emoji', async () => {
  const task = await scratch.task({}, `my "best" 'task' 🎯`);
  const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
  expect(outcome(record)).toBe('reward=1');
  expect(record.name.startsWith(`my "best" 'task' 🎯__`)).toBe(true);
  const result = await json(record.dir!, 'result.json');
  expect(result).toMatchObject({ task_id: { path: `tasks/my "best" 'task' 🎯` } });
  expect(new URL(String(result.trial_uri)).protocol).toBe('file:');
});

describe.skipIf(process.getuid?.() !== 0)('a full disk for the jobs folder', () => {
  let small: string;
  beforeEach(async () => {
    small = join(scratch.dir, 'small');
    await mkdir(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]);
  });
  afterEach(() => {
    execFileSync('umount', [small]);
  });

  it('is said, with what to do, and leaves no container', async () => {
    const task = await scratch.task({ 'tests/test.sh': sh('head -c 5000000 /dev/zero; mkdir /logs/verifier/more; for i in 1 2 3; do echo $i > /logs/verifier/more/$i; done; echo 1 > /logs/verifier/reward.txt') });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' }, { jobsDir: small });
    expect(record).toMatchObject({ exception: { type: 'OSError' }, undecided: { reason: 'engine-failed' } });
    expect(record.undecided?.message).toMatch(/could not be written: the disk is full\. Free some space, or choose/);
    expect(containersOf(record.name)).toBe('');
  });

  it('is said before anything runs', async () => {
    await writeFile(join(small, 'fill'), Buffer.alloc(2 ** 20)).catch(() => undefined);
    await expect(open(engine, scratch, { jobsDir: small })).rejects.toThrow(/could not be written: the disk is full/);
  });
});
