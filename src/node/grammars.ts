import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import type { Tree, TreeCursor } from 'web-tree-sitter';
import type { Grammars, Parse, SyntaxNode } from '../core/text/syntax-tree';

/** The files that `loadGrammars` needs, by the packages that bring them; the build copies them to `dist/grammars`. */
export const grammarFiles = {
  runtime: 'web-tree-sitter/web-tree-sitter.wasm',
  bash: 'tree-sitter-bash/tree-sitter-bash.wasm',
  python: 'tree-sitter-python/tree-sitter-python.wasm',
} as const;

/** Where the build puts one of `grammarFiles`, seen from a bundle. */
export function grammarFileBeside(bundle: string, file: string): string {
  return path.join(path.dirname(bundle), 'grammars', path.basename(file));
}

// A text that nests deeper is no program; the recursion over its tree has to end before the stack does.
const maxDepth = 1_000;

/**
 * Loads the parsers. `locate` says where one of `grammarFiles` is on this machine. Rejects when a file is missing or
 * broken.
 */
export async function loadGrammars(locate: (file: string) => string): Promise<Grammars> {
  await Parser.init({ wasmBinary: await readFile(locate(grammarFiles.runtime)) });
  const load = async (file: string): Promise<Parse> =>
    parserOf(await Language.load(new Uint8Array(await readFile(locate(file)))));
  const [bash, python] = await Promise.all([load(grammarFiles.bash), load(grammarFiles.python)]);
  return { bash, python };
}

/** `loadGrammars` when first asked for, and once. */
export function onceGrammars(locate: (file: string) => string): () => Promise<Grammars> {
  let loaded: Promise<Grammars> | null = null;
  return () => (loaded ??= loadGrammars(locate));
}

function parserOf(language: Language): Parse {
  const parser = new Parser();
  parser.setLanguage(language);
  return (text) => {
    const tree = parseInTime(parser, text);
    if (tree === null) return nothing(text);
    const cursor = tree.walk();
    try {
      return copy(cursor, language, 0);
    } finally {
      cursor.delete();
      tree.delete();
    }
  };
}

/**
 * null when the text is no program of the language by any measure: recovering from errors takes time with the square of
 * the length in some texts (`a=(` ten thousand times), and memory until the runtime breaks.
 */
function parseInTime(parser: Parser, text: string): Tree | null {
  const end = performance.now() + 1_000 + text.length / 200;
  try {
    // A NUL stands for the end of the text in the scanners, which then look for it again from every place.
    const tree = parser.parse(text.replaceAll('\0', ' '), null, { progressCallback: () => performance.now() > end });
    if (tree === null) parser.reset();
    return tree;
  } catch {
    return null;
  }
}

/** A call across the border of WebAssembly for every step of a walk is dear: the tree is taken over once, as data. */
function copy(cursor: TreeCursor, language: Language, depth: number): SyntaxNode {
  const children: SyntaxNode[] = [];
  const field = cursor.currentFieldId;
  const node: SyntaxNode = {
    type: cursor.nodeType,
    named: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    field: field === 0 ? null : language.fieldNameForId(field),
    missing: cursor.nodeIsMissing,
    children,
  };
  if (depth < maxDepth && cursor.gotoFirstChild()) {
    do children.push(copy(cursor, language, depth + 1));
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return node;
}

function nothing(text: string): SyntaxNode {
  return { type: 'ERROR', named: true, start: 0, end: text.length, field: null, missing: false, children: [] };
}
