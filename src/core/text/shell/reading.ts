import type { SyntaxNode } from '../syntax-tree';
import type {
  ShellAssignment,
  ShellCommand,
  ShellContext,
  ShellHeredoc,
  ShellNode,
  ShellOptions,
  ShellScript,
  ShellTrap,
  Span,
} from './script';

/** Where the reader stands; the options in force are kept apart, since they change from command to command. */
export type Standing = Omit<ShellContext, 'options'>;

export const topLevel: Standing = {
  condition: null,
  negated: false,
  leftOf: null,
  rightOf: null,
  subshell: false,
  substitution: false,
  conditional: false,
  loop: false,
  function: null,
  background: false,
  pipeline: null,
};

/** What a variable is known to hold: undefined when the script never sets it, null when its value is unknown. */
export type Known = string | null | undefined;

/** One pass over one script; what it finds is gathered here. */
export interface Reading {
  readonly text: string;
  readonly base: number;
  readonly home: string;
  readonly commands: ShellCommand[];
  readonly functions: Map<string, ShellNode>;
  readonly heredocs: ShellHeredoc[];
  readonly traps: ShellTrap[];
  readonly assignments: ShellAssignment[];
  readonly errors: Span[];
  /** In force where the reader stands. */
  options: ShellOptions;
  /** False once something beyond the caps was left out. */
  complete: boolean;
  depth: number;
  readonly variables: Variables;
  /** Reads a piece of this script, or a file that it sources, as a script of its own; null beyond the caps. */
  readonly inner: (piece: InnerScript) => ShellScript | null;
  /** The script that `source path` brings in; null when it is not known. */
  readonly source: (path: string) => ShellScript | null;
  /** Statements among the nodes, in order. */
  readonly statements: (nodes: readonly SyntaxNode[], standing: Standing) => ShellNode[];
}

export interface InnerScript {
  readonly text: string;
  /** Offset of `text` in the file. */
  readonly base: number;
}

export interface Variables {
  lookup(name: string): Known;
  /** All constants that the script sets it to, when it sets it to nothing else; empty when that is not known. */
  choices(name: string): readonly string[];
  /** Between the two, the variable's own name stands for what came from outside: `A="${A:-x}"`. */
  begin(name: string): void;
  end(name: string, value: string | null): void;
}

export function spanOf(reading: Reading, node: { readonly start: number; readonly end: number }): Span {
  return { start: reading.base + node.start, end: reading.base + node.end };
}

export function sourceOf(reading: Reading, node: { readonly start: number; readonly end: number }): string {
  return reading.text.slice(node.start, node.end);
}
