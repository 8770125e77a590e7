import { baseName } from '../../model/container-path';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, eachStep } from '../places';
import type { Claim, Rule } from '../rule';

export const testsReadsInstructionFile: Rule = {
  id: 'tests-reads-instruction-file',
  severity: 'error',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test', 'docker'],
  needsDisk: true,
  why: 'The instruction is text that the agent is given. Harbor puts no file of it into the container, so whatever opens one fails for everybody.',
  docs: {
    finds: 'A test or the test script reads a file called `instruction.md` in the container.',
    silent:
      'A copy that the image or `tests/` holds, or that the verifier writes, and reads that provide for a missing file.',
    bad: 'Path("/app/instruction.md").read_text()',
    good: 'COPY rules.md /app/rules.md   # and read that one',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => readsIn(subject, view));
  },
};

function* readsIn(subject: Subject, { expectations, space, step }: StepView): Generator<Claim> {
  for (const use of expectations.uses) {
    if (baseName(use.path) !== 'instruction.md' || use.action !== 'read' || use.guarded) continue;
    if (use.role === 'scratch' || space.has(use.path) === 'yes') continue;
    if (use.path.startsWith('/tests/') && step.tests.has(use.path.slice('/tests/'.length))) continue;
    yield* claimAt(subject, use, {
      message: `${baseName(use.file)} reads ${use.path}, but the instruction is not a file in the container.`,
      supersedes: ['tests-missing-input', 'verifier-missing-file'],
    });
  }
}
