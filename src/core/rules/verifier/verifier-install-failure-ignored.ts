import { installOf } from '../../model/installs';
import type { Subject } from '../../model/subject';
import type { ShellCommand } from '../../text/shell/script';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { graderName } from './names';
import { finalReward, numberIn } from './rewards';
import { nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierInstallFailureIgnored: Rule = {
  id: 'verifier-install-failure-ignored',
  severity: 'information',
  confidence: 'likely',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'When the network fails for a moment, the tests cannot run, and the attempt is recorded as a wrong answer rather than as a verifier that could not do its work.',
  docs: {
    finds: 'An install whose failure nobody looks at, followed by tests whose failure is written as 0.',
    silent: 'A status that is checked, `set -e` without a 0 written before, tools that are in the image.',
    bad: 'pip install -q pytest==8.4.1\npytest /tests',
    good: 'pip install -q pytest==8.4.1 || { echo "setup failed" >&2; exit 1; }',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(claimsOf(subject, test));
  },
};

function* claimsOf(subject: Subject, test: TestScript): Generator<Claim> {
  const { flow, script } = test;
  if (!flow.complete) return;
  const failing = flow.paths.find(
    (path) =>
      !path.unsure &&
      path.end.kind !== 'errexit' &&
      isZero(finalReward(path)?.written.value.text ?? null) &&
      path.decisions.some(({ command, succeeded }) => !succeeded && test.graders.has(command)),
  );
  const grader = failing?.graded[0];
  if (grader === undefined) return;
  const installs = script.commands.filter(
    (command) => command.start < grader.start && isUnchecked(command) && provides(command, grader, test),
  );
  const install = installs.at(-1);
  if (install === undefined) return;
  const simple = install.context.pipeline === null && install.heredocs.length === 0 && install.context.leftOf === null;
  yield* claimAt(
    subject,
    { file: test.file, start: install.start, end: install.words.at(-1)?.end ?? install.end },
    {
      message: `If this install fails, ${nameOf(test)} goes on, ${graderName(test, grader)} cannot run, and the attempt gets a 0.`,
      related: relatedTo(
        subject,
        { file: test.file, start: grader.start, end: grader.end },
        'This needs what is installed.',
      ),
      fixes: simple
        ? fixIn(subject, test.file, 'End without a reward when it fails', [
            { start: install.end, end: install.end, newText: ' || { echo "setup failed" >&2; exit 1; }' },
          ])
        : [],
    },
  );
}

function isZero(text: string | null): boolean {
  return text !== null && numberIn(text) === 0;
}

function isUnchecked(command: ShellCommand): boolean {
  const { context } = command;
  if (context.condition !== null || context.conditional || context.function !== null || context.substitution)
    return false;
  // `a || b` tries something else; `a || true` says that nobody asks.
  return (
    context.leftOf !== '||' &&
    context.rightOf !== '||' &&
    context.options.errexit === false &&
    installOf(command) !== null
  );
}

/** Is what is installed the tool that grades, as far as the names tell? */
function provides(install: ShellCommand, grader: ShellCommand, test: TestScript): boolean {
  const kind = test.graders.get(grader)?.kind;
  const names = installOf(install)?.items.map(({ name }) => name) ?? [];
  return kind === 'pytest' && names.includes('pytest') && grader.program !== 'uvx' && grader.program !== 'uv';
}
