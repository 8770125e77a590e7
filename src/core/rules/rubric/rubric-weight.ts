import type { RubricWeight } from '../../rubric/rubric';
import type { Rule } from '../rule';
import { nameOf, rubrics } from './rubrics';

export const rubricWeight: Rule = {
  id: 'rubric-weight',
  severity: 'error',
  confidence: 'certain',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'Weights are whole numbers from -10 to 10 and never 0; with others scores cannot be compared.',
  docs: {
    finds: 'A weight that is missing, zero, no number, a fraction, or outside of -10 to 10.',
    silent: 'All whole numbers in that range.',
    bad: 'weight = 0',
    good: 'weight = 2',
  },
  *check(subject) {
    for (const { file, criteria } of subject.derive(rubrics)) {
      for (const [index, criterion] of criteria.entries()) {
        const { weight } = criterion;
        const name = nameOf(criterion, index);
        if (weight === null) {
          yield { file, range: criterion.range, message: `${name} has no weight.` };
          continue;
        }
        const trouble = troubleOf(weight);
        if (trouble === null) continue;
        const legal = nearestLegal(weight);
        yield {
          file,
          range: weight.range,
          message: `The weight of ${name} ${trouble}.`,
          fixes:
            legal === null
              ? []
              : [{ title: `Write ${legal}`, edits: [{ file, range: weight.range, newText: String(legal) }] }],
        };
      }
    }
  },
};

function troubleOf({ value, isFraction, written }: RubricWeight): string | null {
  if (value === null) return 'is no number';
  if (isFraction) return `is ${written}, which is no whole number`;
  if (value === 0) return 'is 0, so that it counts for nothing';
  return Math.abs(value) > 10 ? `is ${written}, which is not from -10 to 10` : null;
}

function nearestLegal({ value, written }: RubricWeight): number | null {
  const number = value ?? Number(written.replace(/^["']|["']$/gu, '').trim() || 'none');
  if (!Number.isFinite(number)) return null;
  const whole = Math.min(10, Math.max(-10, Math.round(number)));
  return whole === 0 ? (number < 0 ? -1 : 1) : whole;
}
