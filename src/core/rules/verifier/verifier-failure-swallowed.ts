import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellNode } from '../../text/shell/script';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { graderName } from './names';
import { finalReward, numberIn } from './rewards';
import { eachNode, eachSequence } from './siblings';
import { graderRunBy, isNeutral, statusRead } from './status-source';
import { testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierFailureSwallowed: Rule = {
  id: 'verifier-failure-swallowed',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'What stands after the operator succeeds, and with it the whole: failing tests can no longer be told from passing ones.',
  docs: {
    finds:
      '`grader || true` and its like where the status still decides or where 1 is written whatever came out, and `pytest --collect-only` as the only run.',
    silent: '`|| true` on installs, copies and clean-up, or where the verdict comes from a report.',
    bad: 'pytest /tests || true\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; fi',
    good: 'pytest /tests; rc=$?\nif [ $rc -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; fi',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(swallowed(subject, test));
  },
};

export function* swallowed(subject: Subject, test: TestScript): Generator<Claim> {
  if (test.graders.size === 0 || test.script.errors.length > 0) return;
  const claims: Claim[] = [];
  const read = new Set<ShellNode>();
  eachSequence(test.script, (nodes) => {
    for (const [i, node] of nodes.entries()) {
      // The list is asked for its status: by `$?` in the next statement, or as the condition of an `if`.
      if (node.kind === 'list' && statusRead(nodes[i + 1]) !== null) read.add(node);
    }
  });
  eachNode(test.script, (node) => {
    if (node.kind === 'if')
      for (const { condition } of node.branches) for (const asked of condition.slice(-1)) read.add(asked);
  });
  eachNode(test.script, (node) => {
    if (node.kind !== 'list' || node.operator !== '||' || node.right.kind !== 'command') return;
    const grader = graderRunBy(test, node.left);
    if (grader === null || !succeeds(node.right.command)) return;
    if (!read.has(node) && !paysAnyway(test, grader)) return;
    claims.push(
      ...claimAt(
        subject,
        { file: test.file, start: node.operatorSpan.start, end: node.end },
        {
          message: `\`${source(test, node.operatorSpan.start, node.end)}\` makes a success of a failure of ${graderName(test, grader)}.`,
          fixes: fixIn(subject, test.file, 'Remove it', [{ start: node.left.end, end: node.end, newText: '' }]),
        },
      ),
    );
  });
  yield* claims;
  yield* collecting(subject, test);
}

/** `true`, `:`, `echo …` and `exit 0`; not `rc=$?`, which keeps the status. */
function succeeds(command: ShellCommand): boolean {
  if (command.words.some((word) => word.variables.includes('?'))) return false;
  if (command.writes.some(({ file }) => file === null || /reward/iu.test(file))) return false;
  return command.program !== null && isNeutral(command) && /^(?:true|:|echo|printf|sleep|date)$/u.test(command.program);
}

/** A way on which this grader failed, nothing else was found out, and a positive reward is written all the same. */
function paysAnyway(test: TestScript, grader: ShellCommand): boolean {
  if (!test.flow.complete) return false;
  return test.flow.paths.some((path) => {
    const reward = finalReward(path);
    const text = path.unsure ? null : (reward?.written.value.text ?? null);
    if (text === null || (numberIn(text) ?? 0) <= 0) return false;
    return (
      path.decisions.some(({ command, succeeded }) => command === grader && !succeeded) &&
      path.decisions.every(({ command }) => command === grader)
    );
  });
}

/** `pytest --collect-only`, and no other run. */
function* collecting(subject: Subject, test: TestScript): Generator<Claim> {
  const runs = [...test.graders.values()];
  const collects = runs.map(({ kind, args }) =>
    kind === 'pytest' ? args.find(({ value }) => value === '--collect-only' || value === '--co') : undefined,
  );
  if (test.mayWriteElsewhere || collects.some((word) => word === undefined)) return;
  for (const word of collects) {
    if (word === undefined) continue;
    yield* claimAt(
      subject,
      { file: test.file, start: word.start, end: word.end },
      {
        message: `With \`${word.text}\` pytest only lists the tests, and succeeds without running one.`,
        fixes: fixIn(subject, test.file, 'Run the tests', [{ start: word.start - 1, end: word.end, newText: '' }]),
      },
    );
  }
}

function source(test: TestScript, start: number, end: number): string {
  const text = test.script.text.slice(start - test.script.base, end - test.script.base).replace(/\s+/gu, ' ');
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
