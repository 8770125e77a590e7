import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseReward } from '../../core/gates/reward';
import { noUsage, type AgentUsage } from '../../core/results/harbor/agent';
import type { JsonObject } from '../../core/results/harbor/json';
import { trialLock, trialLockFile } from '../../core/results/harbor/lock';
import { utcTime } from '../../core/results/harbor/names';
import { trialConfigFile, type TrialSettings } from '../../core/results/harbor/trial-config';
import type { Timing } from '../../core/results/harbor/trial-result';
import type { NotCopied, PhaseFacts } from '../../core/results/taskwright-file';
import type { RewardReading, TrialRecord } from '../../core/results/record';
import { resolveEnv } from '../../core/task/templates';
import type { Phase, TrialOutcome } from '../../protocol/engine';
import { harborAgent, noReport, nothingDone, type AgentInput } from '../agents/agent';
import { plantedPaths, runCheat } from '../agents/cheat';
import { runCommand } from '../agents/command';
import { noSolution, runOracle } from '../agents/oracle';
import { readReport } from '../agents/report';
import { EngineError, TransferError, type Image, type Sandbox } from '../sandbox';
import { limitOf, type AgentEnd, type AgentReport, type TaskHashes, type TrialContext } from './context';
import type { TrialScope, Trouble } from './context';
import { DiskError, LogFile, makeFolder, writeWhole } from './disk';
import { cancelled, checkTask, imageTrouble, startSandbox, type Buildable } from './environment';
import { collectArtifacts, downloadFolder } from './logs';
import { harborSettings, trialRecord, writeResults, type TrialStory, type TrialTimes } from './results';
import { findSecrets, scrubReading, scrubText, type Secrets } from './secrets';
import type { TrialSpec } from './spec';
import { verify, type VerifierEnd } from './verify';

/** A trial that is over, with what the job's own files need of it. */
export interface FinishedTrial {
  readonly record: TrialRecord;
  readonly usage: AgentUsage | null;
  readonly model: string | null;
}

const noSecrets: Secrets = { values: [], names: [], tooShort: [] };

/**
 * One agent on one single-step task with a shared verifier, as harbor-run.md section 3 describes it. Whatever goes
 * wrong is in the record; only a bug rejects. Three things differ on purpose from Harbor:
 *
 * - after a limit or a cancel no process of the agent's or verifier's command goes on (Harbor leaves them running);
 * - a task that cannot be built gets a record of its own instead of ending the whole job;
 * - a missing solution, and what is not supported, is said before anything is built.
 */
export class Trial {
  /** What `lock.json` holds of it, here and in the job's folder. */
  readonly lock: JsonObject;
  private readonly began: number;
  private readonly startedAt: Date;
  private readonly id: string;
  private readonly log: LogFile;
  private readonly scope: TrialScope;
  private readonly phases: PhaseFacts[] = [];
  private readonly notCopied = new Map<string, NotCopied>();
  private readonly remarks: string[] = [];
  private secrets = noSecrets;
  private buildable: (Buildable & { readonly ok: true }) | null = null;
  private image: Image | null = null;
  private sandbox: Sandbox | null = null;
  private agent: AgentEnd = nothingDone;
  private report: AgentReport | null = null;
  private planted: readonly string[] = [];
  private verifier: VerifierEnd | null = null;
  private over: { readonly at: Date; readonly durationSec: number } | null = null;
  private trouble: (Trouble & { readonly at: Date }) | null = null;
  private readonly times: { -readonly [K in keyof TrialTimes]?: Timing | null } = {};

  constructor(
    private readonly context: TrialContext,
    private readonly spec: TrialSpec,
    private readonly name: string,
    /** Absolute; made by the job. */
    private readonly dir: string,
    private readonly hashes: TaskHashes,
    private readonly signal: AbortSignal,
  ) {
    this.began = context.clock.seconds();
    this.startedAt = context.clock.now();
    this.id = context.random.uuid();
    this.log = new LogFile(join(dir, 'trial.log'));
    const { task } = spec;
    const version = task.config?.task?.version ?? null;
    this.lock = trialLock({ name: task.dirName, version, digest: hashes.digest }, this.settings());
    this.scope = {
      context,
      task: spec.task,
      name,
      dir,
      signal,
      log: (line) => {
        this.say(line);
      },
      remark: (text) => {
        this.remarks.push(text);
        this.say(text);
      },
      output: (phase, text) => {
        const clean = scrubText(text, this.secrets);
        context.emit({ type: 'output', task: spec.task.dir, trial: name, phase, text: clean });
      },
    };
  }

  async run(): Promise<FinishedTrial> {
    const { context, spec } = this;
    context.emit({
      type: 'trial-started',
      trial: this.name,
      task: spec.task.dir,
      agent: spec.agent.kind,
      strategy: spec.agent.kind === 'cheat' ? spec.agent.cheat.label : null,
      attempt: spec.attempt,
      dir: this.dir,
    });
    try {
      await this.act();
    } catch (error) {
      this.fail(this.signal.aborted && !(error instanceof DiskError) ? cancelled : troubleOf(error));
    } finally {
      await this.stop();
    }
    return this.finish();
  }

  private async act(): Promise<void> {
    await this.prepareFolder();
    const { spec, context } = this;
    if (this.signal.aborted) {
      this.fail(cancelled);
      return;
    }
    const check = checkTask(spec.task, context.hostEnv);
    if (!check.ok) {
      this.fail(check.trouble);
      return;
    }
    this.buildable = check;
    const verifierEnv = resolveEnv(check.config.verifier.env, (name) => context.hostEnv[name]);
    if (verifierEnv.ok) this.secrets = findSecrets(verifierEnv.env);
    for (const name of this.secrets.tooShort)
      this.say(`The value of ${name} looks secret, but is too short to be taken out of the files.`);
    if (spec.agent.kind === 'oracle' && spec.task.layout.solveScript === null) {
      this.fail(noSolution());
      return;
    }
    if (!(await this.setUp(check))) return;
    await this.actAndVerify(check);
  }

  private async prepareFolder(): Promise<void> {
    for (const name of ['agent', 'verifier', join('artifacts', 'logs', 'artifacts')]) {
      await makeFolder(join(this.dir, name));
    }
    await this.log.open();
    await writeWhole(join(this.dir, 'lock.json'), trialLockFile(this.lock));
    await writeWhole(join(this.dir, 'config.json'), trialConfigFile(this.settings()));
  }

  /** Image and container; false when there is none. */
  private async setUp(check: Buildable & { readonly ok: true }): Promise<boolean> {
    const { context, spec } = this;
    const limitSec = limitOf(check.config.environment.build_timeout_sec);
    const began = context.clock.seconds();
    const startedAt = context.clock.now();
    this.times.environmentSetup = { startedAt, finishedAt: null };
    const done = (ok: boolean): boolean => {
      this.times.environmentSetup = { startedAt, finishedAt: context.clock.now() };
      return ok;
    };
    const image = await this.phase('image', 'image', () => context.image(spec.task, this.signal));
    if (!image.ok) {
      this.fail(imageTrouble(image, limitSec));
      return done(false);
    }
    this.image = image.image;
    const left = limitSec === null ? null : Math.max(0, limitSec - (context.clock.seconds() - began));
    const pidsLimit = spec.agent.kind === 'cheat' ? 4096 : null;
    const started = await this.phase('start', 'start', () =>
      startSandbox(this.scope, { config: check.config, image: image.image, env: check.env, limitSec: left, pidsLimit }),
    );
    if (started.ok) this.sandbox = started.sandbox;
    else this.fail(started.trouble);
    return done(started.ok);
  }

  private async actAndVerify(check: Buildable & { readonly ok: true }): Promise<void> {
    const { context, sandbox, signal } = this;
    if (sandbox === null) return;
    const input: AgentInput = { sandbox, config: check.config, env: check.env };
    const now = context.clock.now();
    this.times.agentSetup = { startedAt: now, finishedAt: now };
    this.report = noReport(noUsage);
    this.agent = await this.timed('agentExecution', 'agent', () => this.runAgent(input));
    if (this.agent.trouble !== null) this.fail(this.agent.trouble);
    await this.phase('artifacts', null, () => this.collect(sandbox, check));
    if (!this.agent.verify || signal.aborted) {
      if (signal.aborted) this.fail(cancelled);
      return;
    }
    const watch = this.spec.agent.kind === 'cheat' ? this.agent.mark : null;
    const end = await this.timed('verification', 'verifier', () => verify(this.scope, input, watch));
    const clean = (reading: RewardReading | null): RewardReading | null =>
      reading && scrubReading(reading, this.secrets);
    this.verifier = { ...end, reading: clean(end.reading), late: clean(end.late) };
    if (this.verifier.trouble !== null) this.fail(this.verifier.trouble);
    this.tell('finish', null);
    this.keep(await downloadFolder(this.scope, sandbox, '/logs/verifier', 'verifier'));
    // A mount in Harbor: what the tests write there shows as well.
    this.keep(await downloadFolder(this.scope, sandbox, '/logs/artifacts', 'artifacts/logs/artifacts'));
  }

  private async runAgent(input: AgentInput): Promise<AgentEnd> {
    const { agent } = this.spec;
    switch (agent.kind) {
      case 'nop':
        return nothingDone;
      case 'oracle':
        return runOracle(this.scope, input);
      case 'command':
        return runCommand(this.scope, input, agent.command);
      case 'cheat':
        return runCheat(this.scope, input, agent.cheat);
    }
  }

  private async collect(sandbox: Sandbox, check: Buildable & { readonly ok: true }): Promise<void> {
    const agentDir = join(this.dir, 'agent');
    this.keep(await downloadFolder(this.scope, sandbox, '/logs/agent', 'agent'));
    const { exitCode } = this.agent;
    if (exitCode !== null && exitCode !== 0) await writeWhole(join(agentDir, 'exit-code.txt'), String(exitCode));
    if (this.spec.agent.kind === 'command') {
      this.report = await readReport(agentDir);
      for (const remark of this.report.remarks) this.scope.remark(remark);
    }
    if (this.spec.agent.kind === 'cheat') {
      const log = await readFile(join(agentDir, 'cheat.txt'), 'utf8').catch(() => '');
      this.planted = plantedPaths(log);
    }
    this.keep(await collectArtifacts(this.scope, sandbox, check.config.artifacts));
  }

  private async stop(): Promise<void> {
    const { sandbox } = this;
    this.sandbox = null;
    await sandbox?.[Symbol.asyncDispose]();
  }

  private async finish(): Promise<FinishedTrial> {
    const { context } = this;
    this.over = { at: context.clock.now(), durationSec: this.elapsed() };
    const logFailure = await this.log.flush();
    if (logFailure !== null) this.fail(troubleOf(logFailure));
    try {
      await writeResults(context, this.story(), this.dir);
    } catch (error) {
      this.fail(troubleOf(error));
    }
    const record = trialRecord(this.story(), this.dir);
    const decision = record.reading === null ? null : chooseReward(record.reading, context.rewardKey);
    const outcome: TrialOutcome =
      record.exception?.type === 'CancelledError' ? 'cancelled' : decision?.kind === 'reward' ? 'scored' : 'unscored';
    context.emit({
      type: 'trial-finished',
      trial: this.name,
      task: this.spec.task.dir,
      agent: this.spec.agent.kind,
      strategy: record.cheat?.strategy ?? null,
      outcome,
      reward: decision?.account?.value ?? null,
      exception: record.exception?.type ?? null,
      dir: this.dir,
      durationSec: record.durationSec,
    });
    return {
      record,
      usage: this.report?.usage ?? null,
      model: this.report?.model?.name ?? null,
    };
  }

  private story(): TrialStory {
    const { times, context } = this;
    return {
      id: this.id,
      spec: this.spec,
      settings: this.settings(),
      hashes: this.hashes,
      config: this.buildable?.config ?? this.spec.task.config,
      image: this.image,
      agent: this.agent,
      report: this.report,
      planted: this.planted,
      verifier: this.verifier,
      trouble: this.trouble,
      times: {
        startedAt: this.startedAt,
        finishedAt: this.over?.at ?? context.clock.now(),
        environmentSetup: times.environmentSetup ?? null,
        agentSetup: times.agentSetup ?? null,
        agentExecution: times.agentExecution ?? null,
        verification: times.verification ?? null,
      },
      phases: this.phases,
      notCopied: [...this.notCopied.values()],
      remarks: this.remarks,
      secrets: this.secrets,
      durationSec: this.over?.durationSec ?? this.elapsed(),
    };
  }

  /** Whole milliseconds, so that the record reads back as it was written. */
  private elapsed(): number {
    return Math.round((this.context.clock.seconds() - this.began) * 1000) / 1000;
  }

  private settings(): TrialSettings {
    return harborSettings(this.context, this.spec, this.name, harborAgent(this.spec.agent, this.report));
  }

  /** Harbor records the first trouble; a later one is only logged. */
  private fail(trouble: Trouble): void {
    this.say(`${trouble.type}: ${trouble.message}`);
    this.trouble ??= { ...trouble, at: this.context.clock.now() };
  }

  private say(line: string): void {
    const clean = scrubText(line, this.secrets);
    this.log.write(clean);
    this.context.jobLog.write(`${this.name}: ${clean}`);
  }

  private keep(notCopied: readonly NotCopied[]): void {
    for (const one of notCopied) this.notCopied.set(one.path, one);
  }

  private tell(phase: Phase, detail: string | null): void {
    this.context.emit({ type: 'phase', task: this.spec.task.dir, trial: this.name, phase, detail });
  }

  private async phase<T>(name: PhaseFacts['name'], told: Phase | null, act: () => Promise<T>): Promise<T> {
    if (told !== null) this.tell(told, null);
    const began = this.context.clock.seconds();
    const startedAt = utcTime(this.context.clock.now());
    try {
      return await act();
    } finally {
      this.phases.push({ name, startedAt, durationSec: this.context.clock.seconds() - began });
    }
  }

  private async timed<T>(
    key: 'agentExecution' | 'verification',
    name: 'agent' | 'verifier',
    act: () => Promise<T>,
  ): Promise<T> {
    const startedAt = this.context.clock.now();
    this.times[key] = { startedAt, finishedAt: null };
    try {
      return await this.phase(name, name, act);
    } finally {
      this.times[key] = { startedAt, finishedAt: this.context.clock.now() };
    }
  }
}

/** What a failure of the world outside means for the trial. Anything else is a bug and goes on its way. */
function troubleOf(error: unknown): Trouble {
  if (error instanceof EngineError) return { type: 'EngineError', message: error.message, undecided: 'engine-failed' };
  if (error instanceof DiskError) return { type: 'OSError', message: error.message, undecided: 'engine-failed' };
  if (error instanceof TransferError) return { type: 'RuntimeError', message: error.message, undecided: 'no-reward' };
  throw error;
}
