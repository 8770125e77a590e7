import { relatedTo } from '../places';
import type { Rule } from '../rule';
import { worded } from './rubrics';

export const rubricOverlap: Rule = {
  id: 'rubric-overlap',
  severity: 'information',
  confidence: 'likely',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'When two criteria are about one fact, it is paid for twice.',
  docs: {
    finds: 'Two criteria of the same sign that have at least seven of ten words in common.',
    silent: 'A positive criterion and its pitfall, and criteria that differ in a number, a name or code.',
    bad: '"Names the full disk as the cause" and "Names a full disk as the root cause"',
    good: 'one of them',
  },
  *check(subject) {
    const all = [...worded(subject)].slice(0, 60).map((one) => ({ ...one, words: wordsOf(one.text.text) }));
    for (const [index, later] of all.entries()) {
      const sign = Math.sign(later.criterion.weight?.value ?? 0);
      const earlier = all
        .slice(0, index)
        .find(
          (one) =>
            one.file === later.file &&
            Math.sign(one.criterion.weight?.value ?? 0) === sign &&
            one.words.size >= 3 &&
            later.words.size >= 3 &&
            overlap(one.words, later.words) >= 0.7 &&
            specifics(one.text.text) === specifics(later.text.text),
        );
      if (earlier === undefined || earlier.text.text === later.text.text) continue;
      const lines = subject.lines(later.file);
      if (lines === null) continue;
      const { start, end } = earlier.text.range;
      yield {
        file: later.file,
        range: later.text.range,
        message: `${later.name} says nearly the same as ${earlier.name}.`,
        related: relatedTo(
          subject,
          { file: later.file, start: lines.offset(start), end: lines.offset(end) },
          earlier.name,
        ),
      };
    }
  },
};

const fillers = new Set('a an the of to in on at is are as and or that it its for with by from this be'.split(' '));

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !fillers.has(word)));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared);
}

/** Numbers, code and names: criteria of one form for several things differ in these alone. */
function specifics(text: string): string {
  return (text.match(/`[^`]*`|"[^"]*"|[\w.-]*\d[\w.-]*|\b\w*[._/]\w+|(?<=\s)[A-Z]\w+/gu) ?? []).sort().join(' ');
}
