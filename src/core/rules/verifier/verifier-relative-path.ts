import { absolutePath, isAtOrBelow } from '../../model/container-path';
import { walkShell } from '../../model/shell-walk';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellWord } from '../../text/shell/script';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { fileOf, nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierRelativePath: Rule = {
  id: 'verifier-relative-path',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'docker', 'compose', 'toml', 'tree'],
  needsDisk: true,
  why: 'The script is started in the working directory of the image, not in the folder that it lies in.',
  docs: {
    finds: 'The test script names a file of `tests/` by a relative path, without having gone to that folder.',
    silent: 'After `cd "$(dirname "$0")"` and the like, and where the path fits the working directory.',
    bad: 'pytest test_hives.py',
    good: 'pytest /tests/test_hives.py',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) {
      const view = subject.derive(stepViews).find(({ step }) => step === test.step);
      if (view !== undefined) yield* once(claimsOf(subject, test, view));
    }
  },
};

function* claimsOf(subject: Subject, test: TestScript, view: StepView): Generator<Claim> {
  const start = view.expectations.startFolder;
  const claims: Claim[] = [];
  // Without a known folder to start from, `tests/x` may well lie below it.
  if (start === null || isAtOrBelow(start, '/tests')) return;
  walkShell(test.script, start, ({ command, script, folder }) => {
    if (folder !== start || command.context.subshell) return;
    for (const word of pathsOf(command, test)) {
      const meant = meantBy(test, word);
      const actual = absolutePath((word.value ?? '').split('::')[0] ?? '', folder);
      if (meant === null || actual === null || actual === meant) continue;
      if (view.space.has(actual) !== 'no' && test.step.verifier === 'shared') continue;
      if (isMade(test, word)) continue;
      const file = fileOf(test, script);
      claims.push(
        ...claimAt(
          subject,
          { file, start: word.start, end: word.end },
          {
            message: `${nameOf(test)} starts in ${folder}, so this is ${actual}; the file is ${meant}.`,
            supersedes: ['verifier-missing-file'],
            fixes: fixIn(
              subject,
              file,
              `Use ${meant}`,
              [{ start: word.start, end: word.end, newText: withNode(word, meant) }],
              true,
            ),
          },
        ),
      );
    }
  });
  yield* claims;
}

/** Words that are opened or run as files: of graders, interpreters, `source`, `cp` and `cat`. */
function pathsOf(command: ShellCommand, test: TestScript): readonly ShellWord[] {
  const { program, programWord, args } = command;
  if (programWord === null || program === null) return [];
  const own = /^\.{1,2}\//u.test(programWord.value ?? '') ? [programWord] : [];
  if (!test.graders.has(command) && !/^(?:python[0-9.]*|bash|sh|source|\.|node|cp|cat|diff)$/u.test(program))
    return own;
  const options = args.filter(
    ({ value }, i) => value !== null && !value.startsWith('-') && !/^-[mkpcWo]$|^--\w/u.test(args[i - 1]?.value ?? ''),
  );
  return [...own, ...options];
}

/** The file of `tests/` that a relative path is meant for; null when it is none. */
function meantBy(test: TestScript, word: ShellWord): string | null {
  const text = (word.value ?? '').split('::')[0] ?? '';
  if (word.pattern || text === '' || /^[/~$-]/u.test(text)) return null;
  const plain = text.replace(/^(?:\.\/)+/u, '').replace(/^(?:\.\.\/)*tests\//u, '');
  return test.step.tests.has(plain) ? `/tests/${plain}` : null;
}

/** `./check.sh` after `cp /tests/check.sh .`. */
function isMade(test: TestScript, word: ShellWord): boolean {
  const name = (word.value ?? '').replace(/^.*\//u, '').split('::')[0] ?? '';
  return test.commands.some(
    ({ command }) =>
      command.start < word.start &&
      /^(?:cp|mv|ln|install|rsync|curl|wget|tar|git|tee|cat)$/u.test(command.program ?? '') &&
      (command.writes.some(({ file }) => file?.endsWith(name) === true) ||
        command.args.some(
          ({ value }) => /\/tests\/?[.*]*$/u.test(value ?? '') || value?.startsWith('/tests/') === true,
        )),
  );
}

function withNode(word: ShellWord, path: string): string {
  const node = (word.value ?? '').split('::').slice(1);
  const whole = [path, ...node].join('::');
  return /["'\s]/u.test(word.text.charAt(0)) ? `${word.text.charAt(0)}${whole}${word.text.charAt(0)}` : whole;
}
