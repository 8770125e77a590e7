import type { Assignment, Flag, ShellText, Word } from './dockerfile';
import { quotedWordEnd, skipBlanks, splitWords, type Token } from './words';

/** `["bash", "-c", "…"]` runs a script; its place is known when it is written without escapes. */
export function shellOfWords(words: readonly Word[]): ShellText | null {
  const [program, ...more] = words;
  const name = program?.value ?? '';
  if (!/(?:^|\/)(?:ba|da|z|k)?sh$/.test(name)) return null;
  const at = more.findIndex((word) => /^-[a-z]*c$/.test(word.value ?? ''));
  const script = more[at + 1];
  if (at < 0 || script === undefined || script.raw.includes('\\')) return null;
  return {
    text: script.raw.slice(1, -1),
    start: script.start + 1,
    interpreter: name,
    flags: more.slice(0, at).map((word) => word.value ?? ''),
  };
}

/** A word with the place it has in the Dockerfile. */
type WordOf = (token: Token) => Word;

/** The flags after the keyword, and where the arguments begin. */
export function readFlags(script: string, from: number, wordOf: WordOf): { flags: Flag[]; rest: number } {
  const flags: Flag[] = [];
  let at = skipBlanks(script, from, script.length);
  while (script.startsWith('--', at)) {
    const end = quotedWordEnd(script, at, script.length, '\\');
    const equals = script.indexOf('=', at);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    const valueStart = Math.min(nameEnd + 1, end);
    const value = wordOf({ raw: script.slice(valueStart, end), start: valueStart, end });
    const name = script.slice(at + 2, nameEnd).toLowerCase();
    flags.push({ name, value, start: value.start - (valueStart - at), end: value.end });
    at = skipBlanks(script, end, script.length);
  }
  return { flags, rest: at };
}

export function assignmentsOf(
  keyword: string,
  script: string,
  rest: number,
  escape: string,
  wordOf: WordOf,
): Assignment[] {
  if (keyword !== 'ENV' && keyword !== 'ARG' && keyword !== 'LABEL') return [];
  const tokens = splitWords(script, rest, script.length, escape);
  const first = tokens[0];
  if (first === undefined) return [];
  if (keyword !== 'ARG' && !first.raw.includes('=')) {
    const start = skipBlanks(script, first.end, script.length);
    const value = wordOf({ raw: script.slice(start), start, end: script.length });
    const { start: from } = wordOf(first);
    return [{ name: first.raw, value, start: from, end: value.end }];
  }
  return tokens.map((token) => {
    const equals = token.raw.indexOf('=');
    const { start, end } = wordOf(token);
    if (equals < 0) return { name: token.raw, value: null, start, end };
    const value = wordOf({ raw: token.raw.slice(equals + 1), start: token.start + equals + 1, end: token.end });
    return { name: token.raw.slice(0, equals).replace(/^["']/, ''), value, start, end };
  });
}
