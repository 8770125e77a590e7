/** A stretch of the source with its text. */
export interface Token {
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

export function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r' || char === '\v' || char === '\f';
}

/** Is there a continued line's end, which counts for nothing? The reader has made every one a backslash and a line feed. */
export function isJoint(text: string, at: number): boolean {
  return text[at] === '\\' && text[at + 1] === '\n';
}

export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end) {
    if (isBlank(text[at])) at++;
    else if (isJoint(text, at)) at += 2;
    else break;
  }
  return at;
}

/** Words between blanks; quotes do not hold blanks together unless asked to. */
export function splitWords(text: string, from: number, end: number, quotes: string | null): Token[] {
  const found: Token[] = [];
  let at = skipBlanks(text, from, end);
  while (at < end) {
    const start = at;
    at = quotes === null ? plainWordEnd(text, at, end) : quotedWordEnd(text, at, end, quotes);
    found.push({ raw: text.slice(start, at), start, end: at });
    at = skipBlanks(text, at, end);
  }
  return found;
}

function plainWordEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !isBlank(text[at])) at += isJoint(text, at) ? 2 : 1;
  return Math.min(at, end);
}

/** End of a word in which quotes and the escape character keep blanks. */
export function quotedWordEnd(text: string, from: number, end: number, escape: string): number {
  let at = from;
  let quote = '';
  while (at < end) {
    const char = text[at];
    if (isJoint(text, at)) at += 2;
    else if (char === escape && quote !== "'") at += 2;
    else if (quote !== '') {
      if (char === quote) quote = '';
      at++;
    } else if (char === '"' || char === "'") {
      quote = char;
      at++;
    } else if (isBlank(char)) break;
    else at++;
  }
  return Math.min(at, end);
}

/** A JSON array of strings that fills the stretch; null when it is none. */
export function jsonWords(text: string, from: number, end: number): (Token & { readonly value: string })[] | null {
  let at = skipBlanks(text, from, end);
  if (text[at] !== '[') return null;
  at = skipBlanks(text, at + 1, end);
  const found: (Token & { value: string })[] = [];
  if (text[at] !== ']') {
    for (;;) {
      if (text[at] !== '"') return null;
      const start = at;
      at++;
      while (at < end && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      if (at >= end) return null;
      at++;
      const raw = text.slice(start, at);
      const value = parseString(raw);
      if (value === null) return null;
      found.push({ raw, value, start, end: at });
      at = skipBlanks(text, at, end);
      if (text[at] === ']') break;
      if (text[at] !== ',') return null;
      at = skipBlanks(text, at + 1, end);
    }
  }
  return skipBlanks(text, at + 1, end) >= end ? found : null;
}

function parseString(raw: string): string | null {
  try {
    const value: unknown = JSON.parse(raw.replaceAll('\\\n', ''));
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
