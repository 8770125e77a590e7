import { baseName, folderOf, isAtOrBelow } from '../../model/container-path';
import type { SolutionView } from '../../model/solution-view';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import { editDistance } from '../../text/edit-distance';
import { usePath } from '../file-fix';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionMissingFile: Rule = {
  id: 'solution-missing-file',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:solve', 'py:solution', 'tree', 'toml'],
  needsDisk: true,
  why: 'Harbor uploads what lies in `solution/` and nothing else to `/solution`, so the oracle fails on a file that is not there.',
  docs: {
    finds: 'The solve script or a file beside it runs or reads a path below `/solution` that is not in `solution/`.',
    silent:
      'Files that the solution itself writes before, uses that look first whether the file is there, patterns, and folders.',
    bad: 'python3 /solution/fixit.py      # the file is fix_it.py',
    good: 'python3 /solution/fix_it.py',
  },
  *check(subject) {
    if (subject.disk?.limit !== null) return;
    yield* once(subject.derive(solutionViews).flatMap((one) => [...claims(subject, one)]));
  },
};

function* claims(subject: Subject, { view, uses }: SolutionView): Generator<Claim> {
  const names = [...view.step.solution.keys()];
  const made = uses.flatMap(({ action, path }) => (action === 'write' || action === 'make' ? [path] : []));
  const isThere = (path: string): boolean =>
    names.some((name) => isAtOrBelow(`/solution/${name}`, path)) ||
    made.some((one) => isAtOrBelow(path, one) || folderOf(one) === path);
  for (const use of uses) {
    if (!use.path.startsWith('/solution/') || use.guarded || !['run', 'read', 'argument'].includes(use.action))
      continue;
    // An option's value may as well be something that the program makes.
    if (use.action === 'argument' || /[*?[\]{}$]/u.test(use.path) || isThere(use.path)) continue;
    const near = nearest(use.path, names);
    yield* claimAt(subject, use, {
      message: `${baseName(use.file)} uses ${use.path}, which is not in solution/${near === null ? '' : `; ${near} is`}.`,
      fixes: near === null ? [] : usePath(subject, use, use.path, near),
    });
  }
}

function nearest(path: string, names: readonly string[]): string | null {
  const inner = path.slice('/solution/'.length);
  let best: string | null = null;
  let least = 3;
  for (const name of names) {
    if (baseName(name) === baseName(inner)) return `/solution/${name}`;
    const distance = Math.abs(name.length - inner.length) > 3 ? 9 : editDistance(name, inner);
    if (distance < least && distance < inner.length / 2) [best, least] = [`/solution/${name}`, distance];
  }
  return best;
}
