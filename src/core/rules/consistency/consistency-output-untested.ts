import { baseName, extensionOf, isAtOrBelow } from '../../model/container-path';
import { hasWord, mentionOf } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { PathMention } from '../../text/markdown/instruction-text';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';

export const consistencyOutputUntested: Rule = {
  id: 'consistency-output-untested',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'shell:test', 'toml', 'docker'],
  needsDisk: true,
  why: 'What no test looks at, an agent can leave out and still get full marks, however clearly it was asked for.',
  docs: {
    finds:
      'The instruction asks for a file by its absolute path, and nothing in `tests/` and no artifact mentions that file.',
    silent:
      'Logs, scratch files and what the agent may do, inputs, patterns, folders that the tests search, and files that a program run by the tests may use.',
    bad: '“… and a list of changes to `/srv/changes.md`”   # no test reads it',
    good: 'assert "moved" in Path("/srv/changes.md").read_text()',
  },
  *check(subject) {
    if (subject.disk?.limit !== null) return;
    const views = subject.derive(stepViews);
    for (const view of views) yield* once(untested(subject, view, views.map(({ tests }) => tests).join('\n')));
  },
};

function* untested(subject: Subject, view: StepView, tests: string): Generator<Claim> {
  const { step, expectations, space } = view;
  const instruction = view.own;
  if (step.instruction === null || instruction === null || step.testScript === null || tests.trim() === '') return;
  if ([...step.tests.values()].some((file) => subject.text(file) === null)) return;
  // A program of the agent that the tests run or talk to may read whatever it likes.
  const runsAgent = expectations.uses.some(
    ({ action, role }) => action === 'run' && (role === 'output' || role === 'input' || role === 'unknown'),
  );
  if (runsAgent || expectations.contacts.length > 0) return;
  const all = instruction.mentions.paths;
  const seen = new Set<string>();
  for (const mention of all) {
    const { path } = mention;
    if (seen.has(path) || !isDemanded(mention, all) || space.has(path) === 'yes') continue;
    seen.add(path);
    const tested = mentionOf(tests, path);
    if (tested !== null || isMadeUp(tests, path) || hasWord(subject.toml?.text ?? '', baseName(path))) continue;
    if (space.texts.some(({ text }) => hasWord(text, baseName(path)))) continue;
    yield* claimAt(
      subject,
      { file: step.instruction, start: mention.start, end: mention.end },
      {
        message: `The instruction asks for ${path}, and no test mentions it.`,
      },
    );
  }
}

function isDemanded(mention: PathMention, all: readonly PathMention[]): boolean {
  const { path, context, pattern, folder, command } = mention;
  if (!path.startsWith('/') || pattern || folder || command || extensionOf(path) === '') return false;
  if (context.role !== 'output' || context.optional || context.example || context.negated) return false;
  if (context.place === 'fence' || context.place === 'comment') return false;
  if (/\blogs?\b|\.log$|\.pid$|\.lock$/i.test(baseName(path))) return false;
  if (['/tmp', '/var/tmp', '/logs', '/dev', '/proc'].some((folder) => isAtOrBelow(path, folder))) return false;
  return all.every(
    (other) => other.path !== path || other.context.role === 'output' || other.context.role === 'unclear',
  );
}

/** Do the tests put names with this extension together? */
function isMadeUp(tests: string, path: string): boolean {
  const extension = extensionOf(path);
  return ['}', '*', '%s', '"', "'", '('].some((before) => tests.includes(`${before}.${extension}`));
}
