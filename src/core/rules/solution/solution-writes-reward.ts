import { baseName } from '../../model/container-path';
import { rewardFiles } from '../../model/harbor-paths';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import type { Fix } from '../../finding';
import type { Place } from '../places';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionWritesReward: Rule = {
  id: 'solution-writes-reward',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:solve', 'py:solution', 'tree', 'toml'],
  needsDisk: true,
  why: 'A solution that writes the reward grades itself, and then the oracle gate shows nothing.',
  docs: {
    finds: 'The solve script or a file beside it writes `/logs/verifier/reward.txt` or `reward.json`.',
    silent: 'Every other file; removing an old reward.',
    bad: 'echo 1 > /logs/verifier/reward.txt      # in solve.sh',
    good: '# nothing: only the verifier writes the reward',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  for (const { uses, script, file } of subject.derive(solutionViews)) {
    for (const use of uses) {
      if (use.action !== 'write' || !rewardFiles.includes(use.path)) continue;
      const command =
        use.file === file ? script?.commands.find(({ start, end }) => start <= use.start && use.end <= end) : undefined;
      yield* claimAt(subject, use, {
        message: `${baseName(use.file)} writes the reward ${use.path} itself.`,
        fixes:
          command === undefined ? [] : withoutLine(subject, { file: use.file, start: command.start, end: command.end }),
      });
    }
  }
}

/** Only a command that has its lines to itself can go without changing what stands around it. */
function withoutLine(subject: Subject, place: Place): readonly Fix[] {
  const text = subject.text(place.file);
  const lines = subject.lines(place.file);
  if (text === null || lines === null) return [];
  const start = text.lastIndexOf('\n', place.start - 1) + 1;
  const next = text.indexOf('\n', place.end);
  const end = next < 0 ? text.length : next + 1;
  const isAlone = text.slice(start, place.start).trim() === '' && text.slice(place.end, end).trim() === '';
  if (!isAlone || place.start !== start) return [];
  return [
    {
      title: 'Remove the line',
      edits: [{ file: place.file, range: lines.range(start, end), newText: '' }],
      preferred: true,
    },
  ];
}
