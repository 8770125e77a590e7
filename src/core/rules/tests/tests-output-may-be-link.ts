import { comparedFiles } from '../../model/compared-files';
import { isAtOrBelow } from '../../model/container-path';
import { roleAt } from '../../model/path-uses';
import { claimAt } from '../places';
import type { Rule } from '../rule';

/** Any of them shows that somebody thought of links. */
const linkWords = [
  'is_symlink',
  'islink',
  'lstat',
  'O_NOFOLLOW',
  'S_ISREG',
  'resolve(',
  'realpath',
  'readlink',
  '-L ',
  '-type f',
];

export const testsOutputMayBeLink: Rule = {
  id: 'tests-output-may-be-link',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'The agent can leave a link in the place of its output. A link to the file with the expected content is equal to it, whatever that content is.',
  docs: {
    finds:
      'The tests compare an output of the agent with a file below `/tests`, and never ask whether the output is a plain file. One finding a task.',
    silent: 'Tests that ask for links or real paths anywhere, expected values that are constants or computed.',
    bad: 'assert OUT.read_text() == Path("/tests/want.json").read_text()',
    good: 'assert not OUT.is_symlink()\nassert OUT.read_text() == Path("/tests/want.json").read_text()',
  },
  *check(subject) {
    for (const { view, reached, left, right } of subject.derive(comparedFiles)) {
      for (const [expected, actual] of [
        [left, right],
        [right, left],
      ] as const) {
        const want = expected.paths.find(({ path }) => isAtOrBelow(path, '/tests'));
        const output = actual.paths.find(({ path }) => roleAt(view.expectations, path) === 'output');
        if (want === undefined || output === undefined || !expected.sources.plain || !actual.sources.plain) continue;
        if (linkWords.some((word) => view.tests.includes(word))) continue;
        const place = output.use.literal ?? output.use.pathNode;
        yield* claimAt(
          subject,
          { file: reached.file, start: place.start, end: place.end },
          {
            message: `A link from ${output.path} to ${want.path} would pass: nothing asks whether the output is a file of its own.`,
          },
        );
        return;
      }
    }
  },
};
