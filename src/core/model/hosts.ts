/**
 * Is a host of a URL somewhere else than the task's own containers? Silent (false) where that is unclear: a name without
 * a dot may be a service of a compose file, and names that standards keep for examples lead nowhere.
 */
export function isExternalHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/gu, '')
    .replace(/\.$/u, '');
  if (name === '' || name.includes('$') || name.includes('{')) return false;
  if (name.includes(':') || /^[0-9.]+$/u.test(name)) return isPublicAddress(name);
  if (!name.includes('.')) return false;
  return !/(?:^|\.)(?:localhost|localdomain|local|internal|test|invalid|example|lan|home\.arpa)$/u.test(name);
}

function isPublicAddress(address: string): boolean {
  // Of IPv6 only loopback and local addresses occur in tasks; anything else is not judged.
  if (address.includes(':')) return false;
  const [a = 0, b = 0] = address.split('.').map(Number);
  if (address.split('.').length !== 4) return false;
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168);
  return !(isPrivate || a === 0 || a === 127 || (a === 169 && b === 254) || a >= 224);
}

/** The host of a URL with a scheme, or of `user@host:path` as Git and scp take it; null when it has none. */
export function hostOf(url: string): string | null {
  const full = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]]*\]|[^/:?#\s]+)/iu.exec(url);
  if (full) return full[1] ?? null;
  return /^[\w.-]+@([\w.-]+):/u.exec(url)?.[1] ?? null;
}
