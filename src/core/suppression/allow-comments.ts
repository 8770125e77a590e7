import type { Subject } from '../model/subject';
import type { Comment } from './comments';
import { commentReaders, commentStyle } from './comments';

/** A comment `taskwright: allow <rule-id> — <reason>`. */
export interface AllowComment {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  /** Empty where none is named. */
  readonly rule: string;
  /** Empty where none is given. */
  readonly reason: string;
  /** Lines (from 0) whose findings it lets pass. */
  readonly lines: readonly number[];
}

const marker = 'taskwright:';

/** Every allow comment of a text of the task, in order; none in a file without comments. */
export function allowCommentsIn(subject: Subject, file: string): readonly AllowComment[] {
  const text = subject.text(file);
  if (text?.includes(marker) !== true) return [];
  const style = commentStyle(file, text);
  const comments = style === null ? null : subject.read(commentReaders[style], file);
  const lines = subject.lines(file);
  if (comments === null || lines === null) return [];
  const found = comments.flatMap((comment) => {
    const parsed = parseAllow(text.slice(comment.start, comment.end));
    return parsed === null ? [] : [{ ...comment, ...parsed, line: lines.position(comment.start).line }];
  });
  const ownLines = new Set(found.filter((one) => isAlone(text, one)).map(({ line }) => line));
  return found.map(({ line, ...comment }) => {
    // Several above one line all count for it.
    let next = line + 1;
    while (ownLines.has(next)) next++;
    return { file, ...comment, lines: ownLines.has(line) ? [line, next] : [line] };
  });
}

/** null when the comment says nothing to us. */
export function parseAllow(comment: string): { readonly rule: string; readonly reason: string } | null {
  const words = /^#+\s*taskwright:\s*allow\b(.*)$/su.exec(comment)?.[1]?.trim();
  if (words === undefined) return null;
  const rule = /^[A-Za-z0-9-]+/u.exec(words)?.[0] ?? '';
  const rest = words.slice(rule.length).trimStart();
  const separator = /^(?:—|–|--|-|:)/u.exec(rest)?.[0];
  return { rule, reason: separator === undefined ? '' : rest.slice(separator.length).trim() };
}

/** Is there nothing before the comment on its line? */
function isAlone(text: string, { start }: Comment): boolean {
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
  return text.slice(lineStart, start).trim() === '';
}
