import { matchesWhole, strip } from '../text/python-text';
import { parseIpv4, parseIpv6, parseNetwork } from './ip-addresses';

export type HostResult =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;
const refused = (reason: string): HostResult => ({ ok: false, reason });

/** One entry of `allowed_hosts`, normalised, or why Harbor refuses it (harbor-task.md, section 8.4). */
export function parseAllowedHost(entry: string): HostResult {
  const host = strip(entry).toLowerCase().replace(/\.+$/u, '');
  if (host === '') return refused('is empty');
  if (host.includes('://')) return refused('is a URL; only its host name can be allowed');
  if (host.includes('/')) {
    if (host.includes('%')) return refused('has a zone, which a network must not have');
    const network = parseNetwork(host);
    if (network.ok) return { ok: true, value: network.value };
    return refused(
      network.reason === 'host-bits'
        ? 'is a network with bits set behind its prefix'
        : 'has a path; only a host name, an address or a network in CIDR notation can be allowed',
    );
  }
  if (host.includes(':')) {
    const address = parseIpv6(host);
    return address === null
      ? refused('has a port or is no IPv6 address; a port cannot be given')
      : { ok: true, value: address };
  }
  if (/[[\]]/u.test(host)) return refused('has brackets; an IPv6 address is written without them');
  if (host.startsWith('*.')) {
    const rest = host.slice(2);
    if (parseIpv4(rest) !== null) return refused('has a wildcard before an address');
    return isHostName(rest) ? { ok: true, value: host } : refused('has no host name behind its wildcard');
  }
  if (host.includes('*')) return refused('has a wildcard elsewhere than in a leading "*."');
  return isHostName(host) ? { ok: true, value: host } : refused('is no host name (letters, digits, hyphens and dots)');
}

function isHostName(host: string): boolean {
  return host.split('.').every((part) => matchesWhole(label, part));
}
