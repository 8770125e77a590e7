import type { Rule } from '../rule';
import { rubrics } from './rubrics';

export const rubricSize: Rule = {
  id: 'rubric-size',
  severity: 'information',
  confidence: 'certain',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'With few criteria luck decides the score, with many the patience of whoever judges.',
  docs: {
    finds: 'Fewer than 7 or more than 20 criteria, or the limits of the profile.',
    silent: 'Numbers within the limits.',
    bad: '3 criteria',
    good: '9 criteria',
  },
  *check(subject) {
    const { min, max } = subject.profile.rubricSize;
    for (const { file, criteria, list } of subject.derive(rubrics)) {
      const count = criteria.length;
      if (list === null || count === 0 || (count >= min && count <= max)) continue;
      const limit = count < min ? `fewer than ${min}` : `more than ${max}`;
      yield {
        file,
        range: list,
        message: `The rubric has ${count} ${count === 1 ? 'criterion' : 'criteria'}, ${limit}.`,
      };
    }
  },
};
