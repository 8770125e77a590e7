/** A constant of Python as far as reading can tell. */
export type Value = TextValue | BytesValue | NumberValue | BooleanValue | NoneValue | CollectionValue | DictValue;

/** A `str` or, with `path`, a `pathlib.Path`; both name files alike. */
export interface TextValue {
  readonly kind: 'text';
  readonly text: string;
  readonly path: boolean;
  /** True when `text` is relative to the folder of this very file (`Path(__file__).parent`); empty for that folder. */
  readonly inModuleFolder: boolean;
}

export interface BytesValue {
  readonly kind: 'bytes';
  /** One unit for a byte. */
  readonly text: string;
}

export interface NumberValue {
  readonly kind: 'number';
  readonly value: number;
  /** True for a `float`, also when it is whole. */
  readonly float: boolean;
}

export interface BooleanValue {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface NoneValue {
  readonly kind: 'none';
}

/** An item is null when it is not known. */
export interface CollectionValue {
  readonly kind: 'list' | 'tuple' | 'set';
  readonly items: readonly (Value | null)[];
}

export interface DictValue {
  readonly kind: 'dict';
  readonly entries: readonly (readonly [Value | null, Value | null])[];
}

/** Where a file is looked for. */
export interface FilePath {
  /** Normalised, without `.` and `//`; starts with `/` exactly when `from` is `root`. */
  readonly text: string;
  /** `module`: relative to the folder of the Python file; `cwd`: to whatever the process runs in. */
  readonly from: 'root' | 'cwd' | 'module';
}
