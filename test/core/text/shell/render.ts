import type { ShellCommand, ShellNode, ShellScript, ShellWord } from '../../../../src/core/text/shell/script';

/** The script as indented lines, for tests to compare with. */
export function render(script: ShellScript): string {
  return script.body.flatMap((node) => lines(node, 0)).join('\n');
}

function lines(node: ShellNode, depth: number): string[] {
  const pad = '  '.repeat(depth);
  const block = (nodes: readonly ShellNode[]): string[] => nodes.flatMap((inner) => lines(inner, depth + 1));
  const tail =
    'redirects' in node
      ? node.redirects.map((redirect) => ` ${redirect.operator}${redirect.target.text}`).join('')
      : '';
  switch (node.kind) {
    case 'command':
      return [pad + renderCommand(node.command)];
    case 'list':
      return [`${pad}${node.operator}`, ...block([node.left, node.right])];
    case 'pipeline':
      return [`${pad}pipe`, ...block(node.stages)];
    case 'not':
    case 'background':
      return [pad + node.kind, ...block([node.body])];
    case 'group':
    case 'subshell':
      return [pad + node.kind + tail, ...block(node.body)];
    case 'if':
      return [
        ...node.branches.flatMap(({ condition, body }, i) => [
          `${pad}${i === 0 ? 'if' : 'elif'}${tail}`,
          ...block(condition),
          `${pad}then`,
          ...block(body),
        ]),
        ...(node.otherwise === null ? [] : [`${pad}else`, ...block(node.otherwise)]),
      ];
    case 'loop':
      return [
        `${pad}${node.word} ${node.variable ?? ''} ${node.items.map(renderWord).join(' ')}${tail}`,
        ...block(node.condition),
        `${pad}do`,
        ...block(node.body),
      ];
    case 'case':
      return [
        `${pad}case ${node.subject === null ? '' : renderWord(node.subject)}${tail}`,
        ...node.arms.flatMap((arm) => [`${pad}${arm.patterns.map(renderWord).join(' | ')})`, ...block(arm.body)]),
      ];
    case 'function':
      return [`${pad}function ${node.name}`, ...block([node.body])];
    case 'unknown':
      return [`${pad}unknown`];
  }
}

export function renderWord(word: ShellWord): string {
  return word.value === null ? `<${word.prefix}…>` : JSON.stringify(word.value).slice(1, -1) || "''";
}

export function renderCommand(command: ShellCommand): string {
  return [
    ...command.wrappers.map((wrapper) => `(${wrapper.words.map((word) => word.text).join(' ')})`),
    ...command.assignments.map((set) => `${set.name}=${set.value === null ? '' : renderWord(set.value)}`),
    ...(command.programWord === null ? [] : [command.program ?? '?']),
    ...command.args.map(renderWord),
    ...command.redirects.map((r) => `${r.descriptor ?? ''}${r.operator}${renderWord(r.target)}`),
    ...command.heredocs.map((h) => `<<${h.delimiter}:${h.use}`),
  ].join(' ');
}
