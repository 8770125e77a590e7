import { walkShell } from '../../model/shell-walk';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { baseName, normalPath } from '../../text/shell/names';
import type { ShellCommand, ShellWrite } from '../../text/shell/script';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { numberIn } from './rewards';
import { rewardFiles } from '../../model/harbor-paths';
import { fileOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierRewardPath: Rule = {
  id: 'verifier-reward-path',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'Harbor looks for the reward in two places only, /logs/verifier/reward.json and /logs/verifier/reward.txt; anywhere else it is as if nothing had been written.',
  docs: {
    finds:
      'A reward written to another name or folder: `rewards.json`, `/logs/reward.txt`, `/logs/verifier/score.txt`, a relative path.',
    silent: 'Other logs, and a file that is moved or copied on. Beside a write to the right place it is information.',
    bad: 'echo 1 > reward.txt',
    good: 'echo 1 > /logs/verifier/reward.txt',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(wrongPaths(subject, test));
  },
};

interface Wrong {
  readonly write: ShellWrite;
  readonly command: ShellCommand;
  readonly file: string;
  readonly path: string;
  /** A name that can only be meant as the reward, not one of many logs. */
  readonly sure: boolean;
}

export function* wrongPaths(subject: Subject, test: TestScript): Generator<Claim> {
  if (test.script.errors.length > 0) return;
  const wrong: Wrong[] = [];
  let right = test.flow.paths.some(({ written }) => written.size > 0);
  const opaque: ShellWrite[] = [];
  const start = subject.derive(stepViews).find(({ step }) => step === test.step)?.expectations.startFolder ?? null;
  walkShell(test.script, start, ({ command, script, folder }) => {
    for (const write of command.writes) {
      if (write.stderrOnly || write.via === 'sed') continue;
      if (write.file === null) {
        if (!write.path.prefix.startsWith('/') || write.path.prefix.startsWith('/logs')) opaque.push(write);
        continue;
      }
      const full = write.file.startsWith('/')
        ? normalPath(write.file)
        : folder === null
          ? null
          : normalPath(`${folder}/${write.file}`);
      if (full !== null && rewardFiles.includes(full)) right = true;
      else {
        const sure = isReward(write.file, full);
        if (sure !== null) wrong.push({ write, command, file: fileOf(test, script), path: write.file, sure });
      }
    }
  });
  if (opaque.length > 0 || wrong.length === 0) return;
  for (const { write, command, file, path, sure } of wrong) {
    if (isUsedLater(test, path, command)) continue;
    if (!sure && (right || !isVerdict(test, write, command))) continue;
    if (!right && test.mayWriteElsewhere) continue;
    const target = path.endsWith('.json') ? 'reward.json' : 'reward.txt';
    yield* claimAt(
      subject,
      { file, start: write.path.start, end: write.path.end },
      {
        message: right
          ? `Harbor reads no reward at \`${path}\`; what stands there has no effect.`
          : `Harbor reads no reward at \`${path}\`, so it reports that none was written.`,
        ...(right && { severity: 'information' as const }),
        fixes: fixIn(
          subject,
          file,
          `Write to /logs/verifier/${target}`,
          write.via === 'dd'
            ? []
            : [{ start: write.path.start, end: write.path.end, newText: `/logs/verifier/${target}` }],
          true,
        ).filter(({ edits }) => edits.length > 0),
      },
    );
  }
}

/** Is the name one for a reward? false for a name that other logs have too, null for one that has nothing to do with it. */
function isReward(path: string, full: string | null): boolean | null {
  const name = baseName(path.replace(/\\/gu, '/')).toLowerCase();
  if (/^rewards?\.(?:txt|json)$/u.test(name)) {
    // A folder of its own below the right one may be an archive for people.
    return full === null || !/^\/logs\/(?:artifacts|agent)\//u.test(full);
  }
  return /^(?:score|result|grade)s?\.(?:txt|json)$/u.test(name) && /^\/logs(?:\/verifier)?\/[^/]*$/u.test(full ?? '')
    ? false
    : null;
}

/** 0 or 1, alone. */
function isVerdict(test: TestScript, write: ShellWrite, command: ShellCommand): boolean {
  if (write.via === 'tee') {
    const before = test.script.commands[command.index - 1];
    return before?.program === 'echo' && numberIn(before.args.at(-1)?.value ?? '') !== null;
  }
  const [only, ...more] = command.args;
  if (write.content !== null) return numberIn(write.content) !== null;
  return (
    command.program === 'echo' && more.length === 0 && /^"?\$\{?(?:score|reward|result|r|rc)\b/i.test(only?.text ?? '')
  );
}

/** `mv reward.txt /logs/verifier/` and the like. */
function isUsedLater(test: TestScript, path: string, writer: ShellCommand): boolean {
  const name = baseName(path);
  return test.commands.some(
    ({ command }) =>
      command !== writer &&
      command.start > writer.start &&
      !command.writes.some(({ file }) => file === path) &&
      command.words.some((word) => baseName(word.value ?? word.prefix) === name || word.value === path),
  );
}
