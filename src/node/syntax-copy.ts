import type { Language, Tree, TreeCursor } from 'web-tree-sitter';
import type { SyntaxNode } from '../core/text/syntax-tree';

/**
 * Functions of the parser's WebAssembly that a cursor's methods call. They all work on a cursor in one shared buffer, so
 * that a walk which calls them directly does without the copies that the methods make before and after each call: they
 * are most of the time of reading a file.
 */
interface Walker {
  _ts_init(): number;
  _ts_tree_root_node_wasm(tree: number): void;
  _ts_tree_cursor_new_wasm(tree: number): void;
  _ts_tree_cursor_delete_wasm(tree: number): void;
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_node_is_missing_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
}

const names = [
  '_ts_init',
  '_ts_tree_root_node_wasm',
  '_ts_tree_cursor_new_wasm',
  '_ts_tree_cursor_delete_wasm',
  '_ts_tree_cursor_goto_first_child_wasm',
  '_ts_tree_cursor_goto_next_sibling_wasm',
  '_ts_tree_cursor_goto_parent_wasm',
  '_ts_tree_cursor_current_node_type_id_wasm',
  '_ts_tree_cursor_current_node_is_missing_wasm',
  '_ts_tree_cursor_current_field_id_wasm',
  '_ts_tree_cursor_start_index_wasm',
  '_ts_tree_cursor_end_index_wasm',
] as const satisfies readonly (keyof Walker)[];

/** Takes a tree over as plain data. Nodes below `maxDepth` are left out. */
export type CopyTree = (tree: Tree) => SyntaxNode;

/** `runtime` is the object that was given to `Parser.init`. Other versions of the parser may lack what is fast. */
export function treeCopier(runtime: object, language: Language, maxDepth: number): CopyTree {
  return isWalker(runtime) ? fastCopier(runtime, language, maxDepth) : slowCopier(language, maxDepth);
}

function isWalker(runtime: object): runtime is Walker {
  const functions = runtime as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof functions[name] === 'function');
}

const errorSymbol = 0xffff;

/**
 * The engine's own copy of a name, as the names in our code are: two of those are compared by their addresses, while a
 * string that was made at run time is compared letter by letter.
 */
function shared(name: string): string {
  return Object.keys({ [name]: null })[0] ?? name;
}

function sharedFields(language: Language): readonly (string | null)[] {
  return language.fields.map((name) => (name === null ? null : shared(name)));
}

function fastCopier(walker: Walker, language: Language, maxDepth: number): CopyTree {
  const types = Array.from({ length: language.nodeTypeCount }, (_, id) => ({
    type: shared(language.types[id] ?? 'ERROR'),
    named: language.nodeTypeIsNamed(id),
  }));
  const error = { type: 'ERROR', named: true };
  const fields = sharedFields(language);
  const copyNode = (tree: number, depth: number): SyntaxNode => {
    const children: SyntaxNode[] = [];
    const id = walker._ts_tree_cursor_current_node_type_id_wasm(tree) & errorSymbol;
    const { type, named } = types[id] ?? error;
    const start = walker._ts_tree_cursor_start_index_wasm(tree);
    const end = walker._ts_tree_cursor_end_index_wasm(tree);
    const field = walker._ts_tree_cursor_current_field_id_wasm(tree);
    const node: SyntaxNode = {
      type,
      named,
      start,
      end,
      field: field === 0 ? null : (fields[field] ?? null),
      missing: start === end && walker._ts_tree_cursor_current_node_is_missing_wasm(tree) === 1,
      children,
    };
    if (depth < maxDepth && walker._ts_tree_cursor_goto_first_child_wasm(tree) === 1) {
      do children.push(copyNode(tree, depth + 1));
      while (walker._ts_tree_cursor_goto_next_sibling_wasm(tree) === 1);
      walker._ts_tree_cursor_goto_parent_wasm(tree);
    }
    return node;
  };
  return (tree) => {
    // The address, which the library keeps to itself.
    const address = (tree as unknown as { readonly 0: number })[0];
    walker._ts_tree_root_node_wasm(address);
    walker._ts_tree_cursor_new_wasm(address);
    try {
      return copyNode(address, 0);
    } finally {
      walker._ts_tree_cursor_delete_wasm(address);
    }
  };
}

/** By the library's own methods. */
export function slowCopier(language: Language, maxDepth: number): CopyTree {
  const { fields } = language;
  const copyNode = (cursor: TreeCursor, depth: number): SyntaxNode => {
    const children: SyntaxNode[] = [];
    const node: SyntaxNode = {
      type: cursor.nodeType,
      named: cursor.nodeIsNamed,
      start: cursor.startIndex,
      end: cursor.endIndex,
      field: fields[cursor.currentFieldId] ?? null,
      missing: cursor.nodeIsMissing,
      children,
    };
    if (depth < maxDepth && cursor.gotoFirstChild()) {
      do children.push(copyNode(cursor, depth + 1));
      while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    return node;
  };
  return (tree) => {
    const cursor = tree.walk();
    try {
      return copyNode(cursor, 0);
    } finally {
      cursor.delete();
    }
  };
}
