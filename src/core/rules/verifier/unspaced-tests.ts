import type { Subject } from '../../model/subject';
import type { ShellCommand } from '../../text/shell/script';
import { fixIn } from '../file-fix';
import { claimAt } from '../places';
import type { Claim } from '../rule';
import type { TestScript } from './test-scripts';
import { fileOf } from './test-scripts';

/** `[ $?=0 ]`, which asks whether one word is empty, and `rc = $?`, which starts a program. */
export function* unspacedTests(subject: Subject, test: TestScript): Generator<Claim> {
  for (const { command, script } of test.commands) {
    const file = fileOf(test, script);
    yield* gluedComparison(subject, file, command);
    yield* spacedAssignment(subject, file, command);
  }
}

function* gluedComparison(subject: Subject, file: string, { program, args }: ShellCommand): Generator<Claim> {
  if (program !== '[' && program !== '[[' && program !== 'test') return;
  const words = args.filter(({ text }) => text !== ']' && text !== ']]');
  const [word] = words;
  const parts = /^("?\$[\w?{}]+"?)(={1,2}|!=)(\S+)$/u.exec(word?.text ?? '');
  if (word === undefined || parts === null || words.length !== 1) return;
  const [, left = '', operator = '', right = ''] = parts;
  yield* claimAt(
    subject,
    { file, start: word.start, end: word.end },
    {
      message: `${word.text} is one word here, and a word that is not empty is always true: ${operator} needs blanks around it.`,
      fixes: fixIn(
        subject,
        file,
        'Put blanks around it',
        [{ start: word.start, end: word.end, newText: `${left} ${operator} ${right}` }],
        true,
      ),
      supersedes: ['verifier-reward-unconditional'],
    },
  );
}

function* spacedAssignment(subject: Subject, file: string, command: ShellCommand): Generator<Claim> {
  const { programWord, args, wrappers } = command;
  const [sign, value, ...more] = args;
  if (programWord === null || sign?.text !== '=' || value === undefined || more.length > 0) return;
  if (wrappers.length > 0 || !/^[A-Za-z_]\w*$/u.test(programWord.text)) return;
  yield* claimAt(
    subject,
    { file, start: programWord.start, end: value.end },
    {
      message: `This starts a program named ${programWord.text}: an assignment has no blanks around its =.`,
      fixes: fixIn(
        subject,
        file,
        'Take the blanks out',
        [{ start: programWord.start, end: value.end, newText: `${programWord.text}=${value.text}` }],
        true,
      ),
    },
  );
}
