import { nextStep } from '../../core/gates/advice';
import type { CheatTrial } from '../../core/gates/cheat-outcome';
import { judgeCheatTrial } from '../../core/gates/cheat-outcome';
import type { GateTaskResult } from '../../core/gates/document';
import { judgeGate, notRun, type GateTrial } from '../../core/gates/judge';
import { cheatBlockedBy, judgeCheatGate, type CheatEntry } from '../../core/gates/judge-cheat';
import { sentence } from '../../core/gates/message';
import { decide } from '../../core/gates/reward';
import { gateNames } from '../../core/gates/settings';
import type { GateName, GateResult, HitAccount } from '../../core/gates/verdict';
import type { TrialRecord } from '../../core/results/record';
import { unsupportedReasons } from '../../core/task/support';
import { writeReproduction, type Reproduction } from '../cheats/reproduction';
import type { RunningJob } from '../job/options';
import type { AgentSpec } from '../trial/spec';
import type { GateTarget, RunGatesOptions } from './options';
import { prepareCheats, type CheatKit, type PreparedCheat } from './prepare-cheats';
import { keepOutcome } from './trial-outcome';

export interface TaskRun {
  readonly options: RunGatesOptions;
  readonly job: RunningJob;
  /** null when no cheats are asked for. */
  readonly kit: CheatKit | null;
}

/** What a task's gates said, and the trials they rest on. */
export interface JudgedTask {
  /** Those that ran, also the ones that were not asked for. */
  readonly results: readonly GateResult[];
  readonly records: ReadonlyMap<GateName, readonly TrialRecord[]>;
  /** Cheats of the catalogue that were tried → version. */
  readonly strategies: Readonly<Record<string, number>>;
}

/** Runs the gates of one task: `oracle` and `nop` side by side, then the cheats. Never rejects for what a task does. */
export async function gateTask(target: GateTarget, run: TaskRun): Promise<JudgedTask> {
  const { options } = run;
  const cheats = options.gates.includes('cheat');
  const preparing = cheats ? prepareEarly(target, run) : null;
  const wanted = (['oracle', 'nop'] as const).filter((gate) => cheats || options.gates.includes(gate));
  const basic = await Promise.all(wanted.map((gate) => runBasic(gate, target, run)));
  const records = new Map<GateName, readonly TrialRecord[]>(basic.map(({ result, trials }) => [result.gate, trials]));
  const results = basic.map(({ result }) => result);
  if (preparing === null) return { results, records, strategies: {} };

  start('cheat', target, options);
  const tried = await runCheats(target, run, results, records.get('nop') ?? [], preparing);
  finish(tried.result, target, options);
  // Where the cheats are not run, the probe may still be at work, with a container of its own.
  await Promise.allSettled([preparing]);
  records.set('cheat', tried.trials);
  return { results: [...results, tried.result], records, strategies: tried.strategies };
}

/** The gates of a folder that Harbor does not load: nothing is run. */
export function notLoadable(target: GateTarget, options: RunGatesOptions): readonly GateResult[] {
  const { task } = target;
  const why = task.harbor.reason ?? 'Harbor does not take this folder for a task.';
  const message = `${task.name}: ${sentence(why)} ${nextStep('not-loadable')}`;
  return options.gates.map((gate) => {
    start(gate, target, options);
    const result = notRun(gate, 'not-loadable', message);
    finish(result, target, options);
    return result;
  });
}

/** Only what was asked for, in the order of `gateNames`. */
export function reportOf(
  target: GateTarget,
  judged: JudgedTask,
  options: RunGatesOptions,
  receipt: string | null,
): GateTaskResult {
  return {
    path: target.path,
    name: target.task.name,
    gates: gateNames.flatMap((name) =>
      options.gates.includes(name) ? judged.results.filter(({ gate }) => gate === name) : [],
    ),
    receipt: receipt === null ? null : options.showPath(receipt),
  };
}

async function runBasic(
  gate: 'oracle' | 'nop',
  target: GateTarget,
  run: TaskRun,
): Promise<{ readonly result: GateResult; readonly trials: readonly TrialRecord[] }> {
  const { options } = run;
  const { task } = target;
  start(gate, target, options);
  if (gate === 'oracle' && task.layout.solveScript === null && task.layout.steps.length === 0) {
    const script = task.layout.os === 'windows' ? 'solution/solve.bat' : 'solution/solve.sh';
    const message = `${task.name}: there is no reference solution, so nothing shows that the task can be solved. Add ${script}.`;
    const result = notRun('oracle', 'blocked', message);
    finish(result, target, options);
    return { result, trials: [] };
  }
  const trials = await attempts({ kind: gate }, target, run);
  const result = judgeGate(gate, task.name, trials.map(asGateTrial(options)), options.settings);
  finish(result, target, options);
  return { result, trials };
}

/** Facts and probe need only the image, so they are had while the first two gates run. */
function prepareEarly(target: GateTarget, run: TaskRun): Promise<readonly PreparedCheat[]> {
  const { options, job, kit } = run;
  const prepare = async (): Promise<readonly PreparedCheat[]> => {
    if (kit === null) throw new Error('cheats are asked for, but were not loaded');
    // The first two gates say so; an image of such a task is none that a trial would have.
    if (unsupportedReasons(target.task).length > 0) return [];
    const image = await job.image(target.task, options.signal);
    return prepareCheats(target, image.ok ? image.image : null, kit, {
      files: options.files,
      rewardKey: options.settings.rewardKey,
      strategies: options.strategies,
      hostEnv: options.hostEnv,
      signal: options.signal,
    });
  };
  const preparing = prepare();
  // Awaited only if the gates before it pass; until then a failure is nobody's.
  preparing.catch(() => undefined);
  return preparing;
}

interface TriedCheats {
  readonly result: GateResult;
  readonly trials: readonly TrialRecord[];
  readonly strategies: Readonly<Record<string, number>>;
}

async function runCheats(
  target: GateTarget,
  run: TaskRun,
  preconditions: readonly GateResult[],
  nopTrials: readonly TrialRecord[],
  preparing: Promise<readonly PreparedCheat[]>,
): Promise<TriedCheats> {
  const { options } = run;
  const { task } = target;
  const none = { trials: [], strategies: {} };
  if (options.signal.aborted)
    return {
      ...none,
      result: notRun(
        'cheat',
        'cancelled',
        `${task.name}: the run was stopped before any cheat was tried. ${nextStep('cancelled')}`,
      ),
    };
  const blocked = cheatBlockedBy(task.name, preconditions, options.gates);
  if (blocked !== null) return { ...none, result: notRun('cheat', 'blocked', blocked) };

  const prepared = await preparing;
  const nopReward = highest(nopTrials, options.settings.rewardKey);
  const tried = await Promise.all(
    prepared.map(async (cheat): Promise<readonly CheatEntry[]> => {
      if (cheat.kind !== 'run') return [cheat];
      const trials = await attempts({ kind: 'cheat', cheat: cheat.run }, target, run);
      return Promise.all(trials.map((record) => entryFor(record, cheat, nopReward, target, options)));
    }),
  );
  const entries = tried.flat();
  const catalogue = prepared.flatMap((cheat): [string, number][] =>
    cheat.kind === 'run' && cheat.run.source === 'catalogue' ? [[cheat.run.label, cheat.run.version]] : [],
  );
  return {
    result: judgeCheatGate(task.name, entries, nopReward, options.settings),
    trials: entries.flatMap((entry) => (entry.kind === 'trial' ? [entry.trial.record] : [])),
    strategies: Object.fromEntries(catalogue),
  };
}

async function entryFor(
  record: TrialRecord,
  cheat: PreparedCheat & { readonly kind: 'run' },
  nopReward: number,
  target: GateTarget,
  options: RunGatesOptions,
): Promise<CheatEntry> {
  const { level, expect, targets } = cheat.run;
  const trial: CheatTrial = { ...asGateTrial(options)(record), level, expect, targets };
  const judgement = judgeCheatTrial(trial, nopReward, options.settings);
  await keepOutcome(record, judgement.outcome, options.files);
  if (judgement.fault === null) return { kind: 'trial', trial, explanation: null };
  const planted = record.cheat?.planted ?? [];
  const reward = judgement.decision.account?.raw.trim() ?? '';
  const texts = cheat.explain(planted, reward);
  const script = await reproduction(record, { run: cheat.run, taskName: target.task.name, explanation: texts });
  const explanation: HitAccount = {
    planted,
    ...texts,
    reproduction: script === null ? null : options.showPath(script),
  };
  return { kind: 'trial', trial, explanation };
}

/** null where the trial's folder takes no more files; the verdict does not rest on it. */
async function reproduction(record: TrialRecord, hit: Reproduction): Promise<string | null> {
  if (record.dir === null) return null;
  try {
    return await writeReproduction(record.dir, hit);
  } catch {
    return null;
  }
}

async function attempts(
  agent: AgentSpec,
  target: GateTarget,
  { job, options }: TaskRun,
): Promise<readonly TrialRecord[]> {
  const numbers = Array.from({ length: options.settings.attempts }, (_, at) => at + 1);
  return Promise.all(
    numbers.map((attempt) => job.run({ task: target.task, agent, attempt, source: target.dataset ?? null })),
  );
}

/** The best that doing nothing earned: a cheat has to do better to count. */
function highest(trials: readonly TrialRecord[], rewardKey: string | null): number {
  const values = trials.flatMap((record) => {
    const decision = decide(record, rewardKey);
    return decision.kind === 'reward' ? [decision.value] : [];
  });
  return values.length === 0 ? 0 : Math.max(...values);
}

function asGateTrial(options: RunGatesOptions): (record: TrialRecord) => GateTrial {
  return (record) => ({ record, path: record.dir === null ? null : options.showPath(record.dir) });
}

/** What was not asked for is run in silence: it is a means, and has no line of its own anywhere. */
function start(gate: GateName, target: GateTarget, options: RunGatesOptions): void {
  if (options.gates.includes(gate)) options.emit({ type: 'gate-started', task: target.task.dir, gate });
}

function finish(result: GateResult, target: GateTarget, options: RunGatesOptions): void {
  if (options.gates.includes(result.gate))
    options.emit({ type: 'gate-finished', task: target.task.dir, gate: result.gate, result });
}
