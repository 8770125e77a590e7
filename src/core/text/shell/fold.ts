import { baseName, folderName, normalPath } from './names';
import type { ShellCommand, ShellNode } from './script';

/** What a `$(…)` prints, for the few commands that scripts find their own folder with; null when unknown. */
export function foldSubstitution(body: readonly ShellNode[]): string | null {
  const [only, ...more] = body;
  if (only === undefined || more.length > 0) return null;
  if (only.kind === 'list') return foldEnteredFolder(only);
  if (only.kind !== 'command' || only.command.writes.length > 0 || only.command.wrappers.length > 0) return null;
  const { program } = only.command;
  const words = constantArguments(only.command);
  if (words === null) return null;
  const path = words.find((word) => !word.startsWith('-'));
  switch (program ?? '') {
    case 'dirname':
      return path === undefined ? null : folderName(path);
    case 'basename':
      return path === undefined || words.length > 1 ? null : baseName(path);
    case 'readlink':
    case 'realpath':
      return path?.startsWith('/') === true ? normalPath(path) : null;
    case 'echo':
      return words.some((word) => word.startsWith('-') || word.includes('\\')) ? null : words.join(' ');
    default:
      return null;
  }
}

/** `cd "$(dirname "$0")" && pwd`. */
function foldEnteredFolder(list: Extract<ShellNode, { kind: 'list' }>): string | null {
  if (list.operator !== '&&' || list.left.kind !== 'command' || list.right.kind !== 'command') return null;
  const { left, right } = list;
  if (left.command.program !== 'cd' || right.command.program !== 'pwd') return null;
  const path = constantArguments(left.command)?.find((word) => !word.startsWith('-'));
  return path?.startsWith('/') === true ? normalPath(path) : null;
}

function constantArguments(command: ShellCommand): string[] | null {
  const values: string[] = [];
  for (const word of command.args) {
    if (word.value === null || word.pattern) return null;
    values.push(word.value);
  }
  return values;
}
