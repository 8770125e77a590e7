import { compareCodePoints } from '../../text/code-points';
import { formatPython } from '../python-number';
import type { AgentUsage } from './agent';
import { Float, writeJson, type JsonObject } from './json';
import { localTime, utcTime } from './names';
import { passAtK } from './pass-at-k';
import { writableRewards, type Rewards } from './trial-result';

/** What a job's record needs of one ended trial. */
export interface EndedTrial {
  readonly name: string;
  readonly taskName: string;
  readonly agent: string;
  /** Without its provider. */
  readonly model: string | null;
  readonly source: string | null;
  readonly rewards: Rewards | null;
  readonly exceptionType: string | null;
  readonly usage: AgentUsage | null;
}

export interface JobState {
  readonly id: string;
  readonly startedAt: Date;
  readonly now: Date;
  readonly offsetMinutes: number;
  /** `running` is every moment between the very start and the end: its `updated_at` is in UTC. */
  readonly moment: 'start' | 'running' | 'end';
  /** Planned trials. */
  readonly total: number;
  readonly running: number;
  readonly ended: readonly EndedTrial[];
}

/** The job's `result.json` (harbor-results.md, section 5). */
export function jobResultFile(state: JobState): string {
  const local = localTime(state.now, state.offsetMinutes);
  const value: JsonObject = {
    id: state.id,
    started_at: localTime(state.startedAt, state.offsetMinutes),
    updated_at: state.moment === 'running' ? utcTime(state.now) : local,
    finished_at: state.moment === 'end' ? local : null,
    n_total_trials: state.total,
    stats: stats(state),
  };
  return writeJson(value, { indent: 4 });
}

function stats(state: JobState): JsonObject {
  const { ended } = state;
  const groups = new Map<string, EndedTrial[]>();
  for (const trial of ended) {
    const key = evalsKey(trial);
    groups.set(key, [...(groups.get(key) ?? []), trial]);
  }
  const evals = [...groups].map(([key, trials]) => [key, evaluation(trials, state.moment === 'end')] as const);
  const cost = total(ended, (usage) => usage.costUsd);
  return {
    n_completed_trials: ended.length,
    n_errored_trials: ended.filter((trial) => trial.exceptionType !== null).length,
    n_running_trials: state.running,
    n_pending_trials: Math.max(0, state.total - ended.length - state.running),
    n_cancelled_trials: ended.filter((trial) => trial.exceptionType === 'CancelledError').length,
    n_retries: 0,
    evals: Object.fromEntries(evals),
    n_input_tokens: total(ended, (usage) => usage.inputTokens),
    n_cache_tokens: total(ended, (usage) => usage.cacheTokens),
    n_output_tokens: total(ended, (usage) => usage.outputTokens),
    cost_usd: cost === null ? null : new Float(cost),
  };
}

function evalsKey(trial: EndedTrial): string {
  return [trial.agent, trial.model, trial.source ?? 'adhoc'].filter((part) => part !== null).join('__');
}

function evaluation(trials: readonly EndedTrial[], final: boolean): JsonObject {
  const graded = trials.map(({ name, taskName, rewards }) => ({ name, taskName, rewards: writableRewards(rewards) }));
  const rewardStats: Record<string, Record<string, string[]>> = Object.create(null) as Record<string, never>;
  for (const { name, rewards } of graded) {
    for (const [key, number] of Object.entries(rewards ?? {})) {
      const values = (rewardStats[key] ??= {});
      (values[formatPython(number)] ??= []).push(name);
    }
  }
  const exceptionStats: Record<string, string[]> = {};
  for (const { name, exceptionType } of trials)
    if (exceptionType !== null) (exceptionStats[exceptionType] ??= []).push(name);
  const atK = final ? [...passAtK(graded)].map(([k, value]) => [String(k), new Float(value)] as const) : [];
  return {
    n_trials: graded.filter(({ rewards }) => rewards !== null).length,
    n_errors: trials.filter((trial) => trial.exceptionType !== null).length,
    metrics: [mean(graded.map(({ rewards }) => rewards))],
    pass_at_k: Object.fromEntries(atK),
    reward_stats: rewardStats,
    exception_stats: exceptionStats,
  };
}

/** The metric of a job that names none. A missing reward counts 0; several keys have a mean each. */
function mean(rewards: readonly (Rewards | null)[]): JsonObject {
  const keys = [...new Set(rewards.flatMap((one) => Object.keys(one ?? {})))].sort(compareCodePoints);
  const average = (values: readonly number[]): Float =>
    new Float(values.reduce((sum, value) => sum + value, 0) / values.length);
  if (keys.length <= 1) return { mean: average(rewards.map((one) => Object.values(one ?? {})[0]?.value ?? 0)) };
  return Object.fromEntries(keys.map((key) => [key, average(rewards.map((one) => one?.[key]?.value ?? 0))]));
}

function total(trials: readonly EndedTrial[], of: (usage: AgentUsage) => number | null): number | null {
  const known = trials.map(({ usage }) => (usage === null ? null : of(usage))).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
