/** A run of characters that a reader does not see, or takes for others. */
export interface HiddenRun {
  readonly start: number;
  readonly end: number;
  readonly kind: 'direction' | 'zero-width' | 'tag' | 'space' | 'lookalike' | 'byte-order-mark';
  /** What to write instead. */
  readonly replacement: string;
  /** For people: what it is, such as "U+200B". */
  readonly names: string;
}

/** Letters of other scripts that look like a Latin one. */
const lookalikes = new Map<string, string>(
  [
    ['аА', 'aA'],
    ['В', 'B'],
    ['еЕ', 'eE'],
    ['К', 'K'],
    ['М', 'M'],
    ['Н', 'H'],
    ['оО', 'oO'],
    ['рР', 'pP'],
    ['сС', 'cC'],
    ['Т', 'T'],
    ['у', 'y'],
    ['хХ', 'xX'],
    ['іІ', 'iI'],
    ['ѕЅ', 'sS'],
    ['јЈ', 'jJ'],
    ['ԁ', 'd'],
    ['һ', 'h'],
    ['ο', 'o'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ].flatMap(([from = '', to = '']) =>
    Array.from(from).map((letter, index): [string, string] => [letter, to[index] ?? '']),
  ),
);

/** None of these is in most texts, which tells that nothing below can be. */
const beyondAscii = /[\u0080-\u{10FFFF}]/u;
const suspicious =
  /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]+/gu;
/** Scripts that need joiners, or run from right to left. */
const joining =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Script=Tibetan}]/u;
const emoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u20E3]/u;

/** Controls and characters without width, anywhere in a text. Those that emoji and some scripts need are left out. */
export function hiddenRuns(text: string): readonly HiddenRun[] {
  if (!beyondAscii.test(text)) return [];
  const runs: HiddenRun[] = [];
  if (text.startsWith('\uFEFF')) runs.push(runOf(text, 0, 1, 'byte-order-mark'));
  for (const match of text.matchAll(suspicious)) {
    const start = match.index === 0 && text.startsWith('\uFEFF') ? 1 : match.index;
    const end = match.index + match[0].length;
    if (start >= end) continue;
    const own = text.slice(start, end);
    const around = text.slice(Math.max(0, start - 2), start) + text.slice(end, end + 2);
    const before = text.slice(Math.max(0, start - 14), start);
    if (/^[\u200C\u200D]+$/u.test(own) && (emoji.test(around) || joining.test(around))) continue;
    if (/^[\u200E\u200F\u061C]+$/u.test(own) && joining.test(text.slice(Math.max(0, start - 60), end + 60))) continue;
    // A flag of a region is a black flag followed by tags.
    if (/^[\u{E0020}-\u{E007F}]+$/u.test(own) && before.endsWith('🏴')) continue;
    // A soft hyphen shows where a word may be broken.
    if (/^\u00AD+$/u.test(own)) continue;
    runs.push(runOf(text, start, end, kindOf(own)));
  }
  return runs;
}

function kindOf(own: string): HiddenRun['kind'] {
  if (/[\u{E0000}-\u{E007F}]/u.test(own)) return 'tag';
  return /[\u202A-\u202E\u2066-\u2069]/u.test(own) ? 'direction' : 'zero-width';
}

const wideSpaces = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+/gu;
const mixed = /[\p{L}\p{N}_./~-]{2,200}/gu;
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** What looks like a blank or a Latin letter and is none, in code or in a path that stands at `offset`. */
export function disguisedRuns(code: string, offset: number): readonly HiddenRun[] {
  if (!beyondAscii.test(code)) return [];
  const runs: HiddenRun[] = [];
  for (const match of code.matchAll(wideSpaces)) {
    const end = match.index + match[0].length;
    runs.push({
      start: offset + match.index,
      end: offset + end,
      kind: 'space',
      replacement: ' '.repeat(match[0].length),
      names: namesOf(match[0]),
    });
  }
  if (!foreign.test(code)) return runs;
  for (const match of code.matchAll(mixed)) {
    const letters = Array.from(match[0]).filter((letter) => /\p{L}/u.test(letter));
    const others = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter));
    // All of them must be lookalikes, or the word is one of that language.
    if (others.length === 0 || others.length === letters.length || !others.every((letter) => lookalikes.has(letter)))
      continue;
    for (let at = 0; at < match[0].length; at++) {
      const letter = match[0][at] ?? '';
      const latin = lookalikes.get(letter);
      if (latin === undefined) continue;
      const start = offset + match.index + at;
      runs.push({ start, end: start + 1, kind: 'lookalike', replacement: latin, names: namesOf(letter) });
    }
  }
  return runs;
}

function runOf(text: string, start: number, end: number, kind: HiddenRun['kind']): HiddenRun {
  return { start, end, kind, replacement: '', names: namesOf(text.slice(start, end)) };
}

function namesOf(text: string): string {
  const names = [
    ...new Set(
      Array.from(text).map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`),
    ),
  ];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ');
}
