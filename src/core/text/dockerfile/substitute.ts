/** What is known of a variable: its value, null for one that is set to something unknown, undefined for one never set. */
export type Lookup = (name: string) => string | null | undefined;

/** How deep `${A:-${B:-…}}` is followed. */
const maxDepth = 20;

/** Characters. A value that takes itself twice, again and again, is beyond any system's environment soon. */
const maxValue = 100_000;

/** What a variable may be named. */
const nameStart = /[A-Za-z_]/;
const namePart = /[A-Za-z0-9_]/;

/**
 * A word as the builder processes it: quotes and escapes go, variables are put in. null when it depends on a variable
 * that is not known.
 */
export function substitute(raw: string, lookup: Lookup, escape: string): string | null {
  const reader = new WordReader(raw, lookup, escape);
  const value = reader.read('', 0);
  return reader.known ? value : null;
}

class WordReader {
  known = true;
  private at = 0;

  constructor(
    private readonly raw: string,
    private readonly lookup: Lookup,
    private readonly escape: string,
  ) {}

  /** Up to the character `until`, which is left; the whole rest when it is empty. */
  read(until: string, depth: number): string {
    let value = '';
    let quote = '';
    while (this.at < this.raw.length) {
      const char = this.raw[this.at] ?? '';
      if (quote === '' && char === until) break;
      if (quote === "'" ? char === "'" : char === quote) {
        quote = '';
        this.at++;
      } else if (quote === '' && (char === '"' || char === "'")) {
        quote = char;
        this.at++;
      } else if (char === '\\' && this.raw[this.at + 1] === '\n') {
        this.at += 2;
      } else if (char === this.escape && quote !== "'") {
        value += this.escaped(quote);
      } else if (char === '$' && quote !== "'") {
        value += this.variable(depth);
      } else {
        value += char;
        this.at++;
      }
      if (value.length > maxValue && value.length > this.raw.length) return this.giveUp();
    }
    return value;
  }

  private escaped(quote: string): string {
    const next = this.raw[this.at + 1];
    this.at += next === undefined ? 1 : 2;
    if (next === undefined) return this.escape;
    // In double quotes only these can be escaped; before others the escape character stays.
    return quote === '"' && next !== '"' && next !== '$' && next !== this.escape ? this.escape + next : next;
  }

  private variable(depth: number): string {
    this.at++;
    if (this.raw[this.at] !== '{') {
      const name = this.name();
      return name === '' ? '$' : this.value(name);
    }
    this.at++;
    const name = this.name();
    if (name === '' || depth >= maxDepth) return this.giveUp();
    const colon = this.raw[this.at] === ':';
    if (colon) this.at++;
    const operator = this.raw[this.at] ?? '';
    if (operator === '}' && !colon) {
      this.at++;
      return this.value(name);
    }
    if (operator !== '-' && operator !== '+') return this.giveUp();
    this.at++;
    const knownBefore = this.known;
    const alternative = this.read('}', depth + 1);
    const alternativeKnown = this.known;
    this.known = knownBefore;
    if (this.raw[this.at] === '}') this.at++;
    const value = this.lookup(name);
    if (value === null) {
      this.known = false;
      return '';
    }
    const isSet = value !== undefined && (!colon || value !== '');
    const takesAlternative = operator === '-' ? !isSet : isSet;
    // A variable that the file never sets may come from the base image.
    if (value === undefined && operator === '+') this.known = false;
    if (!takesAlternative) return operator === '-' ? (value ?? '') : '';
    if (!alternativeKnown) this.known = false;
    return alternative;
  }

  private name(): string {
    const start = this.at;
    if (!nameStart.test(this.raw[this.at] ?? '')) return '';
    while (this.at < this.raw.length && namePart.test(this.raw[this.at] ?? '')) this.at++;
    return this.raw.slice(start, this.at);
  }

  private value(name: string): string {
    const value = this.lookup(name);
    if (typeof value === 'string') return value;
    this.known = false;
    return '';
  }

  private giveUp(): string {
    this.known = false;
    this.at = this.raw.length;
    return '';
  }
}
