import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TrialRecord } from '../../../src/core/results/record';
import { readTask } from '../../../src/core/task/read';
import type { Task } from '../../../src/core/task/task';
import { connectDocker } from '../../../src/engine/docker/connect';
import { openJob } from '../../../src/engine/job/job';
import type { JobOptions, RunningJob } from '../../../src/engine/job/options';
import type { SandboxEngine } from '../../../src/engine/sandbox';
import type { AgentSpec, CheatRun } from '../../../src/engine/trial/spec';
import { nodeFiles } from '../../../src/node/files';
import type { EngineEvent } from '../../../src/protocol/engine';

const plain = join(import.meta.dirname, '..', '..', 'tasks', 'trials', 'plain');

export async function connect(): Promise<SandboxEngine> {
  const result = await connectDocker({
    host: null,
    env: process.env,
    homedir: homedir(),
    platform: process.platform,
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(result.message);
  return result.engine;
}

/** A temporary folder that goes with the test. */
export class Scratch implements AsyncDisposable {
  private constructor(readonly dir: string) {}

  static async make(): Promise<Scratch> {
    return new Scratch(await mkdtemp(join(tmpdir(), 'taskwright-test-')));
  }

  /** A copy of the plain task with some files changed; null removes one. `\r` and all other bytes are kept. */
  async task(changes: Readonly<Record<string, string | null>>, name = 'plain'): Promise<Task> {
    const dir = join(this.dir, 'tasks', name);
    await cp(plain, dir, { recursive: true });
    for (const [path, text] of Object.entries(changes)) {
      const file = join(dir, path);
      if (text === null) await rm(file, { recursive: true });
      else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    }
    return readTask(nodeFiles, dir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}

export interface Ran {
  readonly job: RunningJob;
  readonly record: TrialRecord;
  readonly events: readonly EngineEvent[];
}

export async function open(
  engine: SandboxEngine,
  scratch: Scratch,
  options: Partial<JobOptions> = {},
): Promise<{ job: RunningJob; events: EngineEvent[] }> {
  const events: EngineEvent[] = [];
  const opening = await openJob({
    engine,
    jobsDir: join(scratch.dir, 'jobs'),
    jobName: null,
    resume: false,
    plan: { agents: [{ kind: 'oracle' }], tasks: [], attempts: 1, totalTrials: null },
    maxConcurrent: null,
    rewardKey: null,
    emit: (event) => events.push(event),
    streamOutput: false,
    signal: new AbortController().signal,
    hostEnv: {},
    workingDir: scratch.dir,
    version: '0.0.0-test',
    ...options,
  });
  if (!opening.ok) throw new Error(opening.message);
  return { job: opening.job, events };
}

/** One trial in a job of its own. */
export async function runOne(
  engine: SandboxEngine,
  scratch: Scratch,
  task: Task,
  agent: AgentSpec,
  options: Partial<JobOptions> = {},
): Promise<Ran> {
  const { job, events } = await open(engine, scratch, options);
  try {
    const record = await job.run({ task, agent, attempt: 1 });
    return { job, record, events };
  } finally {
    await job.close();
  }
}

export function cheatOf(script: string, changes: Partial<CheatRun> = {}): AgentSpec {
  return {
    kind: 'cheat',
    cheat: {
      label: 'test-cheat',
      source: 'catalogue',
      version: 1,
      level: 2,
      knowledge: 'blind',
      files: [{ name: 'cheat.sh', content: Buffer.from(script), mode: 0o755 }],
      entry: 'cheat.sh',
      args: [],
      env: {},
      user: 'agent',
      timeoutSec: 30,
      expect: null,
      title: null,
      targets: null,
      ...changes,
    },
  };
}

export async function json(...path: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(...path), 'utf8')) as Record<string, unknown>;
}

/** The reward as a gate would see it, or the name of what stands in its place. */
export function outcome(record: TrialRecord): string {
  if (record.undecided) return record.undecided.reason;
  const { reading } = record;
  if (reading === null) return record.exception?.type ?? 'nothing';
  if (!reading.ok) return reading.error;
  return Object.entries(reading.rewards ?? {})
    .map(([key, number]) => `${key}=${String(number.value)}`)
    .join(' ');
}
