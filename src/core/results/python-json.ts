import type { RewardNumber } from './record';

/** A JSON value as Python's `json` module reads it: integers and floats stay apart, NaN and infinities are allowed. */
export type PythonJson =
  | { readonly type: 'null' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'number'; readonly number: RewardNumber }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'array'; readonly items: readonly PythonJson[] }
  /** In the order of first appearance; of equal keys the last value counts. */
  | { readonly type: 'object'; readonly members: ReadonlyMap<string, PythonJson> };

export type PythonJsonResult =
  | {
      readonly ok: true;
      readonly value: PythonJson;
      /** Keys of the outermost object that stand there more than once. */
      readonly duplicates: readonly string[];
    }
  /** `at` counts UTF-16 units. */
  | { readonly ok: false; readonly message: string; readonly at: number };

/** Python gives up at its recursion limit, about 1000 frames; nothing that deep is a reward. */
const maxDepth = 900;
/** Python refuses to convert longer integers. */
const maxIntDigits = 4300;

export function parsePythonJson(text: string): PythonJsonResult {
  const reader = new Reader(text);
  try {
    const value = reader.document();
    return { ok: true, value, duplicates: reader.duplicates };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, message: error.message, at: error.at };
    throw error;
  }
}

/** Only leaves the reader, as the value of a result. */
class Refusal extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const numberAt = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Reader {
  readonly duplicates: string[] = [];
  private at = 0;

  constructor(private readonly text: string) {}

  document(): PythonJson {
    this.space();
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) throw this.refuse('something follows the value');
    return value;
  }

  private refuse(message: string): Refusal {
    return new Refusal(message, this.at);
  }

  private space(): void {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at++;
  }

  private word(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private value(depth: number): PythonJson {
    if (depth > maxDepth) throw this.refuse('it is nested too deeply');
    const first = this.text[this.at];
    if (first === '"') return { type: 'string', value: this.string() };
    if (first === '{') return this.object(depth);
    if (first === '[') return this.array(depth);
    if (this.word('null')) return { type: 'null' };
    if (this.word('true')) return { type: 'boolean', value: true };
    if (this.word('false')) return { type: 'boolean', value: false };
    if (this.word('NaN')) return float(Number.NaN);
    if (this.word('Infinity')) return float(Infinity);
    if (this.word('-Infinity')) return float(-Infinity);
    return this.number();
  }

  private number(): PythonJson {
    numberAt.lastIndex = this.at;
    const match = numberAt.exec(this.text);
    if (match === null) throw this.refuse('a value is expected');
    const [whole, fraction, exponent] = match;
    if (fraction !== undefined || exponent !== undefined) {
      this.at += whole.length;
      return float(Number(whole));
    }
    if (whole.replace('-', '').length > maxIntDigits) throw this.refuse('the integer has too many digits');
    this.at += whole.length;
    return { type: 'number', number: { value: Number(whole) + 0, kind: 'int' } };
  }

  private array(depth: number): PythonJson {
    const items: PythonJson[] = [];
    this.at++;
    this.space();
    if (this.word(']')) return { type: 'array', items };
    for (;;) {
      items.push(this.value(depth + 1));
      this.space();
      if (this.word(']')) return { type: 'array', items };
      if (!this.word(',')) throw this.refuse("',' or ']' is expected");
      this.space();
    }
  }

  private object(depth: number): PythonJson {
    const members = new Map<string, PythonJson>();
    this.at++;
    this.space();
    if (this.word('}')) return { type: 'object', members };
    for (;;) {
      if (this.text[this.at] !== '"') throw this.refuse('a name in double quotes is expected');
      const name = this.string();
      this.space();
      if (!this.word(':')) throw this.refuse("':' is expected");
      this.space();
      const value = this.value(depth + 1);
      if (depth === 0 && members.has(name) && !this.duplicates.includes(name)) this.duplicates.push(name);
      members.set(name, value);
      this.space();
      if (this.word('}')) return { type: 'object', members };
      if (!this.word(',')) throw this.refuse("',' or '}' is expected");
      this.space();
    }
  }

  private string(): string {
    let value = '';
    this.at++;
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw this.refuse('a text is not closed');
      if (character < ' ') throw this.refuse('a text contains a control character');
      this.at++;
      if (character === '"') return value;
      value += character === '\\' ? this.escape() : character;
    }
  }

  private escape(): string {
    const character = this.text[this.at] ?? '';
    if (character === 'u') {
      const code = /^[0-9a-fA-F]{4}$/u.exec(this.text.slice(this.at + 1, this.at + 5));
      if (code === null) throw this.refuse('\\u needs four hexadecimal digits');
      this.at += 5;
      return String.fromCharCode(Number.parseInt(code[0], 16));
    }
    const known = escapes[character];
    if (known === undefined) throw this.refuse('a text contains an unknown escape');
    this.at++;
    return known;
  }
}

function float(value: number): PythonJson {
  return { type: 'number', number: { value, kind: 'float' } };
}
