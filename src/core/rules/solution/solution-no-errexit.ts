import { baseName } from '../../model/container-path';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import type { ShellNode, ShellScript } from '../../text/shell/script';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionNoErrexit: Rule = {
  id: 'solution-no-errexit',
  severity: 'information',
  confidence: 'likely',
  inputs: ['shell:solve', 'tree', 'toml'],
  needsDisk: true,
  why: 'Harbor records the exit code of a solution and goes on, so a step that failed half way shows only in the reward, if at all.',
  docs: {
    finds:
      'The solve script has more than three commands one after the other, `set -e` is nowhere in force, and no status is looked at.',
    silent: 'Short scripts, one pipeline, scripts that check with `||`, `&&`, `if` or a trap.',
    bad: 'cd /srv\nmake\ncp a.out /usr/local/bin/\ntouch done',
    good: 'set -euo pipefail\ncd /srv\nmake\ncp a.out /usr/local/bin/\ntouch done',
  },
  *check(subject) {
    for (const { file, script } of subject.derive(solutionViews)) {
      if (file !== null && script !== null && isUnguarded(script)) yield* claim(subject, file, script);
    }
  },
};

function isUnguarded({ body, commands, errors, traps, shebang }: ShellScript): boolean {
  if (errors.length > 0 || traps.length > 0 || (shebang !== null && !/^(?:ba|da|z|k)?sh$/u.test(shebang.interpreter))) {
    return false;
  }
  if (body.filter(isStep).length <= 3) return false;
  return !commands.some(
    ({ context, program }) =>
      context.options.errexit !== false ||
      context.leftOf !== null ||
      context.condition !== null ||
      program === 'exit' ||
      program === 'set',
  );
}

/** Something that can fail: no assignment, no message. */
function isStep(node: ShellNode): boolean {
  if (node.kind !== 'command') return node.kind !== 'function';
  const { program } = node.command;
  return program !== null && !['echo', 'printf', 'export', 'true', ':'].includes(program);
}

function claim(subject: Subject, file: string, { shebang, text }: ShellScript): readonly Claim[] {
  const lines = subject.lines(file);
  const firstEnd = lines?.line(0).length ?? 0;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const at = shebang === null ? 0 : (lines?.start(1) ?? 0);
  const fixes =
    lines === null || (shebang !== null && lines.count < 2)
      ? []
      : [
          {
            title: 'Stop at the first failure (set -euo pipefail)',
            edits: [{ file, range: lines.range(at, at), newText: `set -euo pipefail${eol}` }],
          },
        ];
  return claimAt(
    subject,
    { file, start: 0, end: firstEnd },
    {
      message: `${baseName(file)} goes on after a command that fails: neither set -e nor a check is there.`,
      fixes,
    },
  );
}
