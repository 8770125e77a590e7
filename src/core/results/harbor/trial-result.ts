import type { RewardNumber } from '../record';
import { agentInfo, type AgentUsage } from './agent';
import { Float, writeJson, type Json, type JsonObject } from './json';
import { utcTime } from './names';
import { trialConfig, type TrialSettings } from './trial-config';

export interface Timing {
  readonly startedAt: Date;
  /** null while it runs. */
  readonly finishedAt: Date | null;
}

export interface TrialException {
  /** Class name without a module. */
  readonly type: string;
  readonly message: string;
  readonly traceback: string;
  readonly occurredAt: Date;
}

export type Rewards = Readonly<Record<string, RewardNumber>>;

/** Everything that a single-step trial's `result.json` holds (harbor-results.md, section 2). */
export interface TrialResult {
  readonly id: string;
  readonly taskName: string;
  /** `file://` URI of the trial's folder. */
  readonly trialUri: string;
  readonly taskChecksum: string;
  readonly settings: TrialSettings;
  /** null until the agent phase began. */
  readonly usage: AgentUsage | null;
  /** null: no verifier result. Its rewards are null where there is none that Harbor can hold. */
  readonly verifier: { readonly rewards: Rewards | null } | null;
  readonly exception: TrialException | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly environmentSetup: Timing | null;
  readonly agentSetup: Timing | null;
  readonly agentExecution: Timing | null;
  readonly verification: Timing | null;
}

/**
 * The rewards as Harbor's files may hold them. A reward of nan or infinity would be written as null, and Harbor could
 * read the whole file no more; so rewards of which one is not finite are left out, and only `taskwright.json` has them.
 */
export function writableRewards(rewards: Rewards | null): Rewards | null {
  if (rewards === null) return null;
  return Object.values(rewards).every((number) => Number.isFinite(number.value)) ? rewards : null;
}

/** `text` is applied to every text value: it takes secrets out. */
export function trialResultFile(result: TrialResult, text?: (text: string) => string): string {
  const { settings, exception } = result;
  const value: JsonObject = {
    id: result.id,
    task_name: result.taskName,
    trial_name: settings.trialName,
    trial_uri: result.trialUri,
    task_id: { path: settings.taskPath },
    source: settings.source,
    task_checksum: result.taskChecksum,
    config: trialConfig(settings),
    agent_info: agentInfo(settings.agent),
    agent_result: result.usage === null ? null : agentContext(result.usage),
    verifier_result:
      result.verifier === null ? null : { rewards: rewardsJson(writableRewards(result.verifier.rewards)) },
    verifier_environment_mode: 'shared',
    exception_info:
      exception === null
        ? null
        : {
            exception_type: exception.type,
            exception_message: exception.message,
            exception_traceback: exception.traceback,
            occurred_at: utcTime(exception.occurredAt),
          },
    started_at: utcTime(result.startedAt),
    finished_at: result.finishedAt === null ? null : utcTime(result.finishedAt),
    environment_setup: timing(result.environmentSetup),
    agent_setup: timing(result.agentSetup),
    agent_execution: timing(result.agentExecution),
    verifier: timing(result.verification),
    step_results: null,
  };
  return writeJson(value, text ? { indent: 4, text } : { indent: 4 });
}

function agentContext(usage: AgentUsage): JsonObject {
  return {
    n_input_tokens: usage.inputTokens,
    n_cache_tokens: usage.cacheTokens,
    n_output_tokens: usage.outputTokens,
    cost_usd: usage.costUsd === null ? null : new Float(usage.costUsd),
    rollout_details: null,
    metadata: null,
  };
}

function rewardsJson(rewards: Rewards | null): Json {
  if (rewards === null) return null;
  return Object.fromEntries(
    Object.entries(rewards).map(([key, { value, kind }]) => [key, kind === 'int' ? value : new Float(value)]),
  );
}

function timing(timing: Timing | null): Json {
  if (timing === null) return null;
  return {
    started_at: utcTime(timing.startedAt),
    finished_at: timing.finishedAt === null ? null : utcTime(timing.finishedAt),
  };
}
