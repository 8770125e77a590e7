import type { SyntaxNode } from '../syntax-tree';

/** Short ways through a tree of tree-sitter's Python grammar; each holds for broken trees too. */

export function field(node: SyntaxNode, name: string): SyntaxNode | null {
  for (const child of node.children) if (child.field === name) return child;
  return null;
}

export function fields(node: SyntaxNode, name: string): readonly SyntaxNode[] {
  return node.children.filter((child) => child.field === name);
}

export function childOf(node: SyntaxNode, type: string): SyntaxNode | null {
  for (const child of node.children) if (child.type === type) return child;
  return null;
}

/** The children that are neither punctuation, keywords nor comments. */
export function parts(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.filter((child) => child.named && child.type !== 'comment');
}

export function firstPart(node: SyntaxNode): SyntaxNode | null {
  for (const child of node.children) if (child.named && child.type !== 'comment') return child;
  return null;
}

export function hasToken(node: SyntaxNode, token: string): boolean {
  return node.children.some((child) => child.type === token);
}

/** What stands inside any number of brackets. */
export function bare(node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (inner.type === 'parenthesized_expression') {
    const next = firstPart(inner);
    if (next === null) return inner;
    inner = next;
  }
  return inner;
}

/** The statements of a body. */
export function statementsOf(body: SyntaxNode | null): readonly SyntaxNode[] {
  return body === null ? [] : parts(body);
}

/** Every node below and including `node` for which `visit` does not return false, in the order of the text. */
export function eachNode(node: SyntaxNode, visit: (node: SyntaxNode) => boolean | undefined): void {
  if (visit(node) === false) return;
  for (const child of node.children) eachNode(child, visit);
}

/** `a.b.c` where an expression is such a chain of names; null otherwise. */
export function dottedName(node: SyntaxNode, text: string): string | null {
  if (node.type === 'identifier') return text.slice(node.start, node.end);
  if (node.type !== 'attribute') return null;
  const object = field(node, 'object');
  const attribute = field(node, 'attribute');
  if (object === null || attribute === null) return null;
  const before = dottedName(object, text);
  return before === null ? null : `${before}.${text.slice(attribute.start, attribute.end)}`;
}
