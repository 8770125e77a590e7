import type { Span } from './instruction-text';

/** Characters from which on a sentence is cut at the next white space, so that no text makes rules slow. */
const longSentence = 3_000;

const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|excl|max|min|no|fig|dr|mr|st)$/iu;

/**
 * Cuts the text of a block, which stands at `offset` in the document, into sentences. `words` is that text with all that
 * is no prose blanked, so that a dot in code ends nothing. Spans hold no white space at their ends.
 */
export function sentencesOf(raw: string, words: string, offset: number): readonly Span[] {
  const spans: Span[] = [];
  const push = (from: number, to: number): void => {
    let first = from;
    let last = to;
    while (first < last && /\s/u.test(raw[first] ?? '')) first++;
    while (last > first && /\s/u.test(raw[last - 1] ?? '')) last--;
    if (last > first) spans.push({ start: offset + first, end: offset + last });
  };
  let start = 0;
  for (let at = 0; at < words.length; at++) {
    const unit = words.charCodeAt(at);
    if (at - start > longSentence && (unit === 32 || unit === 10 || at - start > 2 * longSentence)) {
      push(start, at);
      start = at;
    }
    // A full stop, `!`, `?`, and their ideographic forms.
    const wide = unit === 0x3002 || unit === 0xff01 || unit === 0xff1f;
    if (unit !== 46 && unit !== 33 && unit !== 63 && !wide) continue;
    let end = at + 1;
    while (end < words.length && '.!?)"\'”’_'.includes(words[end] ?? '')) end++;
    while (raw[end] === '*') end++;
    if (!wide && end < raw.length && !/\s/u.test(raw[end] ?? '')) continue;
    const before = words.slice(Math.max(start, at - 12), at);
    // "e.g. this" and "1. First" within a paragraph.
    if (unit === 46 && (abbreviation.test(before) || /(?:^|\s)\d{1,2}$/u.test(before))) continue;
    const next = /\S/u.exec(raw.slice(end, end + 40))?.[0];
    if (!wide && next !== undefined && /\p{Ll}/u.test(next)) continue;
    push(start, end);
    start = end;
    at = end - 1;
  }
  push(start, raw.length);
  return spans;
}
