import type { Rule } from '../rule';
import { worded } from './rubrics';

export const rubricNotSelfContained: Rule = {
  id: 'rubric-not-self-contained',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'A judge is shown one criterion at a time, and cannot look up what it points to.',
  docs: {
    finds:
      'A pointer to something outside of the criterion: “as above”, “see #3”, another criterion, “the reference answer”, or “the correct value” where the value is not said.',
    silent: 'Names of files, and criteria that give the value.',
    bad: 'Gives the correct port',
    good: 'Says that the port is 8443',
  },
  *check(subject) {
    for (const { file, name, text } of worded(subject)) {
      const pointer =
        pointers.map((pattern) => pattern.exec(text.text)).find((one) => one !== null) ?? unsaid(text.text);
      if (pointer === null) continue;
      yield {
        file,
        range: text.part(pointer.index, pointer.index + pointer[0].length),
        message: `“${pointer[0]}” points to something that whoever judges ${name} does not see.`,
      };
    }
  },
};

const pointers: readonly RegExp[] = [
  /\b(?:as (?:described|stated|mentioned|listed|defined|noted|shown)? ?(?:above|below)|(?:described|stated|mentioned|listed|defined) (?:above|below))\b/i,
  /\bsee (?:#\s?\d+|(?:criterion|item|number|no\.)\s?#?\w+)/i,
  /\b(?:the )?(?:previous|preceding|other|next|first|second) criteri(?:on|a)\b/i,
  /\b(?:the )?(?:reference|gold(?:en)?|model|ideal) (?:answer|response|output|solution)\b/i,
];

/** "the correct port" without anything that could be the port. */
function unsaid(text: string): RegExpExecArray | null {
  const match =
    /\bthe (?:correct|right|expected|true) (?:values?|answers?|ports?|numbers?|results?|names?|dates?|versions?|counts?|totals?|causes?|root causes?|outputs?|amounts?)\b/i.exec(
      text,
    );
  if (match === null) return null;
  const rest = text.slice(0, match.index) + text.slice(match.index + match[0].length);
  return /[\d`"'“”‘’(=:]|\b(?:is|are|of|namely|i\.e\.)\b|[/_]/u.test(rest) ? null : match;
}
