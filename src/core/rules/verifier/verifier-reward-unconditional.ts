import type { Fix } from '../../finding';
import type { Subject } from '../../model/subject';
import type { ShellPath } from '../../text/shell/flow/flow';
import type { ShellCommand } from '../../text/shell/script';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { graderName } from './names';
import { finalReward, numberIn } from './rewards';
import { fileOf, nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';
import { swallowed } from './verifier-failure-swallowed';
import { wrongStatuses } from './verifier-wrong-status';

export const verifierRewardUnconditional: Rule = {
  id: 'verifier-reward-unconditional',
  severity: 'error',
  confidence: 'likely',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'Nothing that was found out decides over this write, so every attempt is paid, the empty one included.',
  docs: {
    finds: 'A positive constant reward at the end of a way through the script on which no result was looked at.',
    silent:
      'A 1 inside the branch of success, a variable that some way sets to 0, and a 1 at the end of a script in which every failure leaves earlier. Where verifier-wrong-status or verifier-failure-swallowed names the cause, only that is reported.',
    bad: 'python3 /tests/check.py\necho 1 > /logs/verifier/reward.txt',
    good: 'python3 /tests/check.py && r=1 || r=0\necho $r > /logs/verifier/reward.txt',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(claimsOf(subject, test));
  },
};

function* claimsOf(subject: Subject, test: TestScript): Generator<Claim> {
  if (!test.flow.complete) return;
  const written = new Set<ShellCommand>();
  for (const path of test.flow.paths) {
    const command = unearned(test, path);
    if (command !== null) written.add(command);
  }
  if (written.size === 0) return;
  if ([...swallowed(subject, test), ...wrongStatuses(subject, test)].length > 0) return;
  for (const command of written) {
    const own = test.commands.find((one) => one.command === command);
    if (own === undefined) continue;
    const grader = [...test.graders.keys()].findLast(({ end }) => end <= command.start);
    yield* claimAt(
      subject,
      { file: fileOf(test, own.script), start: command.start, end: command.end },
      {
        message:
          grader === undefined
            ? `${nameOf(test)} writes this reward without having tested anything.`
            : `${nameOf(test)} writes this reward whether ${graderName(test, grader)} succeeds or fails.`,
        related:
          grader === undefined
            ? []
            : relatedTo(
                subject,
                { file: test.file, start: grader.start, end: grader.end },
                'Nothing looks at how this ended.',
              ),
        fixes: grader === undefined ? [] : conditionFix(subject, test, grader, command),
      },
    );
  }
}

/** The write of a positive constant that no decision led to, or only failures. */
function unearned(test: TestScript, path: ShellPath): ShellCommand | null {
  const written = finalReward(path)?.written;
  const command = written?.command ?? null;
  if (path.unsure || written === undefined || command === null) return null;
  const { text } = written.value;
  const number = text === null ? null : numberIn(text);
  if (number === null || number <= 0) return null;
  const { decisions } = path;
  const failedOnly = decisions.every((decision) => !decision.succeeded && test.graders.has(decision.command));
  return decisions.length === 0 || (number >= 1 && failedOnly) ? command : null;
}

/** Where the two stand one after the other: `if grader; then …; else … 0; fi`. */
function conditionFix(subject: Subject, test: TestScript, grader: ShellCommand, write: ShellCommand): readonly Fix[] {
  const { script } = test;
  const at = script.body.findIndex((node) => node.kind === 'command' && node.command === grader);
  const next = script.body[at + 1];
  if (at < 0 || next?.kind !== 'command') return [];
  if (next.command !== write || write.program !== 'echo') return [];
  if (grader.heredocs.length > 0) return [];
  const source = script.text.slice(write.start - script.base, write.end - script.base);
  return fixIn(
    subject,
    test.file,
    'Write it only when the tests pass',
    [
      { start: grader.start, end: grader.start, newText: 'if ' },
      { start: grader.end, end: write.start, newText: '; then\n  ' },
      { start: write.end, end: write.end, newText: `\nelse\n  ${source.replace(/\b1(?:\.0)?\b/u, '0')}\nfi` },
    ],
    true,
  );
}
