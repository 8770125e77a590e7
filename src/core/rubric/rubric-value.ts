import type { Range } from '../text/position';
import type { TomlValue } from '../text/toml-tree';
import type { YamlValue } from '../text/yaml/yaml-tree';

/** A value of any of the formats that a rubric may have. */
export type RubricValue =
  | { readonly kind: 'text'; readonly text: string; readonly range: Range }
  | { readonly kind: 'number'; readonly value: number; readonly isFraction: boolean; readonly range: Range }
  | { readonly kind: 'list'; readonly items: readonly RubricValue[]; readonly range: Range }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, RubricEntry>; readonly range: Range }
  | { readonly kind: 'other'; readonly range: Range };

export interface RubricEntry {
  readonly keyRange: Range;
  readonly value: RubricValue;
}

export function ofToml(value: TomlValue): RubricValue {
  const { range } = value;
  switch (value.kind) {
    case 'string':
      return { kind: 'text', text: value.value, range };
    case 'integer':
      return { kind: 'number', value: Number(value.value), isFraction: false, range };
    case 'float':
      return { kind: 'number', value: value.value, isFraction: true, range };
    case 'array':
      return { kind: 'list', items: value.items.map(ofToml), range };
    case 'table':
      return {
        kind: 'map',
        entries: new Map(
          [...value.entries].map(([key, entry]) => [key, { keyRange: entry.keyRange, value: ofToml(entry.value) }]),
        ),
        range,
      };
    case 'boolean':
    case 'date':
      return { kind: 'other', range };
  }
}

export function ofYaml(value: YamlValue): RubricValue {
  const { range } = value;
  switch (value.kind) {
    case 'list':
      return { kind: 'list', items: value.items.map(ofYaml), range };
    case 'map':
      return {
        kind: 'map',
        entries: new Map(
          [...value.entries].map(([key, entry]) => [key, { keyRange: entry.keyRange, value: ofYaml(entry.value) }]),
        ),
        range,
      };
    case 'scalar':
      if (typeof value.value === 'string') return { kind: 'text', text: value.value, range };
      if (typeof value.value === 'number')
        return { kind: 'number', value: value.value, isFraction: /[.eE]/u.test(value.source), range };
      return { kind: 'other', range };
  }
}
