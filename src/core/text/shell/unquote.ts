/** What the shell makes of the inside of a word outside quotes: `\x` is `x`, `\` before a line's end is nothing. */
export function unescapeBare(source: string): string {
  if (!source.includes('\\')) return source;
  return source.replace(/\\(\r?\n|[\s\S]|$)/gu, (_, next: string) => (next.endsWith('\n') ? '' : next));
}

/** The same inside double quotes, where a backslash is special before few characters only. */
export function unescapeDouble(source: string): string {
  if (!source.includes('\\')) return source;
  return source.replace(/\\(\r?\n|["$`\\])/gu, (_, next: string) => (next.endsWith('\n') ? '' : next));
}

const letters: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The same inside `$'…'`, and in what `printf` and `echo -e` print; null for a number beyond Unicode. */
export function unescapeAnsi(source: string): string | null {
  if (!source.includes('\\')) return source;
  const beyond: number[] = [];
  const value = source.replace(
    /\\(?:([abefnrtv])|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/gu,
    (_, letter?: string, hex?: string, short?: string, long?: string, octal?: string, other?: string) => {
      if (letter !== undefined) return letters[letter] ?? letter;
      if (other !== undefined) return /["'\\?]/u.test(other) ? other : `\\${other}`;
      const digits = hex ?? short ?? long;
      const code = digits === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(digits, 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      beyond.push(code);
      return '';
    },
  );
  return beyond.length > 0 ? null : value;
}
