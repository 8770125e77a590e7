import type { Rule } from '../rule';
import { worded } from './rubrics';

export const rubricTestable: Rule = {
  id: 'rubric-testable',
  severity: 'information',
  confidence: 'possible',
  inputs: ['rubric', 'tree'],
  needsDisk: true,
  why: 'What a test can decide, it decides for less and without argument.',
  docs: {
    finds:
      'A criterion about an exit code, a file that exists, a number of rows or lines, or a program that runs without error.',
    silent: 'Tasks without tests, and criteria about what a text says.',
    bad: 'The output has 31 rows',
    good: 'a test that counts the rows',
  },
  *check(subject) {
    if (subject.layout?.testScript === null && subject.layout.steps.every(({ testScript }) => testScript === null))
      return;
    for (const { file, name, text } of worded(subject)) {
      // What an answer tells of a run is not the run.
      if (/\b(?:says?|states?|explains?|mentions?|claims?|reports?|describes?|notes?)\b/i.test(text.text)) continue;
      const match = patterns.map((pattern) => pattern.exec(text.text)).find((one) => one !== null);
      if (match === undefined) continue;
      yield {
        file,
        range: text.part(match.index, match.index + match[0].length),
        message: `A test could decide ${name}: “${match[0]}”.`,
      };
    }
  },
};

const patterns: readonly RegExp[] = [
  /\bexit(?:s with)?(?: the)? (?:code|status) \d+\b/i,
  /\bexit code (?:is|of) \d+\b/i,
  /\b(?:file|folder|directory) (?:\S+ )?(?:exists|is created|is present)\b/iu,
  /\b(?:has|contains|have|with) (?:exactly )?\d+ (?:rows|lines|columns|entries|files|records)\b/i,
  /\b(?:runs|compiles|builds|executes|completes) without (?:any )?errors?\b/i,
  /\b(?:all )?tests pass\b/i,
];
