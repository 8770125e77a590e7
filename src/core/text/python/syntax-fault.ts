import type { SyntaxNode } from '../syntax-tree';
import type { PythonModule } from './module';

/** Why a file does not parse, at the token that is to blame. */
export interface SyntaxFault {
  readonly start: number;
  readonly end: number;
  /** A clause without a full stop: `the string is not closed`. */
  readonly message: string;
  /** False where only the grammar says so. */
  readonly certain: boolean;
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * The tree says that something is wrong, often far from the cause; quotes and brackets are looked at one by one to say
 * what. Null for a sound file.
 */
export function syntaxFault({ text, syntaxError, root }: PythonModule): SyntaxFault | null {
  if (syntaxError === null || isUnread(root)) return null;
  const found = unbalanced(text);
  if (found !== null) return found;
  const { start, end, missing } = syntaxError;
  // An error that takes in hundreds of lines is where the grammar lost its way: once in a thousand sound files it does.
  if (end - start > 4_000) return null;
  const lineEnd = text.slice(start).search(/[\r\n]/u);
  const stop = Math.min(end, lineEnd === -1 ? text.length : start + lineEnd);
  if (missing !== null)
    return {
      start: Math.max(0, start - 1),
      end: Math.max(start, 1),
      message: `${named(missing)} is missing here`,
      certain: false,
    };
  const first = /^\s*/u.exec(text.slice(start, stop))?.[0].length ?? 0;
  return { start: start + first, end: Math.max(stop, start + first), message: 'this fits nowhere', certain: false };
}

/** A text that the parser gave up on is one node without parts. */
function isUnread(root: SyntaxNode): boolean {
  const [only, ...others] = root.type === 'ERROR' ? [root] : root.children;
  return only?.type === 'ERROR' && only.children.length === 0 && others.length === 0 && only.end - only.start > 200;
}

function named(token: string): string {
  return /^\w+$/u.test(token) ? token.replaceAll('_', ' ') : `\`${token}\``;
}

/** The first quote or bracket without its other half. */
function unbalanced(text: string): SyntaxFault | null {
  const open: number[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '#') {
      while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
    } else if (char === '"' || char === "'") {
      const end = endOfString(text, at);
      if (end === null)
        return { start: at, end: lineEnd(text, at), message: 'the string is not closed', certain: true };
      at = end;
    } else {
      if ('([{'.includes(char)) open.push(at);
      else if (closers[char] !== undefined) {
        const before = open.pop();
        if (before === undefined || text[before] !== closers[char])
          return { start: at, end: at + 1, message: `\`${char}\` closes no bracket`, certain: true };
      }
      at++;
    }
  }
  const last = open.at(-1);
  return last === undefined
    ? null
    : { start: last, end: last + 1, message: `\`${text[last] ?? ''}\` is never closed`, certain: true };
}

/** The offset after a string that begins at a quote; null where it does not end. */
function endOfString(text: string, start: number): number | null {
  const quote = text[start] ?? '';
  const triple = text.startsWith(quote.repeat(3), start);
  const close = triple ? quote.repeat(3) : quote;
  let at = start + close.length;
  while (at < text.length) {
    if (text[at] === '\\') at += text.startsWith('\r\n', at + 1) ? 3 : 2;
    else if (text.startsWith(close, at)) return at + close.length;
    else if (!triple && (text[at] === '\n' || text[at] === '\r')) return null;
    else at++;
  }
  return null;
}

function lineEnd(text: string, start: number): number {
  const found = text.slice(start).search(/[\r\n]/u);
  return found === -1 ? text.length : start + found;
}
