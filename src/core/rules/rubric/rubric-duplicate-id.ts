import type { RubricText } from '../../rubric/rubric';
import { relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { rubrics } from './rubrics';

export const rubricDuplicateId: Rule = {
  id: 'rubric-duplicate-id',
  severity: 'error',
  confidence: 'certain',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'Of two criteria with one id, one takes the place of the other; two with one text count a fact twice.',
  docs: {
    finds: 'Two criteria whose ids are equal, upper and lower case aside, or whose texts are equal.',
    silent: 'Similar texts.',
    bad: 'id = "cause" and id = "Cause"',
    good: 'id = "cause" and id = "fix"',
  },
  *check(subject) {
    for (const { file, criteria } of subject.derive(rubrics)) {
      const ids = new Map<string, RubricText>();
      const texts = new Map<string, RubricText>();
      const taken = new Set(criteria.map(({ id }) => id?.text.toLowerCase() ?? ''));
      const lines = subject.lines(file);
      const related = (other: RubricText): Claim['related'] =>
        lines === null
          ? []
          : relatedTo(
              subject,
              { file, start: lines.offset(other.range.start), end: lines.offset(other.range.end) },
              'The first one',
            );
      for (const { id, text } of criteria) {
        const sameId = id === null || id.text === '' ? undefined : ids.get(id.text.toLowerCase());
        const key = text?.text.replace(/\s+/gu, ' ').trim().toLowerCase() ?? '';
        const sameText = key === '' ? undefined : texts.get(key);
        if (id !== null && sameId !== undefined) {
          const free = freeId(id.text, taken);
          taken.add(free.toLowerCase());
          yield {
            file,
            range: id.range,
            message: `The id ${JSON.stringify(id.text)} is taken already, as ${JSON.stringify(sameId.text)}.`,
            related: related(sameId) ?? [],
            fixes: [{ title: `Rename to ${free}`, edits: [{ file, range: id.range, newText: JSON.stringify(free) }] }],
          };
        } else if (text !== null && sameText !== undefined) {
          yield {
            file,
            range: text.range,
            message: 'Another criterion has the same text.',
            related: related(sameText) ?? [],
          };
        }
        if (id !== null && sameId === undefined) ids.set(id.text.toLowerCase(), id);
        if (text !== null && sameText === undefined) texts.set(key, text);
      }
    }
  },
};

function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const next = `${id}-${number}`;
    if (!taken.has(next.toLowerCase())) return next;
  }
}
