import type { Value } from './value';

/** Characters of one text. */
export const maxText = 20_000;

/** Items of one collection. */
export const maxItems = 256;

/** Values in values, and a hundred characters of text as one: lists of one list twice are small, but not to walk. */
const maxWeight = 4_000;

const weights = new WeakMap<Value, number>();

function weightOf(value: Value | null): number {
  if (value === null) return 1;
  if ('text' in value) return 1 + value.text.length / 100;
  if (!('items' in value) && !('entries' in value)) return 1;
  const known = weights.get(value);
  if (known !== undefined) return known;
  const inner = 'items' in value ? value.items : value.entries.flat();
  const weight = inner.reduce((sum, item) => sum + weightOf(item), 1);
  weights.set(value, weight);
  return weight;
}

/** The value, or null for one that is too large: what doubles with each line would fill the memory soon. */
export function bounded(value: Value | null): Value | null {
  if (value === null) return null;
  if ('text' in value) return value.text.length > maxText ? null : value;
  const length = 'items' in value ? value.items.length : 'entries' in value ? value.entries.length : 0;
  return length > maxItems || weightOf(value) > maxWeight ? null : value;
}
