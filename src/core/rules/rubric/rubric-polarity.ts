import type { Rule } from '../rule';
import { worded } from './rubrics';

export const rubricPolarity: Rule = {
  id: 'rubric-polarity',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'A negative weight takes points when its text is true. Where the text is something good, or the absence of something, the penalty falls on the wrong answers.',
  docs: {
    finds:
      'A negative weight on a text that describes good behaviour or an absence (“Does not …”, “Correctly …”), or a positive weight on a plain pitfall (“Fails to …”, “Fabricates …”).',
    silent: 'Pitfalls that say which bad thing is there.',
    bad: 'weight = -3, text = "Does not claim untested support"',
    good: 'weight = -3, text = "Claims support that was not tested"',
  },
  *check(subject) {
    for (const { file, name, text, criterion } of worded(subject)) {
      const weight = criterion.weight?.value ?? 0;
      const pattern = weight < 0 ? good : weight > 0 ? bad : null;
      const match = pattern?.exec(text.text);
      const word = match?.[1];
      if (match === undefined || match === null || word === undefined) continue;
      const start = match.index + match[0].indexOf(word);
      yield {
        file,
        range: text.part(start, start + word.length),
        message:
          weight < 0
            ? `${name} takes ${-weight} ${weight === -1 ? 'point' : 'points'} from answers of which “${word} …” is true.`
            : `${name} gives ${weight} ${weight === 1 ? 'point' : 'points'} for a mistake (“${word} …”).`,
      };
    }
  },
};

const subject = String.raw`^\W*(?:(?:the|an?)\s+[\w-]{1,30}\s+)?`;
const good = new RegExp(
  `${subject}(do(?:es)? not|doesn['’]t|never|avoids?|refrains? from|correctly|accurately|properly|appropriately)\\b`,
  'iu',
);
const bad = new RegExp(
  `${subject}(fails? to|fabricates?|hallucinates?|forgets? to|misrepresents?|misstates?|misidentif(?:y|ies)|incorrectly|wrongly|falsely)\\b`,
  'iu',
);
