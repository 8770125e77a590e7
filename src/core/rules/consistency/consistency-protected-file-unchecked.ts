import { baseName } from '../../model/container-path';
import { hasWord } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';

export const consistencyProtectedFileUnchecked: Rule = {
  id: 'consistency-protected-file-unchecked',
  severity: 'information',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'shell:test', 'docker'],
  needsDisk: true,
  why: 'A ban that nothing checks costs only those who keep it.',
  docs: {
    finds:
      'The instruction says that a file or folder of the image must stay as it is, and nothing in `tests/` mentions it.',
    silent:
      'A separate verifier with a copy of its own, and files that the tests compare, put back or name in any other way.',
    bad: '“Do not edit `/srv/vendor/`.”   # no test looks there',
    good: 'assert tree_digest("/srv/vendor") == "41c0…"',
  },
  *check(subject) {
    if (subject.disk?.limit !== null) return;
    const views = subject.derive(stepViews);
    const tests = views.map((view) => view.tests).join('\n');
    for (const view of views) yield* once(unchecked(subject, view, tests));
  },
};

function* unchecked(subject: Subject, view: StepView, tests: string): Generator<Claim> {
  const { step, space } = view;
  const instruction = view.own;
  if (instruction === null || step.instruction === null || step.verifier === 'separate' || tests.trim() === '') return;
  const seen = new Set<string>();
  for (const { path, pattern, context, start, end } of instruction.mentions.paths) {
    if (context.role !== 'protected' || pattern || seen.has(path) || !path.startsWith('/')) continue;
    seen.add(path);
    const name = baseName(path);
    if (space.has(path) !== 'yes' || name.length < 3) continue;
    // The stem is how a module is imported.
    if (hasWord(tests, path) || hasWord(tests, name) || hasWord(tests, name.replace(/\.\w+$/u, ''))) continue;
    yield* claimAt(
      subject,
      { file: step.instruction, start, end },
      {
        message: `${path} must stay as it is, but no test would notice a change.`,
      },
    );
  }
}
