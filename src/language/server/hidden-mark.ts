import type { Position, Range } from '../../core/text/position';

/**
 * A range of a text with a byte-order mark, in the text as an editor shows it: without. What is said of the mark itself
 * stands at the first character, since it needs a place to stand.
 */
export function withoutMark({ start, end }: Range): Range {
  const isMark = end.line === 0 && end.character <= 1;
  return isMark ? { start, end: { line: 0, character: 1 } } : { start: moved(start), end: moved(end) };
}

function moved({ line, character }: Position): Position {
  return { line, character: line === 0 ? Math.max(0, character - 1) : character };
}
