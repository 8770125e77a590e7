import { bakedAnswers } from '../../model/baked-answers';
import { baseName } from '../../model/container-path';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionReadsBakedTruth: Rule = {
  id: 'solution-reads-baked-truth',
  severity: 'error',
  confidence: 'likely',
  inputs: ['shell:solve', 'py:solution', 'py:tests', 'shell:test', 'docker', 'instruction', 'tree', 'toml'],
  needsDisk: true,
  why: 'A solution that copies the expected answer shows where the answer lies, not that the task can be done.',
  docs: {
    finds:
      'The solution reads a file of the image from which the tests take the expected value, and does not make it itself.',
    silent: 'Files that the instruction hands to the agent, and files that the solution writes.',
    bad: 'cp /opt/ref/final.csv /srv/out.csv      # the tests compare with /opt/ref/final.csv',
    good: 'sort -u /srv/in.csv > /srv/out.csv',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  const answers = new Map(
    subject.derive(bakedAnswers).flatMap((answer) => (answer.how === 'read' ? [[answer.path, answer]] : [])),
  );
  if (answers.size === 0) return;
  for (const { uses } of subject.derive(solutionViews)) {
    const written = new Set(uses.flatMap(({ action, path }) => (action === 'write' ? [path] : [])));
    for (const use of uses) {
      const answer = answers.get(use.path);
      if (answer === undefined || written.has(use.path) || !['read', 'argument'].includes(use.action)) continue;
      yield* claimAt(subject, use, {
        message: `${baseName(use.file)} takes the answer from ${use.path}, with which the tests compare the result.`,
        related: relatedTo(subject, answer.proof, 'The tests read the expected value here.'),
      });
    }
  }
}
