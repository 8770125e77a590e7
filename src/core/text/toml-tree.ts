import type { Range } from './position';

/** Keys and array indexes from the root of the document. */
export type TomlPath = readonly (string | number)[];

export type DateForm = 'offset-date-time' | 'local-date-time' | 'local-date' | 'local-time';

export type TomlValue = TomlScalar | TomlArray | TomlTable;

export type TomlScalar =
  | { readonly kind: 'string'; readonly value: string; readonly range: Range }
  | { readonly kind: 'integer'; readonly value: bigint; readonly range: Range }
  | { readonly kind: 'float'; readonly value: number; readonly range: Range }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly range: Range }
  /** `value` is the text as written: dates have no meaning to Harbor outside `[metadata]`. */
  | { readonly kind: 'date'; readonly form: DateForm; readonly value: string; readonly range: Range };

export interface TomlArray {
  readonly kind: 'array';
  readonly items: readonly TomlValue[];
  /** True for an array written as `[[headers]]`. */
  readonly isOfTables: boolean;
  /** An inline array from `[` to `]`; an array of tables at its first header. */
  readonly range: Range;
}

export interface TomlTable {
  readonly kind: 'table';
  /** In the order of the document. */
  readonly entries: ReadonlyMap<string, TomlEntry>;
  /**
   * `root`; `header`: `[x]` or one `[[x]]`; `inline`: `{ … }`; `implied`: only named on the way to another key, as `x`
   * in `x.y = 1` or `[x.y]`.
   */
  readonly form: 'root' | 'header' | 'inline' | 'implied';
  /** The header with its brackets, the inline table, or the first key that implies it; empty for the root. */
  readonly range: Range;
}

export interface TomlEntry {
  readonly key: string;
  /** The last segment of the key or header that made the entry, quotes included. */
  readonly keyRange: Range;
  readonly value: TomlValue;
  /** From the whole (dotted) key to the end of the value; the header for a table or an array of tables. */
  readonly range: Range;
  /** Every segment of a key or header that names the entry, also on the way to another one; a rename changes all. */
  readonly mentions: readonly Range[];
}

/** The value at a path, or undefined. */
export function valueAt(root: TomlTable, path: TomlPath): TomlValue | undefined {
  let value: TomlValue | undefined = root;
  for (const part of path) {
    if (value?.kind === 'table' && typeof part === 'string') value = value.entries.get(part)?.value;
    else if (value?.kind === 'array' && typeof part === 'number') value = value.items[part];
    else return undefined;
  }
  return value;
}

/** The entry that a path of keys ends in, or undefined; an array index cannot be the last part. */
export function entryAt(root: TomlTable, path: TomlPath): TomlEntry | undefined {
  const last = path.at(-1);
  const parent = valueAt(root, path.slice(0, -1));
  return parent?.kind === 'table' && typeof last === 'string' ? parent.entries.get(last) : undefined;
}

export function tableAt(root: TomlTable, path: TomlPath): TomlTable | undefined {
  const value = valueAt(root, path);
  return value?.kind === 'table' ? value : undefined;
}

/** `steps[0].name`, with quotes where a key needs them. */
export function formatPath(path: TomlPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += (text === '' ? '' : '.') + (/^[A-Za-z0-9_-]+$/u.test(part) ? part : JSON.stringify(part));
  }
  return text;
}
