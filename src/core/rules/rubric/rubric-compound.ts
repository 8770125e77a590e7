import type { Rule } from '../rule';
import { worded } from './rubrics';

export const rubricCompound: Rule = {
  id: 'rubric-compound',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'When one half holds and the other does not, two judges answer differently.',
  docs: {
    finds: 'Two demands in one criterion: “and”, “as well as” or “;” between two things to be done, or “both … and”.',
    silent: 'A list that is one fact (“names host and port”), “and therefore”, and “or an equivalent method”.',
    bad: 'Explains the cause and adds a test',
    good: 'Explains the cause',
  },
  *check(subject) {
    for (const { file, name, text } of worded(subject)) {
      const found = conjunction(text.text);
      if (found === null) continue;
      yield {
        file,
        range: text.part(found.start, found.end),
        message: `${name} asks for two things at once, joined by “${text.text.slice(found.start, found.end)}”.`,
      };
    }
  },
};

/** What an answer does, as criteria say it; none of these is a plural noun as well. */
const does =
  'accepts|achieves|adds|applies|avoids|calculates|cites|compares|computes|concludes|confirms|considers|converts|corrects|creates|defines|deletes|demonstrates|derives|describes|detects|determines|discusses|distinguishes|ensures|explains|exposes|fabricates|finds|generates|gives|handles|identifies|ignores|implements|improves|includes|introduces|justifies|keeps|leaves|maintains|makes|mentions|modifies|offers|omits|passes|points out|preserves|prevents|produces|proposes|proves|provides|recommends|refactors|refers|rejects|removes|renames|replaces|respects|restores|returns|reverts|runs|shows|specifies|suggests|summarises|summarizes|tells|validates|verifies|warns|writes';
/** These are nouns too, and verbs only with something behind them. */
const mayDo =
  'answers|changes|checks|claims|documents|fixes|lists|logs|names|notes|plans|reports|states|tests|updates|uses';
const behind = 'a|an|the|that|its|it|how|why|whether|all|each|every|no|any|where|which|when';

const joint = new RegExp(
  String.raw`(?:(?<=[,\s])|(?=;))(and(?:\s+(?:also|then|additionally))?|as well as|;)\s+(?:(?:also|then|correctly|clearly|explicitly)\s+)?(?:(?:${does})\b|(?:${mayDo})\s+(?:${behind})\b)`,
  'iu',
);
const opens = new RegExp(String.raw`^\W*(?:(?:the|an?)\s+[\w -]{1,40}\s+)?(?:\w+ly\s+)?(?:${does}|${mayDo})\b`, 'iu');
const both = /\bboth\s[^.;]{1,120}?\s(and)\s/iu;

function conjunction(text: string): { readonly start: number; readonly end: number } | null {
  // "deletes …, and no longer …" begins with a verb; a text that does not is of another form, and not judged.
  const match = opens.test(text) ? joint.exec(text) : null;
  const word = match?.[1];
  if (match !== null && word !== undefined && !/\b(?:either|or an equivalent)\b/i.test(text.slice(0, match.index))) {
    const start = match.index + match[0].indexOf(word);
    return { start, end: start + word.length };
  }
  const pair = both.exec(text);
  if (pair === null) return null;
  const start = pair.index + pair[0].lastIndexOf('and');
  return { start, end: start + 3 };
}
