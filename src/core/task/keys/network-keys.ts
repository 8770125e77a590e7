import { allowedHostFormat } from './formats';
import type { TableTrouble } from './key';
import { choice, list, optional, text } from './key';

export const networkModes = {
  'no-network': 'No network at all.',
  public: 'The open network.',
  allowlist: 'Only the hosts of `allowed_hosts`.',
} as const;

export const allowedHosts = list(text(), allowedHostFormat);

/** The network keys of a phase, which override the environment's policy while the phase runs. */
export const phaseNetworkKeys = {
  network_mode: optional(choice(networkModes), {
    doc: "Network policy during this phase only. Absent: the environment's own.",
    since: '1.3',
  }),
  allowed_hosts: optional(allowedHosts, {
    doc: 'Hosts that stay reachable with `network_mode = "allowlist"`; none denies everything.',
    constraint: 'Only together with `network_mode = "allowlist"`; an empty list needs a `network_mode`, too.',
    since: '1.3',
    aliases: [{ name: 'allowed_domains' }, { name: 'allow_hosts' }, { name: 'allowlist' }, { name: 'hosts' }],
  }),
};

/** The table check of harbor-task.md, sections 6 and 8. */
export function hostsWithMode(
  values: Readonly<Record<string, unknown>>,
  { emptyNeedsMode }: { readonly emptyNeedsMode: boolean },
): readonly TableTrouble[] {
  const { network_mode: mode, allowed_hosts: hosts } = values;
  if (!Array.isArray(hosts) || mode === 'allowlist') return [];
  if (mode === null && (emptyNeedsMode || hosts.length > 0)) {
    return [{ key: 'allowed_hosts', message: 'allowed_hosts needs network_mode = "allowlist" in the same table.' }];
  }
  if (hosts.length === 0) return [];
  return [
    {
      key: 'allowed_hosts',
      message: `allowed_hosts needs network_mode = "allowlist" in the same table; it is ${JSON.stringify(mode)}.`,
    },
  ];
}
