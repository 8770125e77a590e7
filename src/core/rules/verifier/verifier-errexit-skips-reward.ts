import type { Fix } from '../../finding';
import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellNode } from '../../text/shell/script';
import { isPython } from '../../text/shell/names';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { firstWrite, isRewarded } from './rewards';
import { eachSequence } from './siblings';
import { fileOf, nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierErrexitSkipsReward: Rule = {
  id: 'verifier-errexit-skips-reward',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'Under `set -e` the script is over at the first failing test, so the lines that would have written the 0 never run, and the failed attempt is recorded as an error of the verifier.',
  docs: {
    finds: 'A grading command outside a condition, under `set -e`, before any reward is written.',
    silent:
      '`if cmd`, `cmd || rc=$?`, `cmd && x`, `! cmd`, `set +e` around it, a default written first, an exit trap that writes.',
    bad: 'set -e\npytest /tests/test_hives.py\necho 1 > /logs/verifier/reward.txt',
    good: 'set -e\nif pytest /tests/test_hives.py; then r=1; else r=0; fi\necho $r > /logs/verifier/reward.txt',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(claimsOf(subject, test));
  },
};

function* claimsOf(subject: Subject, test: TestScript): Generator<Claim> {
  const { flow } = test;
  const write = firstWrite(test);
  if (!flow.complete || write === null) return;
  for (const path of flow.paths) {
    if (path.end.kind !== 'errexit' || path.unsure || isRewarded(path)) continue;
    const failed = path.decisions.findLast(
      ({ command, succeeded }) => !succeeded && (test.graders.has(command) || judgesInline(command)),
    )?.command;
    const stopped = path.end.command;
    if (failed === undefined || stopped === null) continue;
    const own = test.commands.find(({ command }) => command === failed);
    if (own === undefined || fileOf(test, own.script) !== test.file) continue;
    const set = switchOn(test, failed);
    yield* claimAt(
      subject,
      { file: test.file, start: failed.start, end: endOf(failed) },
      {
        message: `When this fails, \`set -e\` ends ${nameOf(test)} before it writes a reward.`,
        related: [
          ...relatedTo(subject, set === null ? null : { file: test.file, ...set }, '`set -e` is in force from here.'),
          ...relatedTo(
            subject,
            { file: test.file, start: write.start, end: write.end },
            write.start > failed.start ? 'This is not reached then.' : 'The reward is written here.',
          ),
        ],
        fixes: fixFor(subject, test, failed),
      },
    );
  }
}

/** `python3 <<'END'` with a program that ends with a status of its own, and leaves the reward alone. */
function judgesInline({ program, heredocs }: ShellCommand): boolean {
  return (
    isPython(program ?? '') &&
    heredocs.some(
      ({ use, content }) =>
        use === 'code' &&
        content !== null &&
        /\bsys\.exit\(1\)|\braise SystemExit\(1\)|^assert /mu.test(content) &&
        !/reward|\/logs\/|environ|argv/u.test(content),
    )
  );
}

/** Without what is redirected and fed to it. */
function endOf(command: ShellCommand): number {
  return command.words.at(-1)?.end ?? command.end;
}

function switchOn(test: TestScript, before: ShellCommand): { readonly start: number; readonly end: number } | null {
  const set = test.script.commands.findLast(
    ({ program, args, start }) =>
      program === 'set' && start < before.start && args.some(({ value }) => /^-[a-z]*e|^errexit$/u.test(value ?? '')),
  );
  return set ?? test.script.shebang;
}

/** Three shapes that can be rewritten without a doubt; otherwise none. */
function fixFor(subject: Subject, test: TestScript, failed: ShellCommand): readonly Fix[] {
  const { script } = test;
  const source = (start: number, end: number): string => script.text.slice(start - script.base, end - script.base);
  let fixes: readonly Fix[] = [];
  eachSequence(script, (nodes) => {
    const at = nodes.findIndex((node) => node.kind === 'command' && node.command === failed);
    const [node, next] = [nodes[at], nodes[at + 1]];
    if (node === undefined || next === undefined || failed.heredocs.length > 0) return;
    const run = source(failed.start, failed.end);
    const between = source(failed.end, next.start);
    const variable = capturedIn(next);
    if (variable !== null) {
      const edits = [
        {
          start: failed.start,
          end: failed.start,
          newText: `${variable}=0${between.trim().startsWith(';') ? '; ' : `\n${indentOf(source, script.base, failed.start)}`}`,
        },
        { start: failed.end, end: next.end, newText: ` || ${source(next.start, next.end)}` },
      ];
      fixes = fixIn(subject, test.file, `Keep the status with || ${variable}=$?`, edits, true);
    } else if (next.kind === 'if') {
      const asked = next.branches[0]?.condition[0];
      if (asked?.kind !== 'command' || next.branches[0]?.condition.length !== 1 || !asksForSuccess(asked.command))
        return;
      fixes = fixIn(
        subject,
        test.file,
        'Put the command into the condition',
        [
          { start: failed.start, end: next.start, newText: '' },
          { start: asked.start, end: asked.end, newText: run },
        ],
        true,
      );
    } else if (next.kind === 'command' && isPositiveWrite(next.command) && nodes.length === at + 2) {
      const write = source(next.start, next.end);
      const zero = write.replace(/\b1(?:\.0)?\b/u, '0');
      fixes = fixIn(
        subject,
        test.file,
        'Write 0 when it fails',
        [
          { start: failed.start, end: failed.start, newText: 'if ' },
          { start: failed.end, end: next.start, newText: '; then\n  ' },
          { start: next.end, end: next.end, newText: `\nelse\n  ${zero}\nfi` },
        ],
        true,
      );
    }
  });
  return fixes;
}

function indentOf(source: (start: number, end: number) => string, base: number, start: number): string {
  return /[ \t]*$/u.exec(source(Math.max(base, start - 200), start))?.[0] ?? '';
}

/** `rc=$?` alone. */
function capturedIn(node: ShellNode): string | null {
  if (node.kind !== 'command' || node.command.program !== null || node.command.assignments.length !== 1) return null;
  const [set] = node.command.assignments;
  return set?.value?.text === '$?' ? set.name : null;
}

/** `[ $? -eq 0 ]`. */
function asksForSuccess(command: ShellCommand): boolean {
  const [left, operator, right, ...more] = command.args.map(({ value, text }) => value ?? text.replace(/["']/gu, ''));
  return left === '$?' && /^(?:-eq|==?)$/u.test(operator ?? '') && right === '0' && more.length === 0;
}

function isPositiveWrite(command: ShellCommand): boolean {
  return (
    command.program === 'echo' &&
    command.args.length === 1 &&
    /^1(?:\.0)?$/u.test(command.args[0]?.value ?? '') &&
    command.writes.length === 1
  );
}
