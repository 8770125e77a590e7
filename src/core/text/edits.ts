import type { Range } from './position';
import { linesOf } from './lines';

/**
 * The text with every edit made; ranges refer to the text as it was. null when two edits overlap, or begin at the same
 * place so that their order would decide.
 */
export function applyEdits(
  text: string,
  edits: readonly { readonly range: Range; readonly newText: string }[],
): string | null {
  const lines = linesOf(text);
  const places = edits
    .map(({ range, newText }) => ({ start: lines.offset(range.start), end: lines.offset(range.end), newText }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let at = 0;
  let before = -1;
  for (const { start, end, newText } of places) {
    if (start < at || start === before || end < start) return null;
    result += text.slice(at, start) + newText;
    at = end;
    before = start;
  }
  return result + text.slice(at);
}
