import type { SyntaxNode } from '../syntax-tree';
import type {
  AssertStatement,
  Block,
  Call,
  Comparison,
  Import,
  KeyUse,
  PythonClass,
  PythonFunction,
  RaiseStatement,
  StringLiteral,
} from './module';
import { qualify } from './names';
import { dottedName } from './nodes';
import type { OpenBlock } from './scopes';
import { Scopes } from './scopes';
import { definitionVisits } from './walk-definitions';
import { expressionVisits } from './walk-expressions';
import { statementVisits } from './walk-statements';

/** Everything that one pass over a tree collects. Names are as written: imports are resolved afterwards. */
export interface Walked {
  readonly blocks: readonly Block[];
  readonly imports: readonly Import[];
  readonly functions: readonly PythonFunction[];
  readonly classes: readonly PythonClass[];
  readonly calls: readonly Call[];
  /** The full name of what the binding of an import stands for, by its node. */
  readonly importedAs: ReadonlyMap<SyntaxNode, string>;
  readonly callAt: ReadonlyMap<SyntaxNode, Call>;
  readonly asserts: readonly AssertStatement[];
  readonly raises: readonly RaiseStatement[];
  readonly strings: readonly StringLiteral[];
  readonly keys: readonly KeyUse[];
  readonly comparisons: readonly Comparison[];
  /** `a if b else c` */
  readonly conditionals: readonly SyntaxNode[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Growing<T> = { readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

export type OpenFunction = Omit<Mutable<PythonFunction>, 'returns'> & { returns: SyntaxNode[] };

/** A pass in progress: what it has found so far, and the way to go on. */
export interface Walk extends Growing<Omit<Walked, 'blocks' | 'calls' | 'importedAs' | 'callAt'>> {
  readonly text: string;
  readonly scopes: Scopes;
  readonly calls: Mutable<Call>[];
  readonly importedAs: Map<SyntaxNode, string>;
  readonly callAt: Map<SyntaxNode, Call>;
  source(node: SyntaxNode): string;
  /** The full name of what an expression names; empty for what is no name. */
  nameOf(node: SyntaxNode, block: Block): string;
  visit(node: SyntaxNode, block: OpenBlock): void;
  visitChildren(node: SyntaxNode, block: OpenBlock): void;
}

export type Visit = (walk: Walk, node: SyntaxNode, block: OpenBlock) => void;

const visits: ReadonlyMap<string, Visit> = new Map(
  Object.entries({ ...statementVisits, ...definitionVisits, ...expressionVisits }),
);
/** Nothing of interest stands in these. */
const leaves = new Set(['identifier', 'comment', 'integer', 'type']);

export function walk(text: string, root: SyntaxNode): Walked {
  const importedAs = new Map<SyntaxNode, string>();
  const scopes = new Scopes(text);
  const state: Walk = {
    text,
    scopes,
    imports: [],
    functions: [],
    classes: [],
    calls: [],
    importedAs,
    callAt: new Map(),
    asserts: [],
    raises: [],
    strings: [],
    keys: [],
    comparisons: [],
    conditionals: [],
    source: (node) => text.slice(node.start, node.end),
    nameOf: (node, block) => qualify(node, block, text, importedAs) ?? dottedName(node, text) ?? '',
    visit(node, block) {
      if (leaves.has(node.type)) return;
      const visit = visits.get(node.type);
      if (visit === undefined) this.visitChildren(node, block);
      else visit(this, node, block);
    },
    visitChildren(node, block) {
      for (const child of node.children) if (child.named || child.children.length > 0) this.visit(child, block);
    },
  };
  const module = scopes.open('module', root, root, root, null, null, true);
  // A file may begin with blank lines, which the tree leaves out.
  module.start = 0;
  module.end = text.length;
  state.visitChildren(root, module);
  // Only now is every name of the file known.
  for (const made of state.calls) {
    const called = made.node.children[0];
    if (called !== undefined) made.callee = qualify(called, made.block, text, importedAs);
    if (made.callee !== null) made.name = made.callee.slice(made.callee.lastIndexOf('.') + 1);
  }
  return { ...state, blocks: scopes.blocks };
}
