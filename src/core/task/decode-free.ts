import type { TomlValue } from '../text/toml-tree';

/**
 * A value of `[metadata]` as plain data. Dates are texts as written; an integer beyond 2^53 is a bigint. Nesting is
 * limited by the reader.
 */
export function plainValue(value: TomlValue): unknown {
  switch (value.kind) {
    case 'integer': {
      const number = Number(value.value);
      return Number.isSafeInteger(number) ? number : value.value;
    }
    case 'string':
    case 'float':
    case 'boolean':
    case 'date':
      return value.value;
    case 'array':
      return value.items.map(plainValue);
    case 'table':
      return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plainValue(entry.value)]));
  }
}
