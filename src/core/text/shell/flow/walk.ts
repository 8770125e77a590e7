import type { ShellCommand, ShellNode } from '../script';

/** Every command below these statements, functions apart, in their order. */
export function commandsIn(nodes: readonly ShellNode[]): ShellCommand[] {
  const found: ShellCommand[] = [];
  eachCommand(nodes, (command) => found.push(command));
  return found;
}

export function eachCommand(nodes: readonly ShellNode[], visit: (command: ShellCommand) => void): void {
  for (const node of nodes) {
    switch (node.kind) {
      case 'command':
        visit(node.command);
        for (const word of [...node.command.words, ...node.command.assignments.flatMap(({ value }) => value ?? [])])
          for (const substitution of word.substitutions) eachCommand(substitution.body, visit);
        break;
      case 'list':
        eachCommand([node.left, node.right], visit);
        break;
      case 'pipeline':
        eachCommand(node.stages, visit);
        break;
      case 'not':
      case 'background':
        eachCommand([node.body], visit);
        break;
      case 'group':
      case 'subshell':
        eachCommand(node.body, visit);
        break;
      case 'if':
        for (const branch of node.branches) eachCommand([...branch.condition, ...branch.body], visit);
        eachCommand(node.otherwise ?? [], visit);
        break;
      case 'loop':
        eachCommand([...node.condition, ...node.body], visit);
        break;
      case 'case':
        for (const arm of node.arms) eachCommand(arm.body, visit);
        break;
      case 'function':
      case 'unknown':
        break;
    }
  }
}
