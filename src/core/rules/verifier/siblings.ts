import type { ShellNode, ShellScript } from '../../text/shell/script';

/** Visits every list of statements of a script: what stands one after the other. */
export function eachSequence(script: ShellScript, visit: (nodes: readonly ShellNode[]) => void): void {
  const sequence = (nodes: readonly ShellNode[]): void => {
    visit(nodes);
    for (const node of nodes) inside(node);
  };
  const inside = (node: ShellNode): void => {
    switch (node.kind) {
      case 'list':
        inside(node.left);
        inside(node.right);
        break;
      case 'pipeline':
        for (const stage of node.stages) inside(stage);
        break;
      case 'not':
      case 'background':
        inside(node.body);
        break;
      case 'function':
        inside(node.body);
        break;
      case 'group':
      case 'subshell':
        sequence(node.body);
        break;
      case 'if':
        for (const branch of node.branches) {
          sequence(branch.condition);
          sequence(branch.body);
        }
        if (node.otherwise !== null) sequence(node.otherwise);
        break;
      case 'loop':
        sequence(node.condition);
        sequence(node.body);
        break;
      case 'case':
        for (const arm of node.arms) sequence(arm.body);
        break;
      case 'command':
      case 'unknown':
        break;
    }
  };
  sequence(script.body);
}

/** Visits every node of a script, a node before those in it. */
export function eachNode(script: ShellScript, visit: (node: ShellNode) => void): void {
  const deeper = (node: ShellNode): void => {
    visit(node);
    if (node.kind === 'list') {
      deeper(node.left);
      deeper(node.right);
    } else if (node.kind === 'pipeline') for (const stage of node.stages) deeper(stage);
    else if (node.kind === 'not' || node.kind === 'background' || node.kind === 'function') deeper(node.body);
  };
  eachSequence(script, (nodes) => {
    for (const node of nodes) deeper(node);
  });
}
