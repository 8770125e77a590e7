/** An instruction's lines made into one text that is as long as what it stands for. */
export interface JoinedLines {
  /**
   * The source from `start` to `end` in which each continued line ends in a backslash and a line feed, and comments and
   * empty lines between have become blanks.
   */
  readonly script: string;
  /** The lines on one, trimmed, for people and for comparing with what builders print. */
  readonly text: string;
  /** Offsets in the source; `end` is that of the last line's last character. */
  readonly start: number;
  readonly end: number;
  /** Start of the line after. */
  readonly next: number;
  /** Number of lines. */
  readonly lineCount: number;
}

interface Line {
  readonly start: number;
  /** Without the line ending. */
  readonly end: number;
  readonly next: number;
}

export function lineAt(text: string, start: number): Line {
  const feed = text.indexOf('\n', start);
  if (feed < 0) return { start, end: text.length, next: text.length };
  return { start, end: feed > start && text[feed - 1] === '\r' ? feed - 1 : feed, next: feed + 1 };
}

/** Joins the lines of the instruction that begins at `from`, the start of a line that is neither blank nor a comment. */
export function joinLines(source: string, from: number, escape: string): JoinedLines {
  const script: string[] = [];
  let text = '';
  let line = lineAt(source, from);
  const start = firstContent(source, line);
  let end = start;
  let lineCount = 0;
  for (;;) {
    lineCount++;
    const first = lineCount === 1;
    const content = first ? start : firstContent(source, line);
    const skipped = !first && (content === line.end || source[content] === '#');
    const joint = skipped ? -1 : continuation(source, line, escape);
    const more = (skipped || joint >= 0) && line.next < source.length;
    const last = joint >= 0 ? joint : line.end;
    if (!skipped) {
      const piece = source.slice(content, last);
      const apart = text !== '' && (content > line.start || /[ \t]$/.test(text));
      text = apart ? `${text.trimEnd()} ${piece}` : text + piece;
      end = last;
    }
    if (more) script.push(continued(source, first ? start : line.start, line, skipped, skipped ? line.end : joint));
    else {
      if (!skipped) script.push(source.slice(first ? start : line.start, last));
      break;
    }
    line = lineAt(source, line.next);
  }
  while (end > start && isSpace(source[end - 1])) end--;
  return { script: script.join('').slice(0, end - start), text: text.trim(), start, end, next: line.next, lineCount };
}

/** A line that goes on, with its line ending, as long as it was. */
function continued(source: string, from: number, line: Line, skipped: boolean, joint: number): string {
  if (skipped && line.end === from) return ' '.repeat(line.next - from);
  const kept = skipped ? '' : source.slice(from, joint);
  return `${kept}${' '.repeat(line.next - from - kept.length - 2)}\\\n`;
}

/** Offset of the escape character that ends a line, blanks after it allowed; -1 when the line does not go on. */
function continuation(source: string, line: Line, escape: string): number {
  let at = line.end - 1;
  while (at >= line.start && (source[at] === ' ' || source[at] === '\t')) at--;
  if (at < line.start || source[at] !== escape) return -1;
  return at > line.start && source[at - 1] === escape ? -1 : at;
}

function firstContent(source: string, line: Line): number {
  let at = line.start;
  while (at < line.end && isSpace(source[at])) at++;
  return at;
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\r' || char === '\v' || char === '\f' || char === '\uFEFF';
}
