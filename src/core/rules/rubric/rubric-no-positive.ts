import type { Rule } from '../rule';
import { rubrics } from './rubrics';

export const rubricNoPositive: Rule = {
  id: 'rubric-no-positive',
  severity: 'error',
  confidence: 'certain',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'The score is a share of the positive weights; without any it would be divided by zero.',
  docs: {
    finds: 'A rubric whose criteria are all pitfalls.',
    silent: 'One positive weight is enough.',
    bad: 'only negative weights',
    good: 'at least one criterion with a positive weight',
  },
  *check(subject) {
    for (const { file, criteria, list } of subject.derive(rubrics)) {
      const weights = criteria.map(({ weight }) => weight?.value ?? null);
      if (list === null || weights.length === 0 || weights.some((value) => value === null || value >= 0)) continue;
      yield { file, range: list, message: 'No criterion of the rubric has a positive weight.' };
    }
  },
};
