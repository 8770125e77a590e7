import { baseName, isAtOrBelow } from '../../model/container-path';
import { mentionsByPath } from '../../model/path-roles';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, eachStep, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const verifierMakesOwnEvidence: Rule = {
  id: 'verifier-makes-own-evidence',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'py:tests', 'instruction'],
  needsDisk: true,
  why: 'What the verifier writes itself shows nothing of what the agent did: an agent that did nothing gets the same marks.',
  docs: {
    finds:
      'The test script writes an output that the instruction asks the agent for and that a test then looks at, or it runs the reference solution.',
    silent: 'Fresh inputs, folders, removal of old output, and what a program of the agent writes anew.',
    bad: 'touch /srv/out.csv   # before: assert Path("/srv/out.csv").exists()',
    good: 'rm -f /srv/out.csv; python3 /srv/make.py',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => evidenceIn(subject, view));
  },
};

function* evidenceIn(subject: Subject, { reach, expectations, instructions }: StepView): Generator<Claim> {
  const scripts = new Set(reach.files.flatMap(({ file, shell }) => (shell === null ? [] : [file])));
  const mentioned = mentionsByPath(instructions);
  const isAskedFor = (path: string): boolean => {
    const mentions = mentioned.get(path) ?? [];
    return (
      mentions.some(({ context }) => context.role === 'output' && !context.negated) &&
      mentions.every(({ context }) => context.role !== 'input')
    );
  };
  for (const use of expectations.uses) {
    if (!scripts.has(use.file)) continue;
    if (use.action === 'run' && isAtOrBelow(use.path, '/solution')) {
      yield* claimAt(subject, use, {
        message: `${baseName(use.file)} runs ${use.path}, the reference solution, before it judges: it would be judging that one.`,
      });
      continue;
    }
    if (use.action !== 'write' || use.guarded || !isAskedFor(use.path)) continue;
    const looked = expectations.uses.find(
      (other) => other.path === use.path && other !== use && (other.action === 'read' || other.action === 'probe'),
    );
    if (looked === undefined) continue;
    yield* claimAt(subject, use, {
      message: `${baseName(use.file)} writes ${use.path} itself, which the agent was asked for and which is then looked at.`,
      related: relatedTo(subject, looked, 'It is looked at here.'),
    });
  }
}
