import { hasWord } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { NumberMention } from '../../text/markdown/instruction-text';
import { claimAt, eachStep } from '../places';
import type { Claim, Rule } from '../rule';

export const consistencyNumberUntested: Rule = {
  id: 'consistency-number-untested',
  severity: 'hint',
  confidence: 'possible',
  inputs: ['instruction', 'py:tests', 'shell:test', 'texts'],
  needsDisk: true,
  why: 'A limit that no test knows is one that an agent can pass over.',
  docs: {
    finds:
      'The instruction states a limit or a count in words such as “at most” or “exactly”, and the number stands nowhere in `tests/`, in whatever unit.',
    silent: 'Examples, versions, background, what the agent may do, and the numbers 0 to 2.',
    bad: '“at most 5 retries”   # no test has a 5',
    good: 'assert calls == 5 + 1',
  },
  *check(subject) {
    if (subject.disk?.limit !== null) return;
    yield* eachStep(subject, (view) => untested(subject, view));
  },
};

const limit =
  /\b(?:at most|at least|no more than|no less than|not more than|exactly|within|maximum(?: of)?|minimum(?: of)?|up to|fewer than|less than|more than|tolerance(?: of)?)\W{0,4}$/iu;

function* untested(subject: Subject, { own, step, tests }: StepView): Generator<Claim> {
  if (own === null || step.instruction === null || tests.trim() === '') return;
  if ([...step.tests.values()].some((file) => subject.text(file) === null)) return;
  for (const mention of own.mentions.numbers) {
    const { start, end, context, value } = mention;
    if (context.place === 'fence' || context.example || context.optional || Math.abs(value) <= 2) continue;
    if (!limit.test(own.text.slice(Math.max(0, start - 40), start)) || isIn(tests, mention)) continue;
    yield* claimAt(
      subject,
      { file: step.instruction, start, end },
      {
        message: `The instruction says ${own.text.slice(start, end).replace(/\s+/gu, ' ')}, and that number stands in no test.`,
      },
    );
  }
}

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Does a text have the number: in digits, as a word, in a smaller or larger unit, or next to it as the bound of a range? */
function isIn(text: string, { value }: NumberMention): boolean {
  const forms = new Set<string>();
  for (const factor of [1, 60, 1000, 1024, 3600, 1_000_000, 1024 * 1024, 0.01, 0.001]) {
    for (const number of [value * factor, value * factor + 1, value * factor - 1]) {
      const rounded = Number(number.toPrecision(12));
      forms.add(String(rounded));
      if (Number.isInteger(rounded)) {
        forms.add(`${rounded}.0`);
        forms.add(rounded.toLocaleString('en-US').replaceAll(',', '_'));
      }
    }
  }
  const word = words[value];
  if (word !== undefined && hasWord(text.toLowerCase(), word)) return true;
  return [...forms].some((form) => hasWord(text, form)) || text.includes(value.toExponential().replace('e+', 'e'));
}
