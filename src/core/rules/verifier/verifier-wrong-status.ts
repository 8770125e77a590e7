import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellNode } from '../../text/shell/script';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { insertBeforeFirst } from './fixes';
import { graderName } from './names';
import { eachNode, eachSequence } from './siblings';
import { concernsReward, graderRunBy, readsStages, statusRead, statusSource } from './status-source';
import { nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';
import { unspacedTests } from './unspaced-tests';

export const verifierWrongStatus: Rule = {
  id: 'verifier-wrong-status',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'The reward then follows a command that succeeds in any case, and failing tests are paid like passing ones.',
  docs: {
    finds:
      '`$?` read after another command than the grader; a pipeline such as `pytest | tee log` whose status is used without `pipefail`; `local rc=$(grader)`; `$?` inside `if ! grader`; a grader in the background that nothing waits for; `[ $?=0 ]`, which is true for every status, and `rc = $?`, which assigns nothing.',
    silent: '`PIPESTATUS` read directly after, `pipefail` in force, `wait`.',
    bad: 'pytest /tests | tee /logs/verifier/out.txt\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; fi',
    good: 'set -o pipefail\nif pytest /tests | tee /logs/verifier/out.txt; then echo 1 > /logs/verifier/reward.txt; fi',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(wrongStatuses(subject, test));
  },
};

export function* wrongStatuses(subject: Subject, test: TestScript): Generator<Claim> {
  if (test.graders.size === 0 || test.script.errors.length > 0) return;
  const claims: Claim[] = [];
  eachSequence(test.script, (nodes) => {
    for (const [i, node] of nodes.entries()) {
      const before = nodes[i - 1];
      if (before === undefined) continue;
      claims.push(...readAfterOther(subject, test, nodes, i), ...declared(subject, test, before, node));
      if (isPiped(test, before) && statusRead(node) !== null && !readsStages(node))
        claims.push(...piped(subject, test, before));
    }
    const [first] = nodes;
    if (first !== undefined) claims.push(...afterNegation(subject, test, first));
  });
  eachNode(test.script, (node) => {
    const asked = askedIn(node);
    for (const one of asked) if (isPiped(test, one)) claims.push(...piped(subject, test, one));
    if (node.kind === 'background') claims.push(...unwaited(subject, test, node.body));
  });
  yield* claims;
  yield* unspacedTests(subject, test);
}

/** `pytest …⏎ echo done⏎ if [ $? -eq 0 ]`. */
function readAfterOther(subject: Subject, test: TestScript, nodes: readonly ShellNode[], i: number): readonly Claim[] {
  const node = nodes[i];
  const before = nodes[i - 1];
  const word = statusRead(node);
  if (node === undefined || before === undefined || word === null) return [];
  if (statusSource(test, before) !== 'neutral' || !isMeantForGrader(test, nodes, i)) return [];
  let grader: ShellCommand | null = null;
  for (let k = i - 1; k >= 0 && grader === null; k--) {
    const earlier = nodes[k];
    if (earlier === undefined) break;
    if (k < i - 1 && statusSource(test, earlier) === 'other' && graderRunBy(test, earlier) === null) break;
    if (statusRead(nodes[k + 1]) !== null && k + 1 < i) break;
    grader = graderRunBy(test, earlier);
  }
  if (grader === null) return [];
  const name = graderName(test, grader);
  const last = textOf(test, lastOf(before));
  return claimAt(
    subject,
    { file: test.file, start: word.start, end: word.end },
    {
      message: `This is the status of \`${last}\`, not that of ${name}.`,
      related: relatedTo(subject, { file: test.file, start: grader.start, end: grader.end }, 'Its status is lost.'),
    },
  );
}

/** A status that is kept or decides over a reward is meant to be the grader's; `mkdir …; [ $? -ne 0 ] && …` is not. */
function isMeantForGrader(test: TestScript, nodes: readonly ShellNode[], i: number): boolean {
  const node = nodes[i];
  const before = nodes[i - 1];
  if (node === undefined || before === undefined) return false;
  if (before.kind === 'command' && /^(?:cd|mkdir|cp|cat|rm|touch|chmod)$/u.test(before.command.program ?? ''))
    return /reward/iu.test(sourceOf(test, node));
  if (node.kind === 'command' && node.command.program === null) return true;
  if (node.kind === 'command' && /^(?:echo|printf)$/u.test(node.command.program ?? ''))
    return /reward/iu.test(sourceOf(test, node));
  return concernsReward(test.script, node);
}

/** Programs that only pass on or show what they get. */
const passing = /^(?:tee|cat|tail|head|less|more|ts|sort|tr|cut|sed|awk|column|fold|nl|pv)$/u;

/** `grader | tee log` where the status is that of `tee`. */
function isPiped(test: TestScript, node: ShellNode): boolean {
  if (node.kind !== 'pipeline') return false;
  const last = node.stages.at(-1);
  const [first] = node.stages;
  if (last?.kind !== 'command' || first === undefined || !passing.test(last.command.program ?? '')) return false;
  if (graderRunBy(test, { ...node, stages: node.stages.slice(0, -1) }) === null) return false;
  return last.command.context.options.pipefail === false;
}

/** The statements whose success a node asks for. */
function askedIn(node: ShellNode): ShellNode[] {
  if (node.kind === 'if') return node.branches.flatMap(({ condition }) => condition.at(-1) ?? []).map(bare);
  // `a | tee x || true` says that nobody asks.
  if (node.kind === 'list')
    return node.right.kind === 'command' && /^(?:true|:)$/u.test(node.right.command.program ?? '')
      ? []
      : [bare(node.left)];
  return [];
}

function bare(node: ShellNode): ShellNode {
  return node.kind === 'not' ? bare(node.body) : node;
}

function piped(subject: Subject, test: TestScript, node: ShellNode): readonly Claim[] {
  if (node.kind !== 'pipeline') return [];
  const grader = graderRunBy(test, node);
  const last = node.stages.at(-1);
  if (grader === null || last === undefined) return [];
  return claimAt(
    subject,
    { file: test.file, start: node.start, end: node.end },
    {
      message: `The status of this pipeline is that of \`${textOf(test, last)}\`, so it succeeds whatever ${graderName(test, grader)} finds.`,
      fixes: pipefailFix(subject, test),
    },
  );
}

function pipefailFix(subject: Subject, test: TestScript): ReturnType<typeof insertBeforeFirst> {
  // `sh` may be a shell without it.
  if (test.script.shebang?.interpreter === 'sh' || test.script.shebang?.interpreter === 'dash') return [];
  return insertBeforeFirst(subject, test, 'Add set -o pipefail', 'set -o pipefail', true);
}

/** `local rc=$(grader)` and then `$?`. */
function declared(subject: Subject, test: TestScript, before: ShellNode, node: ShellNode): readonly Claim[] {
  if (before.kind !== 'command' || !/^(?:local|export|declare|readonly|typeset)$/u.test(before.command.program ?? ''))
    return [];
  const word = statusRead(node);
  if (word === null) return [];
  const [set] = before.command.assignments;
  const grader =
    set?.value?.substitutions.flatMap(({ body }) => body.map((inner) => graderRunBy(test, inner)))[0] ?? null;
  if (set === undefined || grader === null) return [];
  const keyword = before.command.program ?? '';
  return claimAt(
    subject,
    { file: test.file, start: word.start, end: word.end },
    {
      message: `This is the status of \`${keyword}\`, which is always 0, not that of ${graderName(test, grader)}.`,
      related: relatedTo(
        subject,
        { file: test.file, start: before.start, end: before.end },
        `\`${keyword}\` succeeds whatever stands in the $(…).`,
      ),
      fixes:
        keyword === 'local' && before.command.assignments.length === 1
          ? fixIn(
              subject,
              test.file,
              'Declare first, then set',
              [{ start: before.start, end: set.start, newText: `local ${set.name}; ` }],
              true,
            )
          : [],
    },
  );
}

/** `if ! grader; then rc=$?`. */
function afterNegation(subject: Subject, test: TestScript, first: ShellNode): readonly Claim[] {
  const word = statusRead(first);
  if (word === null) return [];
  const claims: Claim[] = [];
  eachNode(test.script, (node) => {
    if (node.kind !== 'if') return;
    for (const { condition, body } of node.branches) {
      const asked = condition.at(-1);
      if (body[0] !== first || asked?.kind !== 'not') continue;
      const grader = graderRunBy(test, asked.body);
      if (grader === null || (first.kind === 'command' && /^(?:echo|printf)$/u.test(first.command.program ?? '')))
        continue;
      claims.push(
        ...claimAt(
          subject,
          { file: test.file, start: word.start, end: word.end },
          {
            message: `Behind \`!\` this is always 0, not the status of ${graderName(test, grader)}.`,
            related: relatedTo(
              subject,
              { file: test.file, start: asked.start, end: asked.end },
              'The `!` turns the status round.',
            ),
          },
        ),
      );
    }
  });
  return claims;
}

/** `grader &` and no `wait`. */
function unwaited(subject: Subject, test: TestScript, body: ShellNode): readonly Claim[] {
  const grader = graderRunBy(test, body);
  if (grader === null || test.commands.some(({ command }) => /^(?:wait|fg|jobs)$/u.test(command.program ?? '')))
    return [];
  return claimAt(
    subject,
    { file: test.file, start: grader.start, end: grader.end },
    {
      message: `${nameOf(test)} starts ${graderName(test, grader)} in the background and never waits for its result.`,
    },
  );
}

function lastOf(node: ShellNode): ShellNode {
  if ((node.kind === 'group' || node.kind === 'subshell') && node.body.length > 0)
    return lastOf(node.body.at(-1) ?? node);
  return node;
}

function sourceOf(test: TestScript, node: ShellNode): string {
  return test.script.text.slice(node.start - test.script.base, node.end - test.script.base);
}

/** A command's first line, cut to a readable length. */
function textOf(test: TestScript, node: ShellNode): string {
  if (node.kind === 'if') return 'if … fi';
  const [line = ''] = sourceOf(test, node).split(/\r?\n/u);
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
