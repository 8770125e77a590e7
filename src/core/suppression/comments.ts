import { Lexer } from 'yaml';
import { parseTOML } from 'toml-eslint-parser';
import type { FileReader } from '../model/subject';
import { lastPart } from '../task/snapshot';
import { readDockerfile } from '../text/dockerfile/read-dockerfile';
import { linesOf } from '../text/lines';
import type { Grammars, SyntaxNode } from '../text/syntax-tree';

/** A comment with its sign, as offsets of UTF-16 units. */
export interface Comment {
  readonly start: number;
  readonly end: number;
}

/** How a file writes comments; all of these begin with `#`. */
export type CommentStyle = 'toml' | 'shell' | 'python' | 'dockerfile' | 'yaml' | 'lines';

/** null for a file that has no comments, or whose comments are not known. */
export function commentStyle(path: string, text: string): CommentStyle | null {
  const name = lastPart(path);
  if (/\.toml$/iu.test(name)) return 'toml';
  if (/\.(?:sh|bash)$/iu.test(name)) return 'shell';
  if (/\.pyi?$/iu.test(name)) return 'python';
  if (/\.ya?ml$/iu.test(name)) return 'yaml';
  if (/^Dockerfile(?:\.(?!dockerignore$).*)?$|\.dockerfile$/iu.test(name)) return 'dockerfile';
  if (/^\.(?:docker|git)ignore$|\.dockerignore$|^requirements.*\.txt$/iu.test(name)) return 'lines';
  const first = /^#![^\n]{0,200}/u.exec(text)?.[0] ?? '';
  if (/\b(?:ba|da)?sh\b/u.test(first)) return 'shell';
  return /\bpython/u.test(first) ? 'python' : null;
}

/** Every comment of a text; none where the text cannot be read. */
export function commentsIn(text: string, style: CommentStyle, grammars: Grammars): readonly Comment[] {
  switch (style) {
    case 'toml':
      return tomlComments(text);
    case 'shell':
      return treeComments(grammars.bash(text));
    case 'python':
      return treeComments(grammars.python(text));
    case 'dockerfile':
      return dockerfileComments(text);
    case 'yaml':
      return yamlComments(text);
    case 'lines':
      return lineComments(text, () => true);
  }
}

const readerOf = (style: CommentStyle): FileReader<readonly Comment[]> => ({
  name: `comments-${style}`,
  read: (text, grammars) => commentsIn(text, style, grammars),
});

/** Readers of comments by style, whose results are kept with the text. */
export const commentReaders: Readonly<Record<CommentStyle, FileReader<readonly Comment[]>>> = {
  toml: readerOf('toml'),
  shell: readerOf('shell'),
  python: readerOf('python'),
  dockerfile: readerOf('dockerfile'),
  yaml: readerOf('yaml'),
  lines: readerOf('lines'),
};

function treeComments(root: SyntaxNode): readonly Comment[] {
  const found: Comment[] = [];
  const stack: SyntaxNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'comment') found.push({ start: node.start, end: node.end });
    else stack.push(...node.children);
  }
  return found.sort((a, b) => a.start - b.start);
}

function tomlComments(text: string): readonly Comment[] {
  try {
    const { comments } = parseTOML(text, { tomlVersion: '1.0' });
    return comments.map(({ range: [start, end] }) => ({ start, end }));
  } catch {
    return [];
  }
}

function yamlComments(text: string): readonly Comment[] {
  const found: Comment[] = [];
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    // Marks that the lexer puts in; a text that holds them itself would move the places.
    if (token === '\u0002' || token === '\u0018' || token === '\u001f') continue;
    if (token.startsWith('#')) found.push({ start: at, end: at + token.length });
    at += token.length;
  }
  return found.filter(({ start, end }) => text.slice(start, end).startsWith('#'));
}

function dockerfileComments(text: string): readonly Comment[] {
  const taken = new Set<number>();
  for (const { line, endLine } of readDockerfile(text).instructions) {
    for (let at = line; at <= endLine; at++) taken.add(at);
  }
  return lineComments(text, (line) => !taken.has(line));
}

function lineComments(text: string, isOutside: (line: number) => boolean): readonly Comment[] {
  const lines = linesOf(text);
  const found: Comment[] = [];
  for (let at = 0; at < lines.count; at++) {
    const line = lines.line(at);
    const indent = line.length - line.trimStart().length;
    if (line[indent] !== '#' || !isOutside(at)) continue;
    found.push({ start: lines.start(at) + indent, end: lines.start(at) + line.length });
  }
  return found;
}
