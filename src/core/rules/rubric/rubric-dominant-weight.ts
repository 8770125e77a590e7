import type { Rule } from '../rule';
import { nameOf, rubrics } from './rubrics';

export const rubricDominantWeight: Rule = {
  id: 'rubric-dominant-weight',
  severity: 'information',
  confidence: 'certain',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'One weight, or the pitfalls together, decide nearly all of the score; the rest hardly counts.',
  docs: {
    finds: 'One criterion has more than half of the positive weights, or the pitfalls together weigh more than these.',
    silent: 'A single positive criterion, and criteria with the tag `must-have` or `gate`.',
    bad: 'weights 10, 1, 1',
    good: 'weights 4, 3, 3',
  },
  *check(subject) {
    for (const { file, criteria, list } of subject.derive(rubrics)) {
      const sum = (sign: number): number =>
        criteria.reduce((total, { weight }) => total + Math.max(0, sign * (weight?.value ?? 0)), 0);
      const positive = sum(1);
      const negative = sum(-1);
      if (positive === 0 || list === null) continue;
      const isOnly = criteria.filter(({ weight }) => (weight?.value ?? 0) > 0).length === 1;
      for (const [index, criterion] of criteria.entries()) {
        const { weight, tags } = criterion;
        if (isOnly || (weight?.value ?? 0) * 2 <= positive || weight === null) continue;
        if (tags.some((tag) => /^(?:must-have|must_have|gate|required)$/iu.test(tag))) continue;
        yield {
          file,
          range: weight.range,
          message: `${nameOf(criterion, index)} has ${weight.written} of the ${positive} points of the rubric.`,
        };
      }
      if (negative > positive)
        yield {
          file,
          range: list,
          message: `The pitfalls take ${negative} points together, more than the ${positive} that can be reached.`,
        };
    }
  },
};
