import type { Heredoc } from './dockerfile';
import { isBlank, quotedWordEnd, skipBlanks } from './words';

export interface HeredocStart {
  readonly name: string;
  readonly quoted: boolean;
  /** `<<-`: tabs before the end word and before each line do not count. */
  readonly tabs: boolean;
  readonly start: number;
  readonly end: number;
}

const beginning = /^\d{0,9}<<(-?)(?:"([^"<]+)"|'([^'<]+)'|([^<"'\s>|;&()]+))/;

/** Here-documents begin at unquoted words only. Offsets are those of `text`. */
export function heredocStarts(text: string, from: number, end: number): HeredocStart[] {
  const found: HeredocStart[] = [];
  const first = text.indexOf('<<', from);
  if (first < 0 || first >= end) return found;
  let at = skipBlanks(text, from, end);
  while (at < end) {
    const wordEnd = quotedWordEnd(text, at, end, '\\');
    // A name is no longer than a line; words are not looked at beyond.
    const match = beginning.exec(text.slice(at, Math.min(wordEnd, at + 300)));
    const name = match?.[2] ?? match?.[3] ?? match?.[4];
    if (match !== null && name !== undefined)
      found.push({
        name,
        quoted: match[4] === undefined,
        tabs: match[1] === '-',
        start: at,
        end: at + match[0].length,
      });
    at = skipBlanks(text, wordEnd, end);
  }
  return found;
}

/** Reads the body that begins at `from`, a line's start, and gives the start of the line after its end word. */
export function readHeredoc(text: string, from: number, start: HeredocStart): { heredoc: Heredoc; next: number } {
  let at = from;
  let body = '';
  while (at < text.length) {
    const feed = text.indexOf('\n', at);
    const lineEnd = feed < 0 ? text.length : feed;
    const next = feed < 0 ? text.length : feed + 1;
    let content = at;
    if (start.tabs) while (content < lineEnd && text[content] === '\t') content++;
    const bare = text[lineEnd - 1] === '\r' && lineEnd > content ? lineEnd - 1 : lineEnd;
    if (bare - content === start.name.length && text.startsWith(start.name, content))
      return { heredoc: heredocOf(start, body, from, at, true), next };
    body += text.slice(content, next);
    at = next;
  }
  return { heredoc: heredocOf(start, body, from, text.length, false), next: text.length };
}

function heredocOf(start: HeredocStart, text: string, bodyStart: number, bodyEnd: number, closed: boolean): Heredoc {
  return {
    name: start.name,
    quoted: start.quoted,
    text,
    start: start.start,
    end: start.end,
    bodyStart,
    bodyEnd,
    closed,
  };
}

/** Is a stretch nothing but blanks? */
export function isAllBlank(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (!isBlank(text[at])) return false;
  return true;
}
