import type { ShellCommand, ShellWord } from './script';

/** `s/pattern/replacement/flags` of a sed script. */
export interface Substitution {
  readonly pattern: string;
  readonly replacement: string;
  readonly global: boolean;
  readonly ignoreCase: boolean;
  readonly extended: boolean;
  /** The word of the command that holds it. */
  readonly word: ShellWord;
}

export interface SedEdit {
  /** In order; null when the script does anything else than substitute on every line. */
  readonly substitutions: readonly Substitution[] | null;
  readonly files: readonly ShellWord[];
}

/** Reads `sed -i …`; null for any other command, and where a word is not known. */
export function readSed(command: ShellCommand): SedEdit | null {
  if (command.program !== 'sed') return null;
  const scripts: ShellWord[] = [];
  const plain: ShellWord[] = [];
  let inPlace = false;
  let extended = false;
  for (let at = 0; at < command.args.length; at++) {
    const word = command.args[at];
    const text = word?.value ?? word?.prefix ?? '';
    if (word === undefined) break;
    if (text === '-e' || text === '--expression') {
      const next = command.args[++at];
      if (next !== undefined) scripts.push(next);
    } else if (text === '-E' || text === '-r' || text === '--regexp-extended') extended = true;
    else if (text.startsWith('--in-place') || text.startsWith('-i')) inPlace = true;
    else if (/^-[nEriesuz]+$/u.test(text)) {
      inPlace ||= text.includes('i');
      extended ||= text.includes('E') || text.includes('r');
      if (text.includes('n') || text.includes('e') || text.includes('z')) return { substitutions: null, files: [] };
    } else if (text.startsWith('-')) return { substitutions: null, files: [] };
    else plain.push(word);
  }
  if (!inPlace) return null;
  if (scripts.length === 0) {
    const [first, ...rest] = plain;
    if (first === undefined) return null;
    return { substitutions: substitutionsOf([first], extended), files: rest };
  }
  return { substitutions: substitutionsOf(scripts, extended), files: plain };
}

function substitutionsOf(words: readonly ShellWord[], extended: boolean): readonly Substitution[] | null {
  const found: Substitution[] = [];
  for (const word of words) {
    if (word.value === null) return null;
    const parts = parse(word.value);
    if (parts === null) return null;
    for (const part of parts) found.push({ ...part, extended, word });
  }
  return found;
}

/** Substitutions joined by `;`; null when anything else is among them. */
function parse(script: string): readonly Omit<Substitution, 'extended' | 'word'>[] | null {
  const found: Omit<Substitution, 'extended' | 'word'>[] = [];
  let at = 0;
  while (at < script.length) {
    if (/[\s;]/u.test(script[at] ?? '')) {
      at++;
      continue;
    }
    if (script[at] !== 's') return null;
    const delimiter = script[at + 1] ?? '';
    if (delimiter === '' || /[\w\s\\]/u.test(delimiter)) return null;
    const pattern = until(script, at + 2, delimiter);
    const replacement = pattern === null ? null : until(script, pattern.end + 1, delimiter);
    if (pattern === null || replacement === null) return null;
    const flags = /^[gIi0-9p]*/u.exec(script.slice(replacement.end + 1))?.[0] ?? '';
    if (/[0-9p]/u.test(flags)) return null;
    at = replacement.end + 1 + flags.length;
    if (at < script.length && !/[\s;]/u.test(script[at] ?? '')) return null;
    found.push({
      pattern: pattern.text,
      replacement: replacement.text,
      global: flags.includes('g'),
      ignoreCase: /i/iu.test(flags),
    });
  }
  return found.length === 0 ? null : found;
}

/** Up to an unescaped delimiter, whose escape goes. */
function until(
  script: string,
  start: number,
  delimiter: string,
): { readonly text: string; readonly end: number } | null {
  let text = '';
  for (let at = start; at < script.length; at++) {
    const char = script[at] ?? '';
    if (char === delimiter) return { text, end: at };
    if (char === '\n') return null;
    if (char === '\\') {
      const next = script[at + 1] ?? '';
      text += next === delimiter ? next : char + next;
      at++;
    } else text += char;
  }
  return null;
}

/** A text beyond this is not worked on. */
const maxText = 200_000;

/**
 * A text after a substitution on each of its lines. null when the pattern or the replacement says more than what sed and
 * JavaScript read alike.
 */
export function applySubstitution(
  text: string,
  substitution: Substitution,
): { readonly text: string; readonly matched: boolean } | null {
  const source = translate(substitution.pattern, substitution.extended);
  if (source === null || text.length > maxText || /\\[^&\\/n.]|[^\\]&|^&/u.test(substitution.replacement)) return null;
  const flags = `u${substitution.global ? 'g' : ''}${substitution.ignoreCase ? 'i' : ''}`;
  const expression = new RegExp(source, flags);
  const replacement = substitution.replacement.replace(/\\n/gu, '\n').replace(/\\(.)/gu, '$1').replaceAll('$', '$$$$');
  const most = substitution.global ? text.length + 1 : text.split('\n').length;
  if (most * replacement.length > 50 * maxText) return null;
  let matched = false;
  const lines = text.split('\n').map((line) => {
    const found = line.search(expression);
    if (found < 0) return line;
    matched = true;
    return line.replace(expression, replacement);
  });
  return { text: lines.join('\n'), matched };
}

/** A regular expression of sed as one of JavaScript; null when it is more than literals, `.`, `.*`, `^` and `$`. */
function translate(pattern: string, extended: boolean): string | null {
  let source = '';
  let stars = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    const next = pattern[at + 1] ?? '';
    if (char === '\\') {
      if (!/[.*[\]$^/\\+?(){}|"'-]/u.test(next) || (!extended && /[+?(){}|]/u.test(next))) return null;
      source += literal(next);
      at++;
    } else if (char === '.') {
      source += '.';
      if (next === '*') {
        source += '*';
        stars++;
        at++;
      }
    } else if (char === '^' && at === 0) source += '^';
    else if (char === '$' && at === pattern.length - 1) source += '$';
    else if (/[*[\]^$]/u.test(char) || (extended && /[+?(){}|]/u.test(char))) return null;
    else source += literal(char);
  }
  // Each further `.*` multiplies the time on a line that does not fit.
  return pattern === '' || stars > 2 ? null : source;
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/u.test(char) ? `\\${char}` : char;
}
