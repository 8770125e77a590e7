/** A node of a parsed text, as plain data: whatever walks it needs no parser. */
export interface SyntaxNode {
  /** Its name in the grammar; a token's own text where the grammar gives it none (`"if"`, `"&&"`). */
  readonly type: string;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  /** Offsets in UTF-16 units, half-open. */
  readonly start: number;
  readonly end: number;
  /** What the node is to its parent, such as `condition`; null for most. */
  readonly field: string | null;
  /** True where the parser put in something that the text lacks. */
  readonly missing: boolean;
  readonly children: readonly SyntaxNode[];
}

/** Parses any text; what fits no rule of the grammar becomes nodes of type `ERROR`. Never throws. */
export type Parse = (text: string) => SyntaxNode;

/** The grammars that rules need; loading them is the business of whoever has a file system. */
export interface Grammars {
  readonly bash: Parse;
  readonly python: Parse;
}
