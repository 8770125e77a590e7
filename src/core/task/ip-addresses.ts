/** Addresses and networks as Python's `ipaddress` reads and writes them. */

export type NetworkResult =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: 'malformed' | 'host-bits' };

/** The address as a number, or null. Octets must not have a leading zero. */
export function parseIpv4(text: string): bigint | null {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/u.test(octet) && Number(octet) <= 255)) {
    return null;
  }
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

/** The address in its compressed spelling, or null. A zone such as `%eth0` is kept. */
export function parseIpv6(text: string): string | null {
  const [address = '', zone, ...more] = text.split('%');
  if (more.length > 0 || zone === '') return null;
  const value = ipv6Value(address);
  return value === null ? null : compressIpv6(value) + (zone === undefined ? '' : `%${zone}`);
}

/** `address/prefix`, `address/netmask` or `address/hostmask` with all bits behind the prefix zero. */
export function parseNetwork(text: string): NetworkResult {
  const [address = '', mask = '', ...more] = text.split('/');
  if (more.length > 0) return { ok: false, reason: 'malformed' };
  const v4 = parseIpv4(address);
  const value = v4 ?? ipv6Value(address);
  if (value === null) return { ok: false, reason: 'malformed' };
  const bits = v4 === null ? 128 : 32;
  const prefix = prefixLength(mask, bits);
  if (prefix === null) return { ok: false, reason: 'malformed' };
  const hostMask = (1n << BigInt(bits - prefix)) - 1n;
  if ((value & hostMask) !== 0n) return { ok: false, reason: 'host-bits' };
  return { ok: true, value: `${v4 === null ? compressIpv6(value) : address}/${prefix}` };
}

function prefixLength(mask: string, bits: 32 | 128): number | null {
  if (/^\d+$/u.test(mask)) return Number(mask) <= bits ? Number(mask) : null;
  const value = bits === 32 ? parseIpv4(mask) : null;
  if (value === null) return null;
  const all = (1n << 32n) - 1n;
  // A netmask is ones followed by zeros, a hostmask the reverse; all zeros is read as a netmask.
  for (const ones of [value, value ^ all]) {
    const zeros = ones ^ all;
    if ((zeros & (zeros + 1n)) === 0n) return 32 - zeros.toString(2).replaceAll('0', '').length;
  }
  return null;
}

function ipv6Value(text: string): bigint | null {
  const parts = text.split(':');
  if (parts.length < 3) return null;
  const last = parts.at(-1) ?? '';
  if (last.includes('.')) {
    const v4 = parseIpv4(last);
    if (v4 === null) return null;
    parts.splice(-1, 1, (v4 >> 16n).toString(16), (v4 & 0xffffn).toString(16));
  }
  if (parts.length > 9) return null;
  const gaps = parts.flatMap((part, index) => (part === '' && index > 0 && index < parts.length - 1 ? [index] : []));
  if (gaps.length > 1) return null;
  const gap = gaps[0];
  let groups: string[];
  if (gap === undefined) {
    if (parts.length !== 8) return null;
    groups = parts;
  } else {
    // A text that starts or ends with `::` has one more empty part there; a lone colon there is an error.
    const head = parts.slice(0, gap);
    const tail = parts.slice(gap + 1);
    if (head[0] === '' && (head.length > 1 || head.shift() === undefined)) return null;
    if (tail.at(-1) === '' && (tail.length > 1 || tail.pop() === undefined)) return null;
    const missing = 8 - head.length - tail.length;
    if (missing < 1) return null;
    groups = [...head, ...new Array<string>(missing).fill('0'), ...tail];
  }
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/iu.test(group))) return null;
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function compressIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(16 * (7 - i))) & 0xffffn).toString(16));
  let best = { start: -1, length: 0 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  if (best.length < 2) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}
