/** A place in a text: line and character count from 0, characters are UTF-16 units (as in LSP). */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A half-open stretch of text. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export const startOfFile: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
