import type { TomlValue } from '../text/toml-tree';

/**
 * The conversions of pydantic's lax mode (harbor-task.md, section 3), as far as TOML values can reach them. `exact` is
 * false where a value of another kind was converted.
 */
export type Coerced<T> =
  { readonly ok: true; readonly value: T; readonly exact: boolean } | { readonly ok: false; readonly reason: string };

const exact = <T>(value: T): Coerced<T> => ({ ok: true, value, exact: true });
const converted = <T>(value: T): Coerced<T> => ({ ok: true, value, exact: false });
const refused = (reason: string): Coerced<never> => ({ ok: false, reason });

// The white space that Rust trims: Unicode's, which leaves the separators U+001C to U+001F in place.
const space = '[\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
const integerText = new RegExp(`^${space}([+-]?)(\\d+(?:_\\d+)*)(?:\\.0+)?${space}$`, 'u');
const floatText = new RegExp(
  `^${space}([+-]?(?:inf|infinity|nan|(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?))${space}$`,
  'iu',
);
const maxDigits = 4300;
const twoTo63 = 2 ** 63;

export function toInteger(value: TomlValue): Coerced<number> {
  switch (value.kind) {
    case 'integer':
      return exact(Number(value.value));
    case 'boolean':
      return converted(Number(value.value));
    case 'float':
      if (!Number.isFinite(value.value)) return refused('must be a finite whole number');
      if (!Number.isInteger(value.value)) return refused('must be a whole number');
      return Math.abs(value.value) < twoTo63 ? converted(value.value + 0) : refused('is too large for a whole number');
    case 'string': {
      const match = integerText.exec(value.value);
      if (!match) return refused('must be a whole number');
      const digits = (match[2] ?? '').replaceAll('_', '').replace(/^0+(?=\d)/u, '');
      if (digits.length > maxDigits) return refused('is too long for a number');
      const number = Number(digits);
      return converted(match[1] === '-' ? 0 - number : number);
    }
    case 'date':
    case 'array':
    case 'table':
      return refused(`must be a whole number, not ${nameOf(value)}`);
  }
}

export function toFloat(value: TomlValue): Coerced<number> {
  switch (value.kind) {
    case 'float':
      return exact(value.value);
    case 'integer': {
      const number = Number(value.value);
      return Number.isFinite(number) ? exact(number) : refused('is too large for a number');
    }
    case 'boolean':
      return converted(Number(value.value));
    case 'string': {
      const text = value.value;
      const plain = /^_|__|_$/u.test(text.trim()) ? undefined : floatText.exec(text.replaceAll('_', ''))?.[1];
      return plain === undefined ? refused('must be a number') : converted(numberOf(plain.toLowerCase()));
    }
    case 'date':
    case 'array':
    case 'table':
      return refused(`must be a number, not ${nameOf(value)}`);
  }
}

export function toBoolean(value: TomlValue): Coerced<boolean> {
  const wanted = 'must be true or false';
  switch (value.kind) {
    case 'boolean':
      return exact(value.value);
    case 'integer':
      return value.value === 0n || value.value === 1n ? converted(value.value === 1n) : refused(wanted);
    case 'float':
      return value.value === 0 || value.value === 1 ? converted(value.value === 1) : refused(wanted);
    case 'string': {
      const text = value.value.toLowerCase();
      if (['1', 't', 'true', 'y', 'yes', 'on'].includes(text)) return converted(true);
      return ['0', 'f', 'false', 'n', 'no', 'off'].includes(text) ? converted(false) : refused(wanted);
    }
    case 'date':
    case 'array':
    case 'table':
      return refused(`${wanted}, not ${nameOf(value)}`);
  }
}

/** What a value is, for the end of "must be …, not …". */
export function nameOf(value: TomlValue): string {
  switch (value.kind) {
    case 'string':
      return 'a text';
    case 'integer':
      return 'an integer';
    case 'float':
      return 'a float';
    case 'boolean':
      return 'a boolean';
    case 'date':
      return 'a date or time';
    case 'array':
      return value.isOfTables ? 'an array of tables' : 'an array';
    case 'table':
      return 'a table';
  }
}

function numberOf(text: string): number {
  if (text.endsWith('nan')) return NaN;
  if (/inf(?:inity)?$/u.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}
