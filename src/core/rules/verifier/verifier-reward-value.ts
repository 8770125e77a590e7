import { readReward } from '../../results/reward';
import type { Subject } from '../../model/subject';
import type { Written } from '../../text/shell/flow/flow';
import type { ShellCommand } from '../../text/shell/script';
import type { Place } from '../places';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { graderName } from './names';
import { rewardJson } from '../../model/harbor-paths';
import { fileOf, nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierRewardValue: Rule = {
  id: 'verifier-reward-value',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'Harbor takes the file for a number (reward.txt) or an object of numbers (reward.json) and reports an error of the verifier for anything else; an exit status counts the wrong way round.',
  docs: {
    finds:
      'Text that is no number, JSON that is no object of numbers, values outside 0 to 1, the output of the tests, an exit status, a variable that nothing sets. A constant fraction is information, or a warning where the profile asks for 0 or 1.',
    silent: 'Constants 0 and 1, variables set to these only, values that a program computes.',
    bad: 'pytest /tests > /logs/verifier/reward.txt',
    good: 'echo "${score:-0}" > /logs/verifier/reward.txt',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(claimsOf(subject, test));
  },
};

function* claimsOf(subject: Subject, test: TestScript): Generator<Claim> {
  if (test.script.errors.length > 0) return;
  const seen = new Set<string>();
  for (const path of test.flow.paths) {
    for (const [file, written] of path.written) {
      const { command, value } = written;
      if (command === null || value.text === '') continue;
      const key = `${command.start} ${value.text ?? '?'}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield* claimsAbout(subject, test, file, written, command);
    }
  }
}

function* claimsAbout(
  subject: Subject,
  test: TestScript,
  file: string,
  written: Written,
  command: ShellCommand,
): Generator<Claim> {
  const { value, write } = written;
  const own = test.commands.find((one) => one.command === command);
  if (own === undefined) return;
  const inFile = fileOf(test, own.script);
  const place = placeOf(command, inFile);
  const name = file === rewardJson ? 'reward.json' : 'reward.txt';
  const printer = printerOf(test, command, written);
  if (printer !== null) {
    yield* claimAt(
      subject,
      { file: inFile, start: write.path.start, end: write.path.end },
      {
        message: `What ${graderName(test, printer)} prints goes into ${name}, which may hold a reward only.`,
        confidence: 'certain',
      },
    );
    return;
  }
  if (value.status?.kind === 'command' && value.text === null && test.graders.has(value.status.command)) {
    yield* claimAt(subject, place, {
      message: `${name} gets the exit status of ${graderName(test, value.status.command)}, which is 0 when the tests pass.`,
      confidence: 'certain',
    });
    return;
  }
  if (value.unset && isNowhereSet(subject, test, command)) {
    const [word] = command.args.filter(({ variables }) => variables.length > 0);
    const variable = word?.variables[0];
    if (word === undefined || variable === undefined) return;
    yield* claimAt(subject, place, {
      message: `Nothing sets \`${variable}\`, so ${name} stays empty.`,
      fixes: fixIn(
        subject,
        inFile,
        'Fall back on 0',
        [{ start: word.start, end: word.end, newText: word.quoted ? `"\${${variable}:-0}"` : `\${${variable}:-0}` }],
        true,
      ),
    });
    return;
  }
  if (value.text !== null) yield* claimsAboutText(subject, place, name, value.text, nameOf(test));
}

/** The test runner whose report ends up in the file: its own output, or that of a compound command around it. */
function printerOf(test: TestScript, command: ShellCommand, { value, write }: Written): ShellCommand | null {
  const prints = (one: ShellCommand): boolean => {
    const kind = test.graders.get(one)?.kind;
    return kind !== undefined && kind !== 'script';
  };
  if (prints(command)) return command;
  // `if pytest …; then echo 1; fi > reward.txt`
  if (value.text !== null || command.writes.includes(write)) return null;
  return value.from.find(prints) ?? null;
}

function* claimsAboutText(
  subject: Subject,
  place: Place,
  name: string,
  text: string,
  script: string,
): Generator<Claim> {
  // Appended lines of several runs are beyond what is followed here.
  if (text.length > 10_000 || /[^\0-\u007f]/u.test(text)) return;
  const content = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const reading = readReward([{ name, kind: 'file', size: content.length, content, target: null }]);
  const shown = text.trim().replace(/\s+/gu, ' ').slice(0, 40);
  if (!reading.ok) {
    yield* claimAt(subject, place, {
      message: `${script} writes \`${shown}\` to ${name}, which Harbor cannot read as ${name === 'reward.json' ? 'an object of numbers' : 'a number'}.`,
      confidence: 'certain',
    });
    return;
  }
  const rewards = reading.rewards ?? {};
  // Beside the reward itself an object may hold counts and codes.
  const judged = rewards.reward === undefined ? Object.values(rewards) : [rewards.reward];
  const numbers = judged.map(({ value }) => value);
  if (numbers.some((number) => !(number >= 0 && number <= 1))) {
    yield* claimAt(subject, place, { message: `${script} writes the reward \`${shown}\`, which is not from 0 to 1.` });
  } else if (numbers.some((number) => number > 0 && number < 1)) {
    yield* claimAt(subject, place, {
      message: `${script} writes the fraction \`${shown}\`, neither pass nor fail.`,
      severity: subject.profile.binaryReward ? 'warning' : 'information',
    });
  }
}

/** The words after `echo`, where that is what it is; else the command. */
function placeOf(command: ShellCommand, file: string): Place {
  const words = command.program === 'echo' || command.program === 'printf' ? command.args : [];
  const first = words.find(({ prefix }) => !/^-[neE]+$/u.test(prefix));
  const last = words.at(-1);
  return first === undefined || last === undefined
    ? { file, start: command.start, end: command.end }
    : { file, start: first.start, end: last.end };
}

/** Neither the scripts nor the environment that task.toml and the image give set the variable. */
function isNowhereSet(subject: Subject, test: TestScript, command: ShellCommand): boolean {
  const names = command.args.flatMap(({ variables }) => variables);
  const [name] = names;
  if (name === undefined || names.length > 1 || !/^[A-Za-z_]\w*$/u.test(name)) return false;
  if (
    test.script.commands.some(({ program, sourced }) => (program === 'source' || program === '.') && sourced === null)
  )
    return false;
  const dockerfile = subject.layout?.dockerfile ?? null;
  const elsewhere = [subject.toml?.text ?? '', dockerfile === null ? '' : (subject.text(dockerfile) ?? '')];
  return !elsewhere.some((text) => text.includes(name)) && !test.script.text.includes(`${name}=`);
}
