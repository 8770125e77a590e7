import type { Files } from '../../core/files';
import type { TrialRecord } from '../../core/results/record';
import { unsupportedReasons } from '../../core/task/support';
import type { Grammars } from '../../core/text/syntax-tree';
import type { EngineEvent } from '../../protocol/engine';
import { loadStrategies } from '../cheats/catalogue';
import { createProber } from '../cheats/probe';
import type { GateTarget } from '../gates/options';
import { prepareCheats, type CheatKit } from '../gates/prepare-cheats';
import { openJob } from '../job/job';
import type { RunningJob } from '../job/options';
import type { SandboxEngine } from '../sandbox';
import type { AgentSpec } from '../trial/spec';

/** What acts in a job that judges nothing; `cheat` stands for every cheat that applies. */
export type JobAgent = SingleAgent | { readonly kind: 'cheat' };

type SingleAgent = { readonly kind: 'oracle' | 'nop' } | { readonly kind: 'command'; readonly command: string };

export interface RunAgentOptions {
  /** All of them load. */
  readonly targets: readonly GateTarget[];
  readonly agent: JobAgent;
  readonly attempts: number;
  readonly engine: SandboxEngine;
  /** Absolute. */
  readonly jobsDir: string;
  readonly jobName: string | null;
  readonly resume: boolean;
  readonly maxConcurrent: number | null;
  readonly rewardKey: string | null;
  readonly cheatsDir: string;
  /** The parsers of shell and Python; asked for only where cheats are tried. */
  readonly grammars: () => Promise<Grammars>;
  readonly files: Files;
  readonly workingDir: string;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly emit: (event: EngineEvent) => void;
  readonly streamOutput: boolean;
  readonly signal: AbortSignal;
}

export interface TaskTrials {
  readonly target: GateTarget;
  /** By cheat, if there are several, then by attempt. */
  readonly records: readonly TrialRecord[];
  /** Cheats that were not run → why. */
  readonly left: readonly { readonly strategy: string; readonly reason: string }[];
}

export type RunAgentResult =
  | { readonly ok: true; /** Absolute. */ readonly jobDir: string; readonly tasks: readonly TaskTrials[] }
  | { readonly ok: false; readonly reason: 'not-writable' | 'conflict' | 'installation'; readonly message: string };

/** Runs one agent on every target, in one job. */
export async function runAgent(options: RunAgentOptions): Promise<RunAgentResult> {
  const { agent, engine, targets } = options;
  let kit: CheatKit | null = null;
  if (agent.kind === 'cheat') {
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
    resume: options.resume,
    plan: {
      agents: agent.kind === 'cheat' ? [] : [specOf(agent)],
      tasks: targets.map(({ task }) => task.dir),
      attempts: options.attempts,
      totalTrials: agent.kind === 'cheat' ? null : targets.length * options.attempts,
    },
    maxConcurrent: options.maxConcurrent,
    rewardKey: options.rewardKey,
    emit: options.emit,
    streamOutput: options.streamOutput,
    signal: options.signal,
    hostEnv: options.hostEnv,
    workingDir: options.workingDir,
    version: options.version,
  });
  if (!opening.ok) return opening;
  const { job } = opening;
  try {
    const tasks = await Promise.all(targets.map((target) => runTask(target, job, kit, options)));
    return { ok: true, jobDir: job.dir, tasks };
  } finally {
    await job.close();
  }
}

async function runTask(
  target: GateTarget,
  job: RunningJob,
  kit: CheatKit | null,
  options: RunAgentOptions,
): Promise<TaskTrials> {
  const { task } = target;
  const { agent } = options;
  const left: { strategy: string; reason: string }[] = [];
  const specs: AgentSpec[] = [];
  if (agent.kind !== 'cheat') specs.push(specOf(agent));
  else if (kit !== null && unsupportedReasons(task).length === 0) {
    const image = await job.image(task, options.signal);
    const prepared = await prepareCheats(target, image.ok ? image.image : null, kit, {
      files: options.files,
      rewardKey: options.rewardKey,
      strategies: null,
      hostEnv: options.hostEnv,
      signal: options.signal,
    });
    for (const cheat of prepared) {
      if (cheat.kind === 'run') specs.push({ kind: 'cheat', cheat: cheat.run });
      else left.push({ strategy: cheat.strategy, reason: cheat.reason });
    }
  }
  const numbers = Array.from({ length: options.attempts }, (_, at) => at + 1);
  const records = await Promise.all(
    specs.flatMap((spec) =>
      numbers.map((attempt) => job.run({ task, agent: spec, attempt, source: target.dataset ?? null })),
    ),
  );
  await job.releaseTask(task.dir);
  options.emit({ type: 'task-finished', task: task.dir, receipt: null });
  return { target, records, left };
}

function specOf(agent: SingleAgent): AgentSpec {
  return agent.kind === 'command' ? agent : { kind: agent.kind };
}
