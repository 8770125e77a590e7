import type { Rule } from '../rule';
import { worded } from './rubrics';

export const rubricNotBinary: Rule = {
  id: 'rubric-not-binary',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'A criterion is met or not; for a degree, two experts give two answers.',
  docs: {
    finds:
      'A question of degree: rate, how well, to what extent, the quality of; a scale; or an adjective such as clear or good as all that is asked.',
    silent: 'Thresholds that make it yes or no, such as “at least two of”.',
    bad: 'Rate the clarity',
    good: 'States the time zone of every timestamp',
  },
  *check(subject) {
    for (const { file, name, text } of worded(subject)) {
      if (/\b(?:at least|at most|no more than|no fewer than|exactly|more than|fewer than)\s+\S/iu.test(text.text))
        continue;
      const match = patterns.map((pattern) => pattern.exec(text.text)).find((one) => one !== null);
      const word = match?.[1];
      if (match === undefined || word === undefined) continue;
      const start = match.index + match[0].indexOf(word);
      yield {
        file,
        range: text.part(start, start + word.length),
        message: `“${word}” makes ${name} a question of degree, not one of yes or no.`,
      };
    }
  },
};

const patterns: readonly RegExp[] = [
  /^\W*(rate|score|grade|evaluate|judge)\s+(?:the|how|on|whether|its|this)\b/iu,
  /\b(how (?:well|clear(?:ly)?|good|complete(?:ly)?|thorough(?:ly)?|effective(?:ly)?|readable|elegant(?:ly)?))\b/i,
  /\b(to what (?:extent|degree))\b/i,
  /^\W*(?:the\s+)?(?:overall\s+)?(quality of)\b/iu,
  /\b(?:scale|rated?|score[ds]?|points?)\b[^.]{0,30}?\b([01]\s?(?:-|–|to)\s?(?:5|10|100))\b/iu,
  /^\W*(?:the\s+)?(?:[\w-]+\s+){1,4}?(?:is|are)\s+(?:very\s+|overall\s+)?(clear|good|appropriate|well[- ]written|well[- ]structured|high[- ]quality|reasonable|adequate|excellent|readable|elegant|clean)\W*$/iu,
  /^\W*(?:has|shows|uses|gives|provides|is of)\s+(?:a\s+|an\s+)?(good|clear|appropriate|high[- ]quality|reasonable|adequate|excellent)\s+\w+\W*$/iu,
];
