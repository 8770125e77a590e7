/** Texts as Python treats them, where JavaScript differs. */

// What `str.strip()` removes: JavaScript's `trim` leaves the separators U+001C to U+001F and U+0085, and takes U+FEFF.
const pythonSpace = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leadingSpace = new RegExp(`^${pythonSpace}+`, 'u');
const trailingSpace = new RegExp(`${pythonSpace}+$`, 'u');

export function strip(text: string): string {
  return text.replace(leadingSpace, '').replace(trailingSpace, '');
}

/** `re.match(r'^…$', text)`: in Python, `$` also matches before one newline at the end. */
export function matchesWhole(pattern: RegExp, text: string): boolean {
  return pattern.test(text) || (text.endsWith('\n') && pattern.test(text.slice(0, -1)));
}

/**
 * `float(text)`: surrounding space, single underscores between digits, exponents, `inf`, `infinity` and `nan` in any
 * case, and decimal digits of any script; undefined where Python raises.
 */
export function parsePythonFloat(text: string): number | undefined {
  const bare = strip(text).replace(/\p{Nd}/gu, asciiDigit);
  const named = /^([+-]?)(?:(inf(?:inity)?)|nan)$/iu.exec(bare);
  if (named) return named[2] === undefined ? NaN : named[1] === '-' ? -Infinity : Infinity;
  const digits = '\\d+(?:_\\d+)*';
  const number = new RegExp(`^[+-]?(?:${digits}(?:\\.(?:${digits})?)?|\\.${digits})(?:[eE][+-]?${digits})?$`, 'u');
  return number.test(bare) ? Number(bare.replaceAll('_', '')) : undefined;
}

// Decimal digits stand in runs of ten, of which the first is a multiple of the run's start; so the value is the
// distance to the last character before that is no digit, modulo ten.
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 0x80) return digit;
  let distance = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - distance - 1))) distance++;
  return String(distance % 10);
}
