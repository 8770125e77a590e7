/** Does a pattern of one path segment match? `*`, `?`, `[a-z]`, `[^a]` and `\x` as in Go's filepath.Match. */
export function matchSegment(pattern: string, text: string): boolean {
  if (!/[*?[\\]/.test(pattern)) return pattern === text;
  let p = 0;
  let t = 0;
  let star = -1;
  let starText = 0;
  while (t < text.length) {
    const token = p < pattern.length ? tokenAt(pattern, p) : undefined;
    if (token?.kind === 'star') {
      star = p;
      starText = t;
      p++;
    } else if (token?.matches(text[t] ?? '') === true) {
      p = token.next;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++starText;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

interface GlobToken {
  readonly kind: 'star' | 'one';
  readonly next: number;
  readonly matches: (char: string) => boolean;
}

function tokenAt(pattern: string, at: number): GlobToken {
  const char = pattern[at] ?? '';
  if (char === '*') return { kind: 'star', next: at + 1, matches: () => false };
  if (char === '?') return { kind: 'one', next: at + 1, matches: () => true };
  if (char === '\\' && at + 1 < pattern.length) {
    const escaped = pattern[at + 1];
    return { kind: 'one', next: at + 2, matches: (one) => one === escaped };
  }
  const close = char === '[' ? pattern.indexOf(']', at + 2) : -1;
  if (close < 0) return { kind: 'one', next: at + 1, matches: (one) => one === char };
  const negated = pattern[at + 1] === '^';
  const set = pattern.slice(at + (negated ? 2 : 1), close);
  return { kind: 'one', next: close + 1, matches: (one) => inSet(set, one) !== negated };
}

function inSet(set: string, char: string): boolean {
  for (let at = 0; at < set.length; at++) {
    const low = set[at] ?? '';
    if (set[at + 1] === '-' && at + 2 < set.length) {
      if (low <= char && char <= (set[at + 2] ?? '')) return true;
      at += 2;
    } else if (low === char) return true;
  }
  return false;
}

/** Has a path any character that makes it a pattern? */
export function isPattern(path: string): boolean {
  return /[*?[]/.test(path);
}
