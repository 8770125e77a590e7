import { nextStep } from '../../core/gates/advice';
import { readGateInputs } from '../../core/gates/inputs';
import { notRun } from '../../core/gates/judge';
import type { GateTaskResult } from '../../core/gates/document';
import type { GateInputs, NewProof, ReceiptMachine } from '../../core/gates/receipt';
import { isWorthKeeping } from '../../core/gates/receipt';
import type { GateResult } from '../../core/gates/verdict';
import type { TrialRecord } from '../../core/results/record';
import type { Task } from '../../core/task/task';
import { loadStrategies } from '../cheats/catalogue';
import { createProber } from '../cheats/probe';
import { openJob } from '../job/job';
import type { RunningJob } from '../job/options';
import type { SandboxEngine } from '../sandbox';
import { gateTask, notLoadable, reportOf, type JudgedTask } from './gate-task';
import type { GateTarget, RunGatesOptions, RunGatesResult } from './options';
import type { CheatKit } from './prepare-cheats';
import { keepReceipt } from './receipts';

/** Tasks at work at once, where nothing else is asked for: enough to keep the machine busy while an image builds. */
const defaultTasksAtOnce = 4;

/**
 * Runs the gates of every target in one job and keeps the receipts. A task that cannot be judged gets that as its
 * verdict and stops no other.
 */
export async function runGates(options: RunGatesOptions): Promise<RunGatesResult> {
  const loadable = options.targets.filter(loads);
  const opened = loadable.length === 0 ? null : await open(loadable, options);
  if (opened?.ok === false) return opened;
  const tasks = new Map<GateTarget, GateTaskResult>();
  try {
    await inOrder(options.targets, options.maxConcurrent ?? defaultTasksAtOnce, async (target) => {
      const result =
        opened === null || !loads(target) ? unloaded(target, options) : await oneTask(target, opened, options);
      tasks.set(target, result);
    });
  } finally {
    await opened?.job.close();
  }
  return {
    ok: true,
    tasks: options.targets.flatMap((target) => tasks.get(target) ?? []),
    jobDir: opened?.job.dir ?? null,
  };
}

interface Opened {
  readonly ok: true;
  readonly job: RunningJob;
  readonly engine: SandboxEngine;
  readonly kit: CheatKit | null;
}

async function open(
  targets: readonly GateTarget[],
  options: RunGatesOptions,
): Promise<Opened | (RunGatesResult & { readonly ok: false })> {
  const { engine, gates } = options;
  if (engine === null) throw new Error('tasks are to be run, but there is no engine');
  let kit: CheatKit | null = null;
  if (gates.includes('cheat')) {
    const loaded = await loadStrategies(options.files, options.cheatsDir);
    if (!loaded.ok) return { ok: false, reason: 'installation', message: loaded.message };
    kit = {
      strategies: loaded.strategies,
      probe: createProber(engine, loaded.probeScript),
      grammars: options.grammars,
    };
  }
  const opening = await openJob({
    engine,
    jobsDir: options.jobsDir,
    jobName: options.jobName,
    resume: false,
    plan: {
      agents:
        gates.includes('cheat') || gates.length === 2
          ? [{ kind: 'oracle' }, { kind: 'nop' }]
          : gates.flatMap((gate) => (gate === 'cheat' ? [] : [{ kind: gate }])),
      tasks: targets.map(({ task }) => task.dir),
      attempts: options.settings.attempts,
      totalTrials: null,
    },
    maxConcurrent: options.maxConcurrent,
    rewardKey: options.settings.rewardKey,
    emit: options.emit,
    streamOutput: options.streamOutput,
    signal: options.signal,
    hostEnv: options.hostEnv,
    workingDir: options.workingDir,
    version: options.version,
  });
  if (!opening.ok) return { ok: false, reason: 'not-writable', message: opening.message };
  return { ok: true, job: opening.job, engine, kit };
}

async function oneTask(target: GateTarget, opened: Opened, options: RunGatesOptions): Promise<GateTaskResult> {
  try {
    return await judgeTask(target, opened, options);
  } catch (error) {
    // A fault of ours in one task is no reason to lose the others.
    const { task } = target;
    const why = error instanceof Error ? error.message : String(error);
    const message = `${task.name}: taskwright itself failed: ${why}. ${nextStep('engine-failed')}`;
    const results = options.gates.map((gate) => notRun(gate, 'engine-failed', message));
    for (const result of results) options.emit({ type: 'gate-finished', task: task.dir, gate: result.gate, result });
    options.emit({ type: 'task-finished', task: task.dir, receipt: null });
    return reportOf(target, { results, records: new Map(), strategies: {} }, options, null);
  }
}

async function judgeTask(
  target: GateTarget,
  { job, engine, kit }: Opened,
  options: RunGatesOptions,
): Promise<GateTaskResult> {
  const { task } = target;
  const inputs = await inputsOf(target, options);
  const judged = await gateTask(target, { options, job, kit });
  const [receipt] = await Promise.all([keep(target, judged, inputs, engine, options), job.releaseTask(task.dir)]);
  options.emit({ type: 'task-finished', task: task.dir, receipt });
  return reportOf(target, judged, options, receipt);
}

function unloaded(target: GateTarget, options: RunGatesOptions): GateTaskResult {
  const results = notLoadable(target, options);
  options.emit({ type: 'task-finished', task: target.task.dir, receipt: null });
  return reportOf(target, { results, records: new Map(), strategies: {} }, options, null);
}

/** Absolute path of the receipt, or null when there is nothing worth keeping, or it cannot be kept. */
async function keep(
  target: GateTarget,
  judged: JudgedTask,
  before: GateInputs,
  engine: SandboxEngine,
  options: RunGatesOptions,
): Promise<string | null> {
  const { task, workspace } = target;
  const kept = judged.results.filter((result) => isWorthKeeping(result) && isWhole(result, options));
  if (kept.length === 0) return null;
  // A proof names what it rests on; after an edit halfway nobody knows which version a trial saw.
  if (JSON.stringify(await inputsOf(target, options)) !== JSON.stringify(before)) {
    options.note(`${task.name} was changed while its gates ran, so no receipt was kept. Run them again.`);
    return null;
  }
  const at = options.now();
  const proofs = kept.map((result): NewProof => {
    const strategies = result.gate === 'cheat' ? judged.strategies : {};
    return { result, at, machine: machineOf(task, judged.records.get(result.gate) ?? [], strategies, engine, options) };
  });
  const written = await keepReceipt(task, workspace, proofs, before, options.files, options.sha256);
  if (!written.ok) {
    options.note(written.message);
    return null;
  }
  if (written.note !== null) options.note(written.note);
  return written.path;
}

/** Some cheats of the list prove nothing about the gate as a whole. */
function isWhole(result: GateResult, options: RunGatesOptions): boolean {
  return result.gate !== 'cheat' || options.strategies === null;
}

function inputsOf({ task, workspace }: GateTarget, options: RunGatesOptions): Promise<GateInputs> {
  return readGateInputs(options.files, task.dir, workspace, options.settings);
}

function machineOf(
  { config }: Task,
  records: readonly TrialRecord[],
  strategies: Readonly<Record<string, number>>,
  engine: SandboxEngine,
  options: RunGatesOptions,
): ReceiptMachine {
  const known = records.find(({ imageDigest }) => imageDigest !== null);
  return {
    imageDigest: known?.imageDigest ?? null,
    architecture: known?.architecture ?? null,
    engine: engine.info.version,
    taskwright: options.version,
    limits: {
      cpus: config?.environment.cpus ?? null,
      memoryMb: config?.environment.memory_mb ?? null,
      buildSec: config?.environment.build_timeout_sec ?? null,
      agentSec: config?.agent.timeout_sec ?? null,
      verifierSec: config?.verifier.timeout_sec ?? null,
    },
    strategies,
  };
}

function loads({ task }: GateTarget): boolean {
  return task.harbor.outcome === 'loads';
}

/** Works on the list from its start, on at most `atOnce` items at a time. */
async function inOrder<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const item = items[next];
      next += 1;
      if (item === undefined) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
