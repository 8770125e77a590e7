import type { Finding } from '../finding';
import { fingerprint } from '../rules/fingerprint';
import { settingsFile, settingsRules } from './read';
import type { Settings } from './settings';

export interface CheckedPath {
  /** The task relative to the workspace root, with `/`. */
  readonly taskPath: string;
  /** Indexes of the allowances that let something of it pass. */
  readonly usedAllowances: readonly number[];
}

/**
 * Allowances of taskwright.toml that let nothing pass, as findings about that file. One is only judged where all the
 * files that it can mean belong to one of the checked tasks, and its rule is run.
 */
export function unusedAllowances(
  { allow }: Settings,
  isOff: (ruleId: string) => boolean,
  checked: readonly CheckedPath[],
): readonly Finding[] {
  const used = new Set(checked.flatMap(({ usedAllowances }) => usedAllowances));
  return allow.flatMap(({ rule, path, range }, index): Finding[] => {
    if (used.has(index) || isOff(rule) || !checked.some(({ taskPath }) => isWithin(path, taskPath))) return [];
    const { id, severity, why } = settingsRules.unused;
    return [
      {
        ruleId: id,
        severity,
        confidence: 'certain',
        file: settingsFile,
        range,
        path: ['allow', index],
        message: `${rule} finds nothing at ${path}, so this allowance lets nothing pass.`,
        why,
        fixes: [],
        tag: 'unnecessary',
        fingerprint: fingerprint(id, rule, path),
      },
    ];
  });
}

/** Does everything that a pattern can mean lie in a task? */
function isWithin(pattern: string, taskPath: string): boolean {
  const literal = /^[^*?[\]!\\]*/u.exec(pattern.replace(/^\//u, ''))?.[0] ?? '';
  const anchored = pattern.replace(/\/$/u, '').includes('/');
  return anchored && (literal.replace(/\/$/u, '') === taskPath || literal.startsWith(`${taskPath}/`));
}
