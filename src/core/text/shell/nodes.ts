import type { ShellNode } from './script';

/** Every node of a tree, those in functions and conditions too. Nested scripts and `$(…)` are not in it. */
export function* eachShellNode(body: readonly ShellNode[]): Iterable<ShellNode> {
  const left: ShellNode[] = [...body].reverse();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    yield node;
    left.push(...inside(node).reverse());
  }
}

function inside(node: ShellNode): ShellNode[] {
  switch (node.kind) {
    case 'list':
      return [node.left, node.right];
    case 'pipeline':
      return [...node.stages];
    case 'not':
    case 'background':
    case 'function':
      return [node.body];
    case 'group':
    case 'subshell':
      return [...node.body];
    case 'if':
      return [...node.branches.flatMap(({ condition, body }) => [...condition, ...body]), ...(node.otherwise ?? [])];
    case 'loop':
      return [...node.condition, ...node.body];
    case 'case':
      return node.arms.flatMap(({ body }) => body);
    case 'command':
    case 'unknown':
      return [];
  }
}
