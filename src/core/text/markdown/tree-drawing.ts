import { hasExtension, joined } from './path-shape';
import type { Word } from './words';

export interface DrawnPath {
  readonly word: Word;
  /** Absolute. */
  readonly path: string;
  readonly folder: boolean;
}

/**
 * The paths of a drawn folder tree, below its first line or `above`; null when the text is no such drawing, empty when
 * nothing says where its root is.
 */
export function drawnPaths(text: string, offset: number, above: string | null): readonly DrawnPath[] | null {
  if (!/[├└]|[|`+]--/u.test(text)) return null;
  const lines = text.split('\n').slice(0, 300);
  if (lines.filter((line) => /[├└]\s?─|[|`+]--\s?\w/u.test(line)).length < 1) return null;
  const drawn: DrawnPath[] = [];
  let root = above;
  /** Open folders, each with the column where its children's names begin to be deeper. */
  const open: { readonly column: number; readonly path: string }[] = [];
  let at = offset;
  for (const line of lines) {
    const start = at;
    at += line.length + 1;
    const name = drawnName(line);
    if (name === null) {
      const bare = /^\s*([^\s#]+)/u.exec(line)?.[1];
      if (bare === undefined) continue;
      open.length = 0;
      if (bare.startsWith('/')) root = bare.replace(/(.)\/+$/u, '$1');
      else if (root !== null && bare.endsWith('/') && bare !== './' && !root.endsWith(`/${bare.slice(0, -1)}`))
        root = joined(root, bare);
      continue;
    }
    if (root === null) continue;
    while ((open.at(-1)?.column ?? -1) >= name.column) open.pop();
    const path = joined(open.at(-1)?.path ?? root, name.text);
    const folder = name.text.endsWith('/') || !hasExtension(name.text);
    drawn.push({
      word: { start: start + name.column, end: start + name.column + name.text.length, text: name.text },
      path,
      folder: name.text.endsWith('/'),
    });
    if (folder) open.push({ column: name.column, path });
  }
  return drawn;
}

function drawnName(line: string): { readonly text: string; readonly column: number } | null {
  const sign = /[├└|`+]\s?(?:─+|-{2,}|━+)\s?/u.exec(line.slice(0, 300));
  if (sign === null || !/^[\s│|\u00A0]*$/u.test(line.slice(0, sign.index))) return null;
  const column = sign.index + sign[0].length;
  const text = /^[^\s#]+/u.exec(line.slice(column))?.[0];
  return text === undefined ? null : { text, column };
}
