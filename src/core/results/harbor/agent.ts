import type { Json, JsonObject } from './json';

/** An agent as Harbor's files name it. */
export interface HarborAgent {
  readonly name: string;
  readonly version: string;
  readonly kwargs: JsonObject;
  readonly model: { readonly name: string; readonly provider: string | null } | null;
}

/** Tokens and cost of a trial; null is not known (harbor-results.md, section 2, AgentContext). */
export interface AgentUsage {
  /** Includes cached tokens. */
  readonly inputTokens: number | null;
  readonly cacheTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export const noUsage: AgentUsage = { inputTokens: null, cacheTokens: null, outputTokens: null, costUsd: null };

/** Only what differs from Harbor's defaults; undefined for the default agent. */
export function agentSettings(agent: HarborAgent): JsonObject {
  return Object.keys(agent.kwargs).length === 0 ? { name: agent.name } : { name: agent.name, kwargs: agent.kwargs };
}

export function agentInfo(agent: HarborAgent): JsonObject {
  const model: Json = agent.model === null ? null : { name: agent.model.name, provider: agent.model.provider };
  return { name: agent.name, version: agent.version, model_info: model };
}
