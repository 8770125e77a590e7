import { linesOf } from '../../src/core/text/lines';
import type { Position, Range } from '../../src/core/text/position';

/** A text with one cursor, written `|`. */
export function withCursor(marked: string, mark = '|'): { readonly text: string; readonly position: Position } {
  const at = marked.indexOf(mark);
  if (at < 0 || marked.includes(mark, at + mark.length)) throw new Error(`not exactly one ${mark} in ${marked}`);
  const text = marked.slice(0, at) + marked.slice(at + mark.length);
  return { text, position: linesOf(text).position(at) };
}

/** A text with ranges, written `⟦ ⟧` (square brackets mean something in TOML). */
export function mark(text: string, ranges: readonly Range[]): string {
  const lines = linesOf(text);
  const places = ranges
    .flatMap(({ start, end }, order) => [
      { at: lines.offset(start), order: order + 1, sign: '⟦' },
      { at: lines.offset(end), order: -order - 1, sign: '⟧' },
    ])
    .sort((a, b) => b.at - a.at || b.order - a.order);
  let result = text;
  for (const { at, sign } of places) result = result.slice(0, at) + sign + result.slice(at);
  return result;
}
