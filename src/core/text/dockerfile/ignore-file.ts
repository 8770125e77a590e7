import { matchSegment } from './glob';
import { lineAt } from './joined-lines';

/** One pattern of a `.dockerignore`. */
export interface IgnoreRule {
  /** As written, trimmed. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** `!`: takes back in what earlier patterns leave out. */
  readonly negated: boolean;
  readonly segments: readonly string[];
}

/** Reads a `.dockerignore`. Lines that begin with `#` and empty ones are no patterns. */
export function readIgnoreFile(text: string): readonly IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const line = lineAt(text, at);
    const written = text.slice(line.start, line.end);
    at = line.next;
    const trimmed = written.trim();
    if (trimmed === '' || written.startsWith('#')) continue;
    const negated = trimmed.startsWith('!');
    const segments = cleanSegments(negated ? trimmed.slice(1).trim() : trimmed);
    if (segments === null) continue;
    const start = line.start + written.indexOf(trimmed);
    rules.push({ text: trimmed, start, end: start + trimmed.length, negated, segments });
  }
  return rules;
}

/** The pattern that leaves a path of the context out; null when it is sent. The last pattern that fits decides. */
export function ignoredBy(rules: readonly IgnoreRule[], path: string): IgnoreRule | null {
  const segments = path.split('/');
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at];
    if (rule !== undefined && matchesPathOrParent(rule.segments, segments)) return rule.negated ? null : rule;
  }
  return null;
}

/** Walks the segments with every place the pattern may have come to; `**` stands for any number of folders. */
function matchesPathOrParent(pattern: readonly string[], path: readonly string[]): boolean {
  let states = withSkips(pattern, new Set([0]));
  for (const segment of path) {
    const next = new Set<number>();
    for (const state of states) {
      const part = pattern[state];
      if (part === undefined) continue;
      if (part === '**') {
        if (state === pattern.length - 1) return true;
        next.add(state);
      } else if (matchSegment(part, segment)) next.add(state + 1);
    }
    if (next.has(pattern.length)) return true;
    if (next.size === 0) return false;
    states = withSkips(pattern, next);
  }
  return false;
}

function withSkips(pattern: readonly string[], states: Set<number>): Set<number> {
  for (const state of states) if (pattern[state] === '**' && state < pattern.length - 1) states.add(state + 1);
  return states;
}

/** A cleaned path: null when nothing is left of it. */
function cleanSegments(pattern: string): readonly string[] | null {
  const segments: string[] = [];
  for (const segment of pattern.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else segments.push(segment);
  }
  return segments.length === 0 ? null : segments;
}
