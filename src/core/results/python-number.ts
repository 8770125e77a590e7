import type { RewardNumber } from './record';

// What `float()` strips from both ends (harbor-run.md, section 9). The separators U+001C to U+001F, which are white
// space to `str.isspace`, are not among them.
const space = '[\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const strip = new RegExp(`^${space}+|${space}+$`, 'gu');
const digits = '\\d(?:_?\\d)*';
const number = new RegExp(`^[+-]?(?:${digits}(?:\\.(?:${digits})?)?|\\.${digits})(?:[eE][+-]?${digits})?$`, 'u');
const word = /^([+-]?)(?:(inf(?:inity)?)|nan)$/iu;

/** Reads a text as Python's `float()` does; null where that raises `ValueError`. */
export function parsePythonFloat(text: string): number | null {
  const plain = text.replaceAll(/[^\0-\x7f]/gu, asciiDigit).replaceAll(strip, '');
  const named = word.exec(plain);
  if (named) return named[2] === undefined ? Number.NaN : named[1] === '-' ? -Infinity : Infinity;
  return number.test(plain) ? Number(plain.replaceAll('_', '')) : null;
}

const decimal = /^\p{Nd}$/u;

/** The ASCII digit of a decimal digit of any script, else the character itself. */
function asciiDigit(character: string): string {
  if (!decimal.test(character)) return character;
  // Unicode keeps the ten digits of a script in one run from 0 to 9, so the place in the run is the value.
  const code = character.codePointAt(0) ?? 0;
  let before = 0;
  while (decimal.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}

/** A number as Python's `str()` prints it: `1`, `1.0`, `1e-07`, `inf`, `nan`. */
export function formatPython(number: RewardNumber): string {
  return number.kind === 'int' ? formatPythonInt(number.value) : formatPythonFloat(number.value);
}

export function formatPythonInt(value: number): string {
  return Number.isSafeInteger(value) || !Number.isFinite(value) ? String(value + 0) : BigInt(value).toString();
}

export function formatPythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  // Both languages print the shortest digits that read back; they differ in when they use an exponent.
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const sign = mantissa.startsWith('-') ? '-' : '';
  const all = mantissa.replaceAll(/[-.]/gu, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${all}`;
  const whole = all.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${all.slice(exponent + 1) || '0'}`;
}
