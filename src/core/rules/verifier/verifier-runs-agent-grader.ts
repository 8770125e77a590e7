import { baseName } from '../../model/container-path';
import { comparedFiles } from '../../model/compared-files';
import type { PathUse } from '../../model/expectations';
import { mentionsByPath } from '../../model/path-roles';
import { hasWord } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, eachStep, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { isGraderName } from './graders';

export const verifierRunsAgentGrader: Rule = {
  id: 'verifier-runs-agent-grader',
  severity: 'error',
  confidence: 'likely',
  inputs: ['docker', 'shell:test', 'py:tests', 'instruction'],
  needsDisk: true,
  why: 'Whatever lies in the image belongs to the agent. A checker that it can overwrite says yes to everything once it has been replaced by one that does.',
  docs: {
    finds:
      'The test script or a test runs a program of the image whose name says that it checks, validates or grades, or imports such a module. So does a script that runs one if it is there, where nobody but the agent can put it.',
    silent:
      'What the agent has to write or mend itself, a checker in `tests/`, and a separate verifier with a copy of its own. Where the tests also look at the outputs themselves it is information.',
    bad: 'python3 /opt/qc/validate_plan.py /srv/plan.json && echo 1 > /logs/verifier/reward.txt',
    good: 'python3 /tests/validate_plan.py /srv/plan.json && echo 1 > /logs/verifier/reward.txt',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => gradersIn(subject, view));
  },
};

const grader =
  /^(?:check|checker|checks|validate|validator|validation|verify|verifier|grade|grader|grading|judge|score|scorer|scoring|evaluate|evaluator|evaluation|eval)$/u;

/** `run_checks.sh` has such a word, `checkout.py` and `prefetch` have not. */
function isGrader(path: string): boolean {
  return baseName(path)
    .replace(/\.\w+$/u, '')
    .replace(/([a-z])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .some((word) => grader.test(word));
}

/** `if [ -f /srv/run-tests.sh ]; then bash /srv/run-tests.sh; fi`, where neither the image nor the verifier has such a file. */
function* agentsOwn(
  subject: Subject,
  { step, space, expectations, instructions }: StepView,
  isDeliverable: (path: string) => boolean,
): Generator<Claim> {
  const named = mentionsByPath(instructions);
  const made = new Set(expectations.uses.flatMap(({ action, path }) => (action === 'write' ? [path] : [])));
  const seen = new Set<string>();
  for (const use of expectations.uses) {
    const { path, file, action, guarded } = use;
    if (action !== 'run' || !guarded || file !== step.testScript || seen.has(path)) continue;
    if (!isGraderName(path) || path.startsWith('/tests/') || /[*?$]/u.test(path)) continue;
    if (space.has(path) !== 'no' || space.writable(path) !== true) continue;
    if (made.has(path) || named.has(path) || isDeliverable(path)) continue;
    seen.add(path);
    yield* claimAt(subject, use, {
      message: `${baseName(file)} lets ${path} judge if it is there, and nobody but the agent can put it there.`,
    });
  }
}

function* gradersIn(subject: Subject, view: StepView): Generator<Claim> {
  const { step, space, expectations, instructions, solution } = view;
  if (step.verifier === 'separate' || space.image === null) return;
  const mentioned = mentionsByPath(instructions);
  const isDeliverable = (path: string): boolean =>
    hasWord(solution, path) ||
    (mentioned.get(path) ?? []).some(({ context }) => context.role === 'output' || context.role === 'edited');
  const seen = new Set<string>();
  const looksDeeper = [...subject.derive(comparedFiles)].some(
    (one) => one.view === view && [one.left, one.right].some((side) => side.paths.length > 0),
  );
  yield* agentsOwn(subject, view, isDeliverable);
  const found = (use: PathUse): boolean =>
    use.action === 'run' && isGrader(use.path) && space.image?.files.has(use.path) === true && !isDeliverable(use.path);
  for (const use of expectations.uses.filter(found)) {
    if (seen.has(use.path)) continue;
    seen.add(use.path);
    const file = space.image.files.get(use.path);
    if (file?.owner !== 'root' && file?.owner !== null && space.isRoot === false) continue;
    if (space.writable(use.path) !== true) continue;
    yield* claimAt(subject, use, {
      message: `${baseName(use.file)} lets ${use.path} judge, which is in the image: the agent can replace it by one that always agrees.`,
      ...(looksDeeper && { severity: 'information' as const }),
      related: relatedTo(
        subject,
        file === undefined ? null : { file: space.image.file, start: file.start, end: file.end },
        'It comes into the image here.',
      ),
    });
  }
}
