import type { TomlTable, TomlValue } from '../../text/toml-tree';

/**
 * The vocabulary in which the keys of task.toml are described. The descriptions are plain data, so that one table
 * serves the decoder, the findings, the JSON Schema, completion, hover and the documentation.
 */
export type Shape =
  | { readonly kind: 'text'; readonly format?: TextFormat }
  | { readonly kind: 'integer' }
  | { readonly kind: 'float' }
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'choice';
      readonly choices: readonly Choice[];
      /** The value is put into lower case before it is compared. */
      readonly lowerCased?: boolean;
      /** Other spellings that are turned into a choice first. */
      readonly aliases?: Readonly<Record<string, string>>;
    }
  /** A text stays a text; anything else must be an integer. */
  | { readonly kind: 'user' }
  | {
      readonly kind: 'list';
      readonly item: Shape;
      /** Checked once all items have their type; trouble is reported at the list, without an index. */
      readonly each?: TextFormat;
    }
  | { readonly kind: 'map'; readonly value: Shape }
  /** A number, or a table of numbers by name. */
  | { readonly kind: 'threshold' }
  /** A container path, or a table that describes it. */
  | { readonly kind: 'artifact'; readonly table: Table }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'free-table' };

export interface Choice {
  readonly value: string;
  readonly doc: string;
}

/** What a text must look like. */
export interface TextFormat {
  readonly name: string;
  /** For the JSON Schema; only where a pattern says the same as `parse`. */
  readonly pattern?: string;
  /** The value in force, or why Harbor refuses it (the end of a sentence that starts with the value). */
  parse(text: string): { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };
}

/** A shape that says what it decodes to. */
export type ValueType<T> = Shape & { readonly decodesTo?: T };

interface KeyFacts {
  /** One or two sentences in Markdown. */
  readonly doc: string;
  readonly unit?: 'seconds' | 'MiB' | 'cores';
  /** What else must hold, in words. */
  readonly constraint?: string;
  /** The format version that brought the key, as far as it is known. */
  readonly since?: '1.1' | '1.3' | '1.4';
  /** Harbor takes any number; outside of this it cannot be meant. */
  readonly sensible?: Sensible;
  /** Set where the key is accepted and does nothing: what is in force instead. */
  readonly withoutEffect?: string;
  /** What becomes of a value that Harbor takes and the task cannot use: a whole sentence. */
  readonly wrong?: string;
  /** What a text names, so that an editor can offer what there is. */
  readonly names?: Named;
  /** Wrong names that people write, with the value rewritten where it has another meaning. */
  readonly aliases?: readonly Alias[];
}

/** A folder below `steps/`; a path, a folder or a user in the container; a service of the compose file. */
export type Named = 'step-folder' | 'container-path' | 'container-folder' | 'container-user' | 'service';

export interface Alias {
  readonly name: string;
  /** The right value as TOML, or null when none can be offered; absent: the value stays. */
  readonly rewrite?: (value: TomlValue) => string | null;
}

export interface Sensible {
  readonly atLeast?: number;
  readonly moreThan?: number;
  /** What happens otherwise; completes "… is accepted, but". */
  readonly otherwise: string;
  /** A plausible value, as TOML. */
  readonly offer: string;
}

export interface Key<T> extends KeyFacts {
  readonly type: ValueType<unknown>;
  readonly presence: Presence;
  readonly decodesTo?: T;
}

export type Presence =
  | { readonly kind: 'required' }
  /** Absent is null: TOML has no null of its own. */
  | { readonly kind: 'optional' }
  | { readonly kind: 'default'; readonly value: unknown }
  /** An absent table is the same as an empty one. */
  | { readonly kind: 'empty-table' };

/** A key of an earlier format, which Harbor turns into another one or ignores. */
export interface LegacyKey {
  readonly doc: string;
  readonly type: ValueType<unknown>;
  readonly presence: { readonly kind: 'legacy'; readonly replacedBy: string };
  /** True when Harbor also checks the old key's own type. */
  readonly isChecked?: boolean;
  /** `table` is the table the key is in. */
  readonly migrate: (value: TomlValue, table: TomlTable) => Migration;
  readonly aliases?: readonly Alias[];
}

export type Migration =
  /**
   * The new key gets `value`, unless it says the same already (`isSet` false); `text` is how to write it today. Errors of
   * the value are reported at the new key.
   */
  | { readonly kind: 'converted'; readonly value: TomlValue; readonly text: string | null; readonly isSet: boolean }
  /** Without effect; `message` says what is in force instead. */
  | { readonly kind: 'overruled'; readonly message: string }
  | { readonly kind: 'dropped'; readonly message: string; readonly text: string | null }
  /** Reported at the table. */
  | { readonly kind: 'refused'; readonly message: string; readonly text: string | null };

export type AnyKey = Key<unknown> | LegacyKey;
export type Keys = Readonly<Record<string, AnyKey>>;

export interface Table<K extends Keys = Keys> {
  readonly title: string;
  readonly doc: string;
  readonly keys: K;
  /** Runs when all keys are valid; each text is the sentence of one error at the table. */
  readonly check?: (values: Readonly<Record<string, unknown>>) => readonly TableTrouble[];
}

export interface TableTrouble {
  /** The key whose value carries the defect, for the range; the path of the finding stays the table. */
  readonly key: string;
  readonly message: string;
}

/** What a table decodes to: its keys without the legacy ones. */
export type Decoded<T extends Table> = {
  readonly [N in keyof T['keys'] as T['keys'][N] extends LegacyKey ? never : N]: T['keys'][N] extends Key<infer V>
    ? V
    : never;
};

export const text = (format?: TextFormat): ValueType<string> =>
  format === undefined ? { kind: 'text' } : { kind: 'text', format };
export const integer = (): ValueType<number> => ({ kind: 'integer' });
export const float = (): ValueType<number> => ({ kind: 'float' });
export const boolean = (): ValueType<boolean> => ({ kind: 'boolean' });
export const user = (): ValueType<string | number> => ({ kind: 'user' });
export const threshold = (): ValueType<number | Readonly<Record<string, number>>> => ({ kind: 'threshold' });
export const freeTable = (): ValueType<Readonly<Record<string, unknown>>> => ({ kind: 'free-table' });
export const list = <T>(item: ValueType<T>, each?: TextFormat): ValueType<readonly T[]> =>
  each === undefined ? { kind: 'list', item } : { kind: 'list', item, each };
export const map = <T>(value: ValueType<T>): ValueType<Readonly<Record<string, T>>> => ({ kind: 'map', value });
export const table = <T extends Table>(of: T): ValueType<Decoded<T>> => ({ kind: 'table', table: of });
export const artifact = <T extends Table>(of: T): ValueType<Decoded<T>> => ({ kind: 'artifact', table: of });

export function choice<V extends string>(
  docs: Readonly<Record<V, string>>,
  spelling: { readonly lowerCased?: boolean; readonly aliases?: Readonly<Record<string, NoInfer<V>>> } = {},
): ValueType<V> {
  const choices = Object.entries<string>(docs).map(([value, doc]) => ({ value, doc }));
  return { kind: 'choice', choices, ...spelling };
}

export const required = <T>(type: ValueType<T>, facts: KeyFacts): Key<T> => ({
  type,
  presence: { kind: 'required' },
  ...facts,
});
export const optional = <T>(type: ValueType<T>, facts: KeyFacts): Key<T | null> => ({
  type,
  presence: { kind: 'optional' },
  ...facts,
});
export const withDefault = <T>(type: ValueType<T>, value: NoInfer<T>, facts: KeyFacts): Key<T> => ({
  type,
  presence: { kind: 'default', value },
  ...facts,
});
export const ownTable = <T extends Table>(of: T, facts: Partial<KeyFacts> = {}): Key<Decoded<T>> => ({
  type: table(of),
  presence: { kind: 'empty-table' },
  doc: of.doc,
  ...facts,
});
export const legacy = (
  replacedBy: string,
  type: ValueType<unknown>,
  facts: Omit<LegacyKey, 'type' | 'presence'>,
): LegacyKey => ({ type, presence: { kind: 'legacy', replacedBy }, ...facts });

/** The same key at a place where Harbor reads it and then does not use it. */
export const withoutEffect = <T>(key: Key<T>, instead: string): Key<T> => ({ ...key, withoutEffect: instead });

export function isLegacy(key: AnyKey): key is LegacyKey {
  return key.presence.kind === 'legacy';
}
