import type { NetworkMode, PhaseNetwork, TaskConfig } from './config';
import { verifierMode } from './verifier-mode';

export interface NetworkPolicy {
  readonly mode: NetworkMode;
  /** Only for `allowlist`; empty denies everything. */
  readonly hosts: readonly string[];
}

/** What a run adds to the task's own policies (harbor-task.md, section 13). */
export interface ExtraHosts {
  readonly environment?: readonly string[];
  readonly agent?: readonly string[];
}

export interface NetworkPlan {
  /** In force from the start of the agent's environment; agent set-up always runs under it. */
  readonly baseline: NetworkPolicy;
  readonly agent: NetworkPolicy;
  /** The baseline of the environment in which the verifier runs. */
  readonly verifierBaseline: NetworkPolicy;
  readonly verifier: NetworkPolicy;
}

/** Resolves the network policy of every phase of a single-step task (`step` null) or of one step. */
export function networkPlan(config: TaskConfig, step: number | null = null, extra: ExtraHosts = {}): NetworkPlan {
  const own = step === null ? undefined : config.steps[step];
  const baseline = merge(policyOf(config.environment), extra.environment ?? []);
  const agent = override(own?.agent) ?? override(config.agent) ?? baseline;
  const resolved = verifierMode(config, step);
  const verifierBaseline =
    resolved.mode === 'shared'
      ? baseline
      : merge(policyOf(resolved.environment), resolved.isCopy ? (extra.environment ?? []) : []);
  return {
    baseline,
    agent: merge(agent, extra.agent ?? []),
    verifierBaseline,
    verifier: override(own?.verifier) ?? override(config.verifier) ?? verifierBaseline,
  };
}

/** Equal policies are not switched; the order of the hosts does not matter. */
export function samePolicy(a: NetworkPolicy, b: NetworkPolicy): boolean {
  if (a.mode !== b.mode) return false;
  if (a.mode !== 'allowlist') return true;
  return [...new Set(a.hosts)].sort().join('\n') === [...new Set(b.hosts)].sort().join('\n');
}

function policyOf(table: { network_mode: NetworkMode; allowed_hosts: readonly string[] | null }): NetworkPolicy {
  return { mode: table.network_mode, hosts: table.network_mode === 'allowlist' ? (table.allowed_hosts ?? []) : [] };
}

function override(phase: PhaseNetwork | undefined): NetworkPolicy | null {
  if (phase === undefined || phase.network_mode === null) return null;
  return policyOf({ network_mode: phase.network_mode, allowed_hosts: phase.allowed_hosts });
}

/** Extra hosts do nothing to an open network and open an allow-list in any other. */
function merge(policy: NetworkPolicy, extra: readonly string[]): NetworkPolicy {
  if (extra.length === 0 || policy.mode === 'public') return policy;
  return { mode: 'allowlist', hosts: [...new Set([...policy.hosts, ...extra])] };
}
