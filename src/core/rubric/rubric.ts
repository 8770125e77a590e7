import type { Range } from '../text/position';

/** A rubric as it is written (review.md, section 7), with what is wrong with its form. */
export interface RubricFile {
  /** null when there is no list of criteria. */
  readonly list: Range | null;
  readonly criteria: readonly Criterion[];
  readonly problems: readonly RubricProblem[];
}

export interface Criterion {
  readonly id: RubricText | null;
  /** null when it is missing or no text. */
  readonly text: RubricText | null;
  readonly weight: RubricWeight | null;
  readonly tags: readonly string[];
  /** The criterion where it begins: the header of a TOML table, or the first line of an item. */
  readonly range: Range;
}

export interface RubricText {
  readonly text: string;
  /** Quotes included. */
  readonly range: Range;
  /**
   * The place of a part of the text; the whole value where the text in the file differs from what it stands for, as
   * with escapes and folded lines.
   */
  readonly part: (start: number, end: number) => Range;
}

export interface RubricWeight {
  /** null when it is no number. */
  readonly value: number | null;
  /** True for a number with a fraction, also `2.0`. */
  readonly isFraction: boolean;
  readonly written: string;
  readonly range: Range;
}

export interface RubricProblem {
  readonly message: string;
  readonly range: Range;
}
