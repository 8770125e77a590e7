import { commandsIn } from '../../text/shell/flow/walk';
import type { ShellCommand, ShellNode, ShellScript } from '../../text/shell/script';
import { eachNode } from './siblings';

/** The commands that the innermost condition around a command asks: of an `if`, or left of `&&` and `||`. */
export function guardsOf(script: ShellScript, command: ShellCommand): readonly ShellCommand[] {
  let guards: readonly ShellCommand[] = [];
  const holds = (node: ShellNode): boolean => node.start <= command.start && command.end <= node.end;
  // Outer nodes come first, so that the innermost one is kept.
  eachNode(script, (node) => {
    if (node.kind === 'list' && holds(node.right)) guards = commandsIn([node.left]);
    if (node.kind !== 'if' || !holds(node)) return;
    const branch = node.branches.find(({ body }) => body.some(holds));
    if (branch !== undefined) guards = commandsIn(branch.condition);
    else if (node.otherwise?.some(holds) === true)
      guards = node.branches.flatMap(({ condition }) => commandsIn(condition));
  });
  return guards;
}
