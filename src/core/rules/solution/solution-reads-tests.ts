import { baseName, isAtOrBelow } from '../../model/container-path';
import { rewardFiles } from '../../model/harbor-paths';
import { solutionViews } from '../../model/solution-view';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import type { Subject } from '../../model/subject';

export const solutionReadsTests: Rule = {
  id: 'solution-reads-tests',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:solve', 'py:solution', 'tree', 'toml'],
  needsDisk: true,
  why: 'The reference solution shows that the task can be done with what an agent has, and an agent never has the tests.',
  docs: {
    finds: 'The solve script or a file beside it opens, runs or copies something below `/tests` or `/logs/verifier`.',
    silent: 'Tests of the project itself that lie elsewhere in the image, comments, and folders that are only made.',
    bad: 'cp /tests/want.csv /srv/out.csv',
    good: 'python3 /solution/make.py > /srv/out.csv',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  for (const { uses } of subject.derive(solutionViews)) {
    for (const use of uses) {
      if (use.action === 'make' || use.action === 'delete') continue;
      const isTests = isAtOrBelow(use.path, '/tests');
      if (!isTests && !isAtOrBelow(use.path, '/logs/verifier')) continue;
      // The reward itself is the subject of solution-writes-reward.
      if (rewardFiles.includes(use.path) && use.action === 'write') continue;
      const whose = isTests ? 'which an agent never sees' : 'which belongs to the verifier';
      yield* claimAt(subject, use, { message: `${baseName(use.file)} uses ${use.path}, ${whose}.` });
    }
  }
}
