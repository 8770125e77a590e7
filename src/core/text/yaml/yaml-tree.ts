import type { Range } from '../position';

export type YamlValue = YamlScalar | YamlList | YamlMap;

export interface YamlScalar {
  readonly kind: 'scalar';
  /** As YAML 1.2 core resolves it; a number beyond 2^53 is a bigint. */
  readonly value: string | number | bigint | boolean | null;
  /** As written, without quotes. */
  readonly source: string;
  /** True for a quoted or a block scalar. */
  readonly quoted: boolean;
  /** Quotes included; empty where a value is left out. */
  readonly range: Range;
}

export interface YamlList {
  readonly kind: 'list';
  readonly items: readonly YamlValue[];
  readonly range: Range;
}

export interface YamlMap {
  readonly kind: 'map';
  /** In the order of the document; with merge keys (`<<`) applied, own keys first. */
  readonly entries: ReadonlyMap<string, YamlEntry>;
  readonly range: Range;
}

export interface YamlEntry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: YamlValue;
  /** From the key to the end of the value. */
  readonly range: Range;
  /** True when it comes from a merged mapping; its ranges are those of the anchor. */
  readonly merged: boolean;
}

export interface YamlTrouble {
  readonly message: string;
  readonly range: Range;
  /** The parser's own name for it, such as `DUPLICATE_KEY`. */
  readonly code: string;
}

export type YamlResult =
  /** `root` is null for an empty document. Aliases are resolved; what they would unfold beyond the cap is an error. */
  | { readonly ok: true; readonly root: YamlValue | null }
  | { readonly ok: false; readonly errors: readonly YamlTrouble[] };

/** The value at a path of keys and indexes, or undefined. */
export function yamlAt(root: YamlValue | null, ...path: readonly (string | number)[]): YamlValue | undefined {
  let value: YamlValue | undefined = root ?? undefined;
  for (const part of path) {
    if (value?.kind === 'map' && typeof part === 'string') value = value.entries.get(part)?.value;
    else if (value?.kind === 'list' && typeof part === 'number') value = value.items[part];
    else return undefined;
  }
  return value;
}
