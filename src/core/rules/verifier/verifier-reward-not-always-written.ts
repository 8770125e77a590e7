import type { Subject } from '../../model/subject';
import type { ShellPath } from '../../text/shell/flow/flow';
import type { ShellCommand, Span } from '../../text/shell/script';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { decidesVerdict } from './decisions';
import { insertBeforeFirst } from './fixes';
import { guardsOf } from './guards';
import { firstWrite, isRewarded } from './rewards';
import { fileOf, nameOf, testScripts } from './test-scripts';
import { wrongPaths } from './verifier-reward-path';
import type { TestScript } from './test-scripts';

export const verifierRewardNotAlwaysWritten: Rule = {
  id: 'verifier-reward-not-always-written',
  severity: 'error',
  confidence: 'likely',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'Without a reward file the trial counts as an error of the verifier, not as a failed attempt: wrong answers drop out of the score.',
  docs: {
    finds:
      'A way through the test script, functions and sourced files included, that ends before any reward is written.',
    silent:
      'A default written first, an exit trap that writes, and scripts of which a program that cannot be read may write the reward. An exit that says that the verifier itself is broken (not zero, with a message to standard error, or for a status of the test runner above 1) is information; one that depends on nothing but the surroundings is not reported.',
    bad: '[ -f /srv/out.csv ] || exit 1\npytest /tests && r=1 || r=0\necho $r > /logs/verifier/reward.txt',
    good: "trap '[ -s /logs/verifier/reward.txt ] || echo 0 > /logs/verifier/reward.txt' EXIT\n[ -f /srv/out.csv ] || exit 1",
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(claimsOf(subject, test));
  },
};

function* claimsOf(subject: Subject, test: TestScript): Generator<Claim> {
  const { flow, script } = test;
  if (!flow.complete || flow.paths.length === 0) return;
  const lost = flow.paths.filter((path) => !path.unsure && !isRewarded(path));
  if (lost.length === 0) return;
  const write = firstWrite(test);
  const { paths } = flow;
  if (write === null && paths.every((path) => !path.unsure)) {
    if ([...wrongPaths(subject, test)].length > 0) return;
    const last = script.commands.findLast((command) => command.context.function === null && !command.context.subshell);
    if (last === undefined) return;
    yield* claimAt(subject, at(test, last), {
      message: `${nameOf(test)} ends here without having written a reward: it writes neither reward.txt nor reward.json.`,
      confidence: 'certain',
    });
    return;
  }
  if (write === null) return;
  const seen = new Set<ShellCommand>();
  for (const path of lost) {
    const { command, kind, code } = path.end;
    // What `set -e` ends is the business of verifier-errexit-skips-reward.
    if (command === null || kind === 'errexit' || seen.has(command)) continue;
    const meaning = meaningOf(test, path, command, code);
    if (meaning === 'surroundings') continue;
    seen.add(command);
    const place = placeOf(test, command);
    yield* claimAt(subject, place, {
      message:
        kind === 'end'
          ? `${nameOf(test)} can end after this without having written a reward.`
          : meaning === 'broken'
            ? `${nameOf(test)} ends here without a reward, so that the trial counts as an error of the verifier.`
            : `${nameOf(test)} ends here without having written a reward.`,
      ...(meaning === 'broken' && { severity: 'information' as const, confidence: 'possible' as const }),
      related: relatedTo(
        subject,
        { file: place.file, start: write.start, end: write.end },
        'Other ways write the reward here.',
      ),
      fixes:
        meaning === 'broken'
          ? []
          : insertBeforeFirst(
              subject,
              test,
              'Write 0 at the exit when nothing was written',
              "trap '[ -s /logs/verifier/reward.txt ] || echo 0 > /logs/verifier/reward.txt' EXIT",
            ),
    });
  }
}

/** Is it the work that was found wrong, or the verifier that could not do its own? */
function meaningOf(
  test: TestScript,
  path: ShellPath,
  command: ShellCommand,
  code: number | null,
): 'work' | 'broken' | 'surroundings' {
  const fails = path.end.kind === 'exit' && code !== 0;
  if (!fails) return path.decisions.length === 0 && path.end.kind === 'end' ? 'surroundings' : 'work';
  if (path.decisions.length === 0) return path.graded.length === 0 || code !== null ? 'surroundings' : 'work';
  const guards = guardsOf(test.script, command);
  if (guards.length > 0 && code !== null && !guards.some((guard) => test.graders.has(guard) || decidesVerdict(guard)))
    return 'surroundings';
  if (code !== null && code > 1) return 'broken';
  return complains(test, command) || isOddStatus(test, command) ? 'broken' : 'work';
}

/** `echo … >&2` beside the exit. */
function complains(test: TestScript, exit: ShellCommand): boolean {
  const line = (span: Span): string =>
    test.script.text.slice(span.start - test.script.base, exit.start - test.script.base);
  return test.commands.some(
    ({ command }) =>
      command.end <= exit.start &&
      exit.start - command.end < 400 &&
      command.redirects.some(({ operator, target }) => operator === '>&' && target.text === '2') &&
      !/\n[ \t]*\n|\b(?:fi|esac|done)\b|\}/u.test(line({ start: command.end, end: exit.start })),
  );
}

/** In the arm of a `case` for all that is neither success nor an ordinary failure. */
function isOddStatus(test: TestScript, exit: ShellCommand): boolean {
  let odd = false;
  const visit = (nodes: TestScript['script']['body']): void => {
    for (const node of nodes) {
      if (node.start > exit.start || node.end < exit.end) continue;
      if (node.kind === 'case') {
        const arms = node.arms.map((arm) => arm.patterns.map(({ value }) => value ?? ''));
        const others = arms.flat().filter((pattern) => /^\d+$/u.test(pattern));
        const own = node.arms.find((arm) =>
          arm.body.some((inner) => inner.start <= exit.start && exit.end <= inner.end),
        );
        if (
          own?.patterns.some(({ value }) => value === '*' || Number(value) >= 2) === true &&
          others.includes('0') &&
          others.length > 1
        )
          odd = true;
      }
      if (node.kind === 'if')
        for (const branch of node.branches) {
          const words = branch.condition.flatMap((one) => (one.kind === 'command' ? one.command.args : []));
          if (words.some(({ text }) => /^-g[te]$/u.test(text)) && words.some(({ value }) => Number(value) >= 1))
            odd = true;
          visit(branch.body);
        }
      if (node.kind === 'group' || node.kind === 'subshell') visit(node.body);
    }
  };
  visit(test.script.body);
  return odd;
}

function at(test: TestScript, { start, end }: Span): { file: string; start: number; end: number } {
  return { file: test.file, start, end };
}

function placeOf(test: TestScript, command: ShellCommand): { file: string; start: number; end: number } {
  const own = test.commands.find((one) => one.command === command);
  return { file: own === undefined ? test.file : fileOf(test, own.script), start: command.start, end: command.end };
}
