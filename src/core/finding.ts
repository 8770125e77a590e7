import type { Range } from './text/position';

export type Severity = 'error' | 'warning' | 'information' | 'hint';
export type Confidence = 'certain' | 'likely' | 'possible';

/** One replacement in a file of the task; `file` is relative to the task folder, with `/`. */
export interface TextEdit {
  readonly file: string;
  readonly range: Range;
  readonly newText: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  readonly preferred?: boolean;
}

export interface RelatedPlace {
  readonly file: string;
  readonly range: Range;
  readonly message: string;
}

/** What a static check claims at a range (task-rules.md, section 2). */
export interface Finding {
  readonly ruleId: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** Relative to the task folder, with `/`. */
  readonly file: string;
  readonly range: Range;
  /** Keys and array indexes from the root of task.toml; only for findings of the configuration. */
  readonly path?: readonly (string | number)[];
  /** One sentence in the task's own names. */
  readonly message: string;
  /** The rule's reason, one or two sentences. */
  readonly why: string;
  readonly related?: readonly RelatedPlace[];
  readonly fixes: readonly Fix[];
  /** How an editor draws it: greyed as without use, or struck through as out of date. */
  readonly tag?: 'unnecessary' | 'deprecated';
  /** Survives moves of lines: hash of rule, file, normalised text of the range and its enclosing section. */
  readonly fingerprint: string;
}
