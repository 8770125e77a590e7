import { noUsage, type AgentUsage } from './harbor/agent';

/** What the two files by which an agent can tell of itself say. */
export interface ReadUsage {
  readonly usage: AgentUsage;
  readonly version: string | null;
  readonly model: { readonly name: string; readonly provider: string | null } | null;
  readonly from: string | null;
  /** What could not be taken, for people. */
  readonly remarks: readonly string[];
}

/**
 * Tokens and cost of an agent, from `final_metrics` of its trajectory (atif.md, section 3.9), else from `usage.json`:
 *
 * ```json
 * {"n_input_tokens": 1200, "n_cache_tokens": 300, "n_output_tokens": 80, "cost_usd": 0.0042}
 * ```
 *
 * Every member may be missing or null; tokens are whole numbers from 0 (input tokens include cached ones), the cost is
 * a number from 0 in US dollars. A text is null where the file is not there. Values that do not fit are left out with a
 * remark.
 */
export function readUsage(trajectory: string | null, usageFile: string | null): ReadUsage {
  const remarks: string[] = [];
  const told = trajectory === null ? null : object(trajectory, 'trajectory.json', remarks);
  const metrics = told === null ? null : told.final_metrics;
  const agent = told === null ? null : told.agent;
  const version = isObject(agent) && typeof agent.version === 'string' ? agent.version : null;
  const model = isObject(agent) && typeof agent.model_name === 'string' ? modelOf(agent.model_name) : null;
  if (isObject(metrics)) {
    const names = ['total_prompt_tokens', 'total_cached_tokens', 'total_completion_tokens', 'total_cost_usd'] as const;
    const usage = take(metrics, names, 'trajectory.json', remarks);
    if (Object.values(usage).some((value) => value !== null))
      return { usage, version, model, from: 'trajectory.json', remarks };
  }
  const file = usageFile === null ? null : object(usageFile, 'usage.json', remarks);
  if (file === null) return { usage: noUsage, version, model, from: null, remarks };
  const names = ['n_input_tokens', 'n_cache_tokens', 'n_output_tokens', 'cost_usd'] as const;
  for (const name of Object.keys(file))
    if (!(names as readonly string[]).includes(name)) remarks.push(`usage.json: "${name.slice(0, 80)}" is not known.`);
  return { usage: take(file, names, 'usage.json', remarks), version, model, from: 'usage.json', remarks };
}

type Names = readonly [input: string, cache: string, output: string, cost: string];

function take(from: Record<string, unknown>, names: Names, file: string, remarks: string[]): AgentUsage {
  const number = (name: string, whole: boolean): number | null => {
    const value = from[name] ?? null;
    if (value === null) return null;
    if (typeof value === 'number' && value >= 0 && (!whole || Number.isSafeInteger(value))) return value;
    remarks.push(`${file}: "${name}" is no ${whole ? 'whole ' : ''}number from 0, and was left out.`);
    return null;
  };
  return {
    inputTokens: number(names[0], true),
    cacheTokens: number(names[1], true),
    outputTokens: number(names[2], true),
    costUsd: number(names[3], false),
  };
}

function object(text: string, file: string, remarks: string[]): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  remarks.push(`${file} is no JSON object.`);
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function modelOf(name: string): { name: string; provider: string | null } {
  const slash = name.indexOf('/');
  return slash < 0 ? { name, provider: null } : { name: name.slice(slash + 1), provider: name.slice(0, slash) };
}
