import type { Position, Range } from './position';

/** Turns offsets of one text into positions and back. Lines end at `\n`, `\r\n` and a lone `\r`, as in LSP. */
export interface Lines {
  readonly count: number;
  /** `offset` in UTF-16 units; one beyond the text is taken as its end. */
  position(offset: number): Position;
  range(start: number, end: number): Range;
  /** A position beyond its line or the text is taken as their end. */
  offset(position: Position): number;
  /** The text of a line without its ending; empty for a line that does not exist. */
  line(index: number): string;
  /** Offset of the line's first unit. */
  start(index: number): number;
}

export function linesOf(text: string): Lines {
  const starts = [0];
  if (text.includes('\r')) {
    for (const ending of text.matchAll(/\r\n|\n|\r/gu)) starts.push(ending.index + ending[0].length);
  } else {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  }

  const startOf = (index: number): number => starts[Math.max(0, index)] ?? text.length;
  const endOf = (index: number): number => {
    let end = index + 1 < starts.length ? startOf(index + 1) : text.length;
    while (end > startOf(index) && /[\r\n]/u.test(text[end - 1] ?? '')) end--;
    return end;
  };
  const position = (offset: number): Position => {
    const at = Math.min(Math.max(offset, 0), text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (startOf(middle) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: at - startOf(low) };
  };
  return {
    count: starts.length,
    position,
    range: (start, end) => ({ start: position(start), end: position(end) }),
    offset: ({ line, character }) => Math.min(startOf(line) + character, endOf(line)),
    line: (index) => text.slice(startOf(index), endOf(index)),
    start: startOf,
  };
}
