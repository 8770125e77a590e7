/**
 * A reader of TOML that never fails: it takes what stands there, line by line, and goes on behind what is wrong. The
 * strict reader stops at the first error, and while somebody types there is always one. All numbers are offsets.
 */
export interface Scan {
  readonly text: string;
  /** In the order of the text. */
  readonly statements: readonly Statement[];
  /** From each `#` to the end of its line. */
  readonly comments: readonly Span[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Statement = HeaderStatement | EntryStatement;

/** `[a.b]` or `[[a.b]]`, or the beginning of one. */
export interface HeaderStatement extends Span {
  readonly kind: 'header';
  readonly isArray: boolean;
  readonly segments: readonly Segment[];
  readonly isClosed: boolean;
}

/** `key = value`, or the beginning of one. */
export interface EntryStatement extends Span {
  readonly kind: 'entry';
  readonly segments: readonly Segment[];
  /** null where nothing but a key stands yet. */
  readonly equals: number | null;
  readonly value: ScannedValue | null;
}

/** One part of a dotted key; empty behind a dot that nothing follows. */
export interface Segment extends Span {
  readonly name: string;
}

export type ScannedValue =
  | (Span & { readonly kind: 'string'; readonly quote: Quote; readonly isClosed: boolean })
  /** A number, a boolean, a date, or a word that is none of them. */
  | (Span & { readonly kind: 'bare' })
  | (Span & { readonly kind: 'array'; readonly items: readonly ScannedValue[]; readonly isClosed: boolean })
  | (Span & { readonly kind: 'inline'; readonly entries: readonly EntryStatement[]; readonly isClosed: boolean });

export type Quote = '"' | "'" | '"""' | "'''";

export function scanToml(text: string): Scan {
  return new Scanner(text).run();
}

/** Deeper nesting is passed over as one value. */
const maxDepth = 64;

class Scanner {
  private at = 0;
  private readonly statements: Statement[] = [];
  private readonly comments: Span[] = [];

  constructor(private readonly text: string) {}

  run(): Scan {
    if (this.text.startsWith('\uFEFF')) this.at = 1;
    while (this.at < this.text.length) {
      this.blanks(true);
      if (this.at >= this.text.length) break;
      this.statements.push(this.peek() === '[' ? this.header() : this.entry(false, 0));
      this.restOfLine();
    }
    return { text: this.text, statements: this.statements, comments: this.comments };
  }

  private peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  /** Skips blanks and, where asked, line ends and comments. */
  private blanks(acrossLines: boolean): void {
    for (;;) {
      const char = this.peek();
      if (char === ' ' || char === '\t') this.at++;
      else if (!acrossLines || char === '') return;
      else if (char === '\n' || char === '\r') this.at++;
      else if (char === '#') this.comment();
      else return;
    }
  }

  private comment(): void {
    const start = this.at;
    this.at = this.lineEnd();
    this.comments.push({ start, end: this.at });
  }

  private lineEnd(): number {
    return lineEndBefore(this.text, this.at, this.text.length);
  }

  /** What stands behind a statement belongs to nothing, but a comment. */
  private restOfLine(): void {
    const end = this.lineEnd();
    while (this.at < end) {
      if (this.peek() === '#') this.comment();
      else this.at++;
    }
  }

  private header(): HeaderStatement {
    const start = this.at;
    this.at++;
    const isArray = this.peek() === '[';
    if (isArray) this.at++;
    const segments = this.key();
    let isClosed = false;
    if (this.peek() === ']') {
      this.at++;
      isClosed = !isArray;
      if (isArray && this.peek() === ']') {
        this.at++;
        isClosed = true;
      }
    }
    return { kind: 'header', isArray, segments, isClosed, start, end: this.at };
  }

  private entry(isInline: boolean, depth: number): EntryStatement {
    const start = this.at;
    const segments = this.key();
    let end = segments.at(-1)?.end ?? start;
    let equals: number | null = null;
    let value: ScannedValue | null = null;
    if (this.peek() === '=') {
      equals = this.at;
      this.at++;
      end = this.at;
      this.blanks(false);
      value = this.value(isInline, depth);
      end = value?.end ?? end;
    }
    return { kind: 'entry', segments, equals, value, start, end };
  }

  /** A dotted key as far as it goes; stands behind the blanks that follow it. */
  private key(): Segment[] {
    const segments: Segment[] = [];
    for (;;) {
      this.blanks(false);
      const start = this.at;
      const char = this.peek();
      if (char === '"' || char === "'") {
        this.string(char);
        const raw = this.text.slice(start, this.at);
        segments.push({ name: unquoted(raw), start, end: this.at });
      } else {
        while (isBareKey(this.peek())) this.at++;
        segments.push({ name: this.text.slice(start, this.at), start, end: this.at });
      }
      this.blanks(false);
      if (this.peek() !== '.') return segments;
      this.at++;
    }
  }

  private value(isInline: boolean, depth: number): ScannedValue | null {
    const start = this.at;
    const char = this.peek();
    if (char === '' || char === '#' || isLineEnd(char)) return null;
    if (char === '"' || char === "'") return this.string(char);
    if (char === '[' && depth < maxDepth) return this.array(depth + 1);
    if (char === '{' && depth < maxDepth) return this.inline(depth + 1);
    while (this.at < this.text.length && !isBareEnd(this.peek(), isInline)) this.at++;
    if (this.at === start) return null;
    // `2024-01-01 10:00` has a blank in it; what else follows a blank belongs to nothing.
    const bare = this.text.slice(start, this.at);
    return { kind: 'bare', start, end: start + bare.trimEnd().length };
  }

  private string(mark: '"' | "'"): ScannedValue & { readonly kind: 'string' } {
    const start = this.at;
    if (this.text.startsWith(mark.repeat(3), start)) return this.multiline(mark);
    this.at++;
    while (this.at < this.text.length && !isLineEnd(this.peek()) && this.peek() !== mark) {
      this.at += mark === '"' && this.peek() === '\\' && !isLineEnd(this.peek(1)) ? 2 : 1;
    }
    this.at = Math.min(this.at, this.text.length);
    const isClosed = this.peek() === mark;
    if (isClosed) this.at++;
    return { kind: 'string', quote: mark, isClosed, start, end: this.at };
  }

  private multiline(mark: '"' | "'"): ScannedValue & { readonly kind: 'string' } {
    const start = this.at;
    const quote = mark === '"' ? '"""' : "'''";
    this.at += 3;
    while (this.at < this.text.length && !this.text.startsWith(quote, this.at)) {
      this.at += mark === '"' && this.peek() === '\\' ? 2 : 1;
    }
    this.at = Math.min(this.at, this.text.length);
    const isClosed = this.at < this.text.length;
    if (isClosed) {
      this.at += 3;
      // Up to two more quotes belong to the text itself.
      for (let more = 0; more < 2 && this.peek() === mark; more++) this.at++;
    }
    return { kind: 'string', quote, isClosed, start, end: this.at };
  }

  private array(depth: number): ScannedValue {
    const start = this.at;
    const items: ScannedValue[] = [];
    this.at++;
    let end = this.at;
    for (;;) {
      const before = this.at;
      this.blanks(true);
      const char = this.peek();
      if (char === ']') {
        this.at++;
        return { kind: 'array', items, isClosed: true, start, end: this.at };
      }
      if (char === '' || char === '}' || (startsLine(this.text, this.at) && this.isNextStatement())) {
        this.at = char === '}' ? this.at : lineEndBefore(this.text, before, this.at);
        return { kind: 'array', items, isClosed: false, start, end };
      }
      if (char === ',') this.at++;
      else {
        const item = this.value(true, depth);
        if (item === null) this.at++;
        else items.push(item);
      }
      end = this.at;
    }
  }

  private inline(depth: number): ScannedValue {
    const start = this.at;
    const entries: EntryStatement[] = [];
    this.at++;
    for (;;) {
      this.blanks(false);
      const char = this.peek();
      if (char === '}') {
        this.at++;
        return { kind: 'inline', entries, isClosed: true, start, end: this.at };
      }
      if (char === '' || char === '#' || char === ']' || isLineEnd(char)) {
        return { kind: 'inline', entries, isClosed: false, start, end: this.at };
      }
      if (char === ',') this.at++;
      else {
        const before = this.at;
        entries.push(this.entry(true, depth));
        if (this.at === before) this.at++;
      }
    }
  }

  /** Whether a line within an array looks like what follows a value that was never closed. */
  private isNextStatement(): boolean {
    const line = this.text.slice(this.at, Math.min(this.lineEnd(), this.at + 200));
    return (
      /^\[\[?\s*[A-Za-z_][\w-]*(?:\s*\.\s*[\w-]+)*\s*\]\]?\s*(?:#|$)/u.test(line) ||
      /^[A-Za-z_][\w-]*(?:\s*\.\s*[\w-]+)*\s*=/u.test(line)
    );
  }
}

function isLineEnd(char: string | undefined): boolean {
  return char === '\n' || char === '\r';
}

function isBareKey(char: string): boolean {
  if (char === '' || char < '\u0080') return /[A-Za-z0-9_-]/u.test(char);
  // Letters beyond ASCII are no bare key to TOML; while somebody types them they are one word all the same.
  return /[\p{L}\p{N}\p{M}\p{So}_-]|[\ud800-\udfff\u200d]/u.test(char);
}

function isBareEnd(char: string, isInline: boolean): boolean {
  return isLineEnd(char) || char === '#' || (isInline && (char === ',' || char === ']' || char === '}'));
}

function startsLine(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === ' ' || text[before - 1] === '\t') before--;
  return before === 0 || isLineEnd(text[before - 1]);
}

/** The end of the line that `from` is on, at most `to`. */
function lineEndBefore(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && !isLineEnd(text[end])) end++;
  return end;
}

function unquoted(raw: string): string {
  const inner = raw.slice(1, raw.length > 1 && raw.endsWith(raw[0] ?? '') ? -1 : undefined);
  if (!raw.startsWith('"')) return inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return inner;
  }
}
