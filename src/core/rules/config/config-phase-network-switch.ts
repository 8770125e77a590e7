import type { NetworkPlan, NetworkPolicy } from '../../task/network';
import { networkPlan, samePolicy } from '../../task/network';
import { moveStatement } from '../../text/toml-edit';
import type { TomlPath } from '../../text/toml-tree';
import { entryAt, tableAt } from '../../text/toml-tree';
import type { Rule } from '../rule';
import { sourceOf, tomlFix } from './toml-places';

export const configPhaseNetworkSwitch: Rule = {
  id: 'config-phase-network-switch',
  severity: 'information',
  confidence: 'certain',
  inputs: ['toml'],
  why: 'A policy that changes between phases needs a provider that can switch networks of a running container; a separate verifier with a policy of its own does not.',
  docs: {
    finds: "The agent's or the verifier's network policy is another than that of the container it acts in.",
    silent: 'Equal policies; a separate verifier with an environment of its own.',
    bad: '[verifier]\nnetwork_mode = "public"',
    good: '[verifier.environment]\nnetwork_mode = "public"',
  },
  *check({ toml }) {
    const source = sourceOf(toml);
    const config = toml?.config;
    if (source === null || !config) return;
    const plans: readonly [NetworkPlan, TomlPath][] =
      config.steps.length === 0
        ? [[networkPlan(config), []]]
        : config.steps.map((_, index) => [networkPlan(config, index), ['steps', index]]);
    const reported = new Set<string>();
    for (const [plan, prefix] of plans) {
      for (const phase of ['agent', 'verifier'] as const) {
        const [own, baseline] =
          phase === 'agent' ? [plan.agent, plan.baseline] : [plan.verifier, plan.verifierBaseline];
        if (samePolicy(own, baseline)) continue;
        const path = [
          [...prefix, phase, 'network_mode'],
          [phase, 'network_mode'],
        ].find((one) => entryAt(source.root, one));
        const entry = path && entryAt(source.root, path);
        if (path === undefined || entry === undefined || reported.has(JSON.stringify(path))) continue;
        reported.add(JSON.stringify(path));
        const table = tableAt(source.root, path.slice(0, -1));
        const isSimple = phase === 'verifier' && path.length === 2 && table?.entries.has('allowed_hosts') === false;
        const canSeparate = isSimple && !table.entries.has('environment') && !table.entries.has('environment_mode');
        yield {
          path,
          range: entry.value.range,
          message: `The ${phase}'s network policy (${describe(own)}) differs from that of its environment (${describe(baseline)}), so it must be switched while the container runs.`,
          fixes: canSeparate
            ? tomlFix(
                'Give the verifier an environment of its own',
                moveStatement(source, entry, ['verifier', 'environment']),
              )
            : [],
        };
      }
    }
  },
};

function describe({ mode, hosts }: NetworkPolicy): string {
  return mode === 'allowlist' ? `${mode} of ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}` : mode;
}
