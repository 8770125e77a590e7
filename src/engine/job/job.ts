import { isAbsolute, join, relative, sep } from 'node:path';
import type { HarborAgent } from '../../core/results/harbor/agent';
import { jobConfigFile } from '../../core/results/harbor/job-config';
import { jobResultFile, type EndedTrial } from '../../core/results/harbor/job-result';
import type { JsonObject } from '../../core/results/harbor/json';
import { jobLockFile } from '../../core/results/harbor/lock';
import { jobName, trialName } from '../../core/results/harbor/names';
import type { NotProvenReason } from '../../core/gates/verdict';
import type { TrialRecord } from '../../core/results/record';
import type { Task } from '../../core/task/task';
import { harborAgent } from '../agents/agent';
import { systemClock, systemRandom } from './clock';
import { claimJobFolder, readEarlierJob, removeTrials, type EarlierJob } from './folder';
import { hashTask } from './hashes';
import { JobImages } from './images';
import type { Clock, JobOpening, JobOptions, Random, RunningJob } from './options';
import type { ImageResult } from '../sandbox';
import { capacityOf, needOf, Schedule } from './schedule';
import { Trial, type FinishedTrial } from '../trial/trial';
import type { TaskHashes, TrialContext } from '../trial/context';
import { claimFolder, DiskError, LogFile, writeWhole } from '../trial/disk';
import { cancelled } from '../trial/environment';
import type { TrialSpec } from '../trial/spec';

/** Opens a job: makes or takes up its folder and writes the files that stand there from the start. */
export async function openJob(options: JobOptions): Promise<JobOpening> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const now = clock.now();
  const wanted = options.jobName ?? jobName(now, clock.offsetMinutes(now));
  if (!isFolderName(wanted)) {
    return {
      ok: false,
      reason: 'not-writable',
      message: `"${wanted}" cannot be the name of a job: it has to be the name of a folder.`,
    };
  }
  try {
    const earlier = options.resume ? await readEarlierJob(join(options.jobsDir, wanted), clock) : null;
    if (options.resume && earlier === null) {
      const where = join(options.jobsDir, wanted);
      return {
        ok: false,
        reason: 'conflict',
        message: `There is no job to resume in "${where}". Name another with --job-name, or start it without --resume.`,
      };
    }
    if (earlier !== null) await removeTrials(earlier.unfinished);
    const name = earlier === null ? await claimJobFolder(options.jobsDir, wanted) : wanted;
    const job = new Job(options, { clock, random, name, earlier });
    await job.begin();
    return { ok: true, job };
  } catch (error) {
    if (error instanceof DiskError) return { ok: false, reason: 'not-writable', message: error.message };
    throw error;
  }
}

function isFolderName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/u.test(name) && name.length <= 200;
}

interface JobParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly name: string;
  readonly earlier: EarlierJob | null;
}

class Job implements RunningJob {
  readonly id: string;
  readonly name: string;
  readonly dir: string;
  private readonly clock: Clock;
  private readonly startedAt: Date;
  private readonly log: LogFile;
  private readonly images: JobImages;
  private readonly schedule: Schedule;
  private readonly concurrent: number;
  private readonly kept: TrialRecord[] = [];
  private readonly ended: EndedTrial[] = [];
  private readonly locks: JsonObject[] = [];
  private readonly agents: HarborAgent[] = [];
  private readonly tasks = new Map<string, string | null>();
  private readonly hashes = new Map<string, Promise<TaskHashes>>();
  private running = 0;
  private waiting = 0;
  private writing: Promise<void> = Promise.resolve();
  private writeFailure: DiskError | null = null;

  constructor(
    private readonly options: JobOptions,
    private readonly parts: JobParts,
  ) {
    const { clock, random, earlier } = parts;
    this.clock = clock;
    this.id = earlier?.id ?? random.uuid();
    this.startedAt = earlier?.startedAt ?? clock.now();
    this.name = parts.name;
    this.dir = join(options.jobsDir, parts.name);
    this.log = new LogFile(join(this.dir, 'job.log'));
    for (const { record, ended, lock } of earlier?.finished ?? []) {
      this.kept.push(record);
      this.ended.push(ended);
      if (lock !== null) this.locks.push(lock);
    }
    const capacity = capacityOf(options.engine.info, options.maxConcurrent);
    this.concurrent = capacity.trials;
    this.schedule = new Schedule(capacity);
    this.images = new JobImages(options.engine, {
      onStep: (task, step) => {
        const detail = `${step.index}/${step.total} ${step.name}`;
        options.emit({ type: 'phase', task: task.dir, trial: null, phase: 'image', detail });
      },
      onOutput: (task, text) => {
        if (options.streamOutput) options.emit({ type: 'output', task: task.dir, trial: null, phase: 'image', text });
      },
    });
  }

  async begin(): Promise<void> {
    for (const agent of this.options.plan.agents) this.addAgent(harborAgent(agent, null));
    for (const task of this.options.plan.tasks) this.tasks.set(task, null);
    await this.log.open();
    await this.writeConfig();
    await this.writeLock();
    await this.writeResult('start');
    this.options.emit({ type: 'job-started', dir: this.dir });
  }

  async run(spec: TrialSpec, signal?: AbortSignal): Promise<TrialRecord> {
    const kept = this.takeKept(spec);
    if (kept !== null) return kept;
    // A signal of its own for each trial: the job's would collect a listener of every one.
    const both = AbortSignal.any(signal === undefined ? [this.options.signal] : [this.options.signal, signal]);
    const wanted = this.drawName(spec.task);
    this.options.emit({ type: 'phase', task: spec.task.dir, trial: wanted, phase: 'queued', detail: null });
    this.waiting++;
    const release = await this.schedule.acquire(needOf(spec.task.config?.environment ?? null), both);
    this.waiting--;
    if (release === null) return notRun(spec, wanted, cancelled.type, cancelled.message, 'cancelled');
    this.running++;
    try {
      const name = await this.claimTrial(spec.task, wanted);
      await this.note(spec);
      void this.save(() => this.writeResult('running'));
      const trial = new Trial(this.context(), spec, name, join(this.dir, name), await this.hashesOf(spec.task), both);
      // Not only at the end: a job that is killed leaves a lock of all that it began.
      this.locks.push(trial.lock);
      await this.save(() => this.writeLock());
      const finished = await trial.run();
      this.end(spec, finished);
      return finished.record;
    } catch (error) {
      if (error instanceof DiskError) return notRun(spec, wanted, 'OSError', error.message, 'engine-failed');
      throw error;
    } finally {
      this.running--;
      release();
      await this.save(() => this.writeResult('running'));
    }
  }

  private takeKept(spec: TrialSpec): TrialRecord | null {
    const { agent } = spec;
    const index = this.kept.findIndex(
      (record) =>
        record.taskDir === spec.task.dir &&
        record.attempt === spec.attempt &&
        record.agent === agent.kind &&
        (agent.kind !== 'cheat' || record.cheat?.strategy === agent.cheat.label),
    );
    const [record] = index < 0 ? [] : this.kept.splice(index, 1);
    return record ?? null;
  }

  private drawName(task: Task): string {
    return trialName(task.dirName, (limit) => this.parts.random.below(limit));
  }

  private async claimTrial(task: Task, wanted: string): Promise<string> {
    for (let name = wanted; ; name = this.drawName(task)) {
      if (await claimFolder(join(this.dir, name))) return name;
    }
  }

  /** Adds what the plan did not know yet to the job's configuration. */
  private async note(spec: TrialSpec): Promise<void> {
    const isNewAgent = this.addAgent(harborAgent(spec.agent, null));
    const source = spec.source ?? null;
    const isNewTask = this.tasks.get(spec.task.dir) !== source;
    this.tasks.set(spec.task.dir, source);
    if (isNewAgent || isNewTask) await this.save(() => this.writeConfig());
  }

  private addAgent(agent: HarborAgent): boolean {
    const key = JSON.stringify([agent.name, agent.kwargs]);
    if (this.agents.some((known) => JSON.stringify([known.name, known.kwargs]) === key)) return false;
    this.agents.push(agent);
    return true;
  }

  private end(spec: TrialSpec, finished: FinishedTrial): void {
    const { record } = finished;
    this.ended.push({
      name: record.name,
      taskName: spec.task.name,
      agent: record.agent,
      model: finished.model,
      source: spec.source ?? null,
      rewards: record.reading?.ok ? record.reading.rewards : null,
      exceptionType: record.exception?.type ?? null,
      usage: finished.usage,
    });
  }

  private context(): TrialContext {
    const { options } = this;
    return {
      engine: options.engine,
      jobId: this.id,
      jobName: this.name,
      jobDir: this.dir,
      jobLog: this.log,
      version: options.version,
      clock: this.clock,
      random: this.parts.random,
      hostEnv: options.hostEnv,
      rewardKey: options.rewardKey,
      streamOutput: options.streamOutput,
      emit: options.emit,
      shown: (path) => this.shown(path),
      image: (task, signal) => this.images.get(task, signal),
    };
  }

  /** As Harbor writes paths: relative to where it was started, where that is shorter. */
  private shown(path: string): string {
    const short = relative(this.options.workingDir, path);
    const isBelow = short !== '' && !short.startsWith(`..${sep}`) && short !== '..' && !isAbsolute(short);
    return isBelow ? short : path;
  }

  private async hashesOf(task: Task): Promise<TaskHashes> {
    const known = this.hashes.get(task.dir) ?? hashTask(task.dir);
    this.hashes.set(task.dir, known);
    return known;
  }

  async image(task: Task, signal?: AbortSignal): Promise<ImageResult> {
    const both = AbortSignal.any(signal === undefined ? [this.options.signal] : [this.options.signal, signal]);
    return this.images.get(task, both);
  }

  async releaseTask(taskDir: string): Promise<void> {
    await this.images.release(taskDir);
  }

  async close(): Promise<void> {
    await this.images[Symbol.asyncDispose]();
    await this.save(async () => {
      await this.writeLock();
      // A job that was interrupted has no end (harbor-results.md, section 5).
      await this.writeResult(this.options.signal.aborted ? 'running' : 'end');
    });
    await this.log.flush();
  }

  /** One write after the other. A disk that fails is said once, in the log: what the trials found is not lost by it. */
  private async save(write: () => Promise<void>): Promise<void> {
    this.writing = this.writing.then(async () => {
      try {
        await write();
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        if (this.writeFailure === null) this.log.write(error.message);
        this.writeFailure = error;
      }
    });
    await this.writing;
  }

  private async writeConfig(): Promise<void> {
    const { options } = this;
    const text = jobConfigFile({
      jobName: this.name,
      jobsDir: this.shown(options.jobsDir),
      attempts: options.plan.attempts,
      concurrent: this.concurrent,
      agents: this.agents,
      tasks: [...this.tasks].map(([dir, source]) => ({ path: this.shown(dir), source })),
    });
    await writeWhole(join(this.dir, 'config.json'), text);
  }

  private async writeLock(): Promise<void> {
    const { startedAt, concurrent, locks, options } = this;
    const text = jobLockFile({ createdAt: startedAt, concurrent, trials: locks, program: options.version });
    await writeWhole(join(this.dir, 'lock.json'), text);
  }

  private async writeResult(moment: 'start' | 'running' | 'end'): Promise<void> {
    const now = this.clock.now();
    const text = jobResultFile({
      id: this.id,
      startedAt: this.startedAt,
      now,
      offsetMinutes: this.clock.offsetMinutes(now),
      moment,
      total: Math.max(this.options.plan.totalTrials ?? 0, this.ended.length + this.running + this.waiting),
      running: this.running,
      ended: this.ended,
    });
    await writeWhole(join(this.dir, 'result.json'), text);
  }
}

/** A trial that left nothing: cancelled before its turn, or the job's folder cannot take it. */
function notRun(spec: TrialSpec, name: string, type: string, message: string, reason: NotProvenReason): TrialRecord {
  const { agent } = spec;
  return {
    name,
    dir: null,
    taskDir: spec.task.dir,
    agent: agent.kind,
    attempt: spec.attempt,
    reading: null,
    exception: { type, message },
    undecided: { reason, message },
    cheat:
      agent.kind === 'cheat'
        ? { strategy: agent.cheat.label, kind: agent.cheat.source, ran: 'broken', planted: [], late: null }
        : null,
    agentExitCode: null,
    durationSec: 0,
    imageDigest: null,
    architecture: null,
  };
}
