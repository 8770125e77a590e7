import type { Contexts } from './context';
import type { InstructionText, MentionContext, NumberMention } from './instruction-text';

const units =
  'ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|%|percent|bytes?|[kKmMgGtT]i?B|bits?|px|pixels?|lines?|rows?|columns?|entries|items?|retries|attempts?|times|characters?|chars?|words?|hz|khz|mhz|ghz|m|km|cm|mm|kg|g|tokens?|digits?|decimals?|decimal places|workers?|threads?|connections?|requests?|iterations?|steps?|epochs?|bp';
const numberPattern = new RegExp(
  String.raw`(?<![\w.,/:#+-])(-?\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,15})?(?:[eE]-?\d{1,3})?)(?:[ \t-]?(${units})(?![\w]))?(?![\w/]|[.,:-]\d)`,
  'gu',
);

export function numbersOf(text: InstructionText, contexts: Contexts): readonly NumberMention[] {
  const numbers: NumberMention[] = [];
  const scan = (from: string, offset: number, sentence: number, place: MentionContext['place']): void => {
    if (!/\d/u.test(from)) return;
    for (const match of from.matchAll(numberPattern)) {
      const span = { start: offset + match.index, end: offset + match.index + match[0].length };
      const value = Number((match[1] ?? '').replaceAll(',', ''));
      const unit = match[2] === undefined ? null : singular(match[2]);
      if (Number.isFinite(value))
        numbers.push({ ...span, text: match[0], value, unit, context: contexts.ofSentence(sentence, span, place) });
    }
  };
  for (const [index, { words, start, place }] of text.sentences.entries())
    scan(words, start, index, place === 'comment' ? 'comment' : 'prose');
  for (const code of text.codes) scan(code.code, code.body.start, code.sentence, 'code');
  return numbers.sort((a, b) => a.start - b.start);
}

function singular(unit: string): string {
  const lower = unit.toLowerCase();
  const short: Readonly<Record<string, string>> = {
    s: 'second',
    sec: 'second',
    secs: 'second',
    min: 'minute',
    mins: 'minute',
    h: 'hour',
    millisecond: 'ms',
    milliseconds: 'ms',
    percent: '%',
    entries: 'entry',
    retries: 'retry',
  };
  return short[lower] ?? (lower.length > 2 && lower.endsWith('s') ? lower.slice(0, -1) : lower);
}
