import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import type { Tree } from 'web-tree-sitter';
import type { Grammars, Parse, SyntaxNode } from '../core/text/syntax-tree';
import { treeCopier } from './syntax-copy';

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
  const runtime = await startRuntime(locate(grammarFiles.runtime));
  const load = async (file: string): Promise<Parse> =>
    parserOf(await Language.load(new Uint8Array(await readFile(locate(file)))), runtime);
  const [bash, python] = await Promise.all([load(grammarFiles.bash), load(grammarFiles.python)]);
  return { bash, python };
}

/** `loadGrammars` when first asked for, and once. */
export function onceGrammars(locate: (file: string) => string): () => Promise<Grammars> {
  let loaded: Promise<Grammars> | null = null;
  return () => (loaded ??= loadGrammars(locate));
}

let started: object | null = null;

/** The object is what the library makes its functions part of; it does so once in a process. */
async function startRuntime(file: string): Promise<object> {
  const runtime = { wasmBinary: await readFile(file) };
  started ??= runtime;
  await Parser.init(runtime);
  return started;
}

function parserOf(language: Language, runtime: object): Parse {
  const parser = new Parser();
  parser.setLanguage(language);
  const copy = treeCopier(runtime, language, maxDepth);
  return (text) => {
    const tree = parseInTime(parser, text);
    if (tree === null) return nothing(text);
    try {
      return copy(tree);
    } finally {
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

function nothing(text: string): SyntaxNode {
  return { type: 'ERROR', named: true, start: 0, end: text.length, field: null, missing: false, children: [] };
}
