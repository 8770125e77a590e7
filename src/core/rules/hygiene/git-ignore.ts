import ignore from 'ignore';
import type { Subject } from '../../model/subject';

/** Stars of one pattern; more of them make matching slow and mean nothing. */
const maxStars = 6;

/** Patterns as a `.gitignore` has them, which are globs whose last part may stand anywhere. */
export function patternMatcher(patterns: readonly string[]): (path: string) => boolean {
  const usable = patterns.filter((pattern) => pattern.length < 500 && pattern.split('*').length <= maxStars + 1);
  const matcher = ignore().add(usable);
  return (path) => matcher.ignores(path);
}

/** Whether a `.gitignore` of the task leaves a path out. What lies above the task folder is not known. */
export function gitIgnores(subject: Subject): (path: string) => boolean {
  const levels: { readonly below: string; readonly ignores: (path: string) => boolean }[] = [];
  for (const path of subject.disk?.texts.keys() ?? []) {
    if (path !== '.gitignore' && !path.endsWith('/.gitignore')) continue;
    const text = subject.text(path);
    if (text === null) continue;
    levels.push({
      below: path.slice(0, -'.gitignore'.length),
      ignores: patternMatcher(text.split(/\r?\n/u).slice(0, 1_000)),
    });
  }
  return (path) =>
    levels.some(({ below, ignores }) => path.startsWith(below) && path !== below && ignores(path.slice(below.length)));
}
