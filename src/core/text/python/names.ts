import type { SyntaxNode } from '../syntax-tree';
import type { Binding, Block } from './module';
import { dottedName } from './nodes';

/** What a name is bound to as seen from a block: Python looks in functions around it, but in no class around it. */
export function lookUp(name: string, from: Block): readonly Binding[] {
  for (let scope: Block | null = from, inside = false; scope !== null; scope = scope.parent) {
    if (scope.names === null) continue;
    const found = scope.kind === 'class' && inside ? undefined : scope.names.get(name);
    if (found !== undefined) return found;
    if (scope.kind !== 'comprehension') inside = true;
  }
  return [];
}

/** `importedAs` gives the full name of what the binding of an import stands for, by its node. */
export function qualify(
  expression: SyntaxNode,
  block: Block,
  text: string,
  importedAs: ReadonlyMap<SyntaxNode, string>,
): string | null {
  const dotted = dottedName(expression, text);
  if (dotted === null) return null;
  const dot = dotted.indexOf('.');
  const first = dot === -1 ? dotted : dotted.slice(0, dot);
  const found = lookUp(first, block);
  if (found.length === 0) return dotted;
  for (const { kind, node } of found) {
    const whole = kind === 'import' ? importedAs.get(node) : undefined;
    if (whole !== undefined) return whole + dotted.slice(first.length);
  }
  return found.every(({ kind }) => kind === 'function' || kind === 'class') ? dotted : null;
}

/** The block among `blocks`, which are in the order of their beginnings, that a stretch of text lies in. */
export function blockAround(blocks: readonly Block[], start: number, end: number): Block {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((blocks[middle]?.start ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  let block = blocks[low];
  if (block === undefined) throw new RangeError('a module has a block');
  while (block.parent !== null && block.end < end) block = block.parent;
  return block;
}
