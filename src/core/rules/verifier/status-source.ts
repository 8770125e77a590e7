import type { ShellCommand, ShellNode, ShellScript, ShellWord } from '../../text/shell/script';
import type { TestScript } from './test-scripts';

/** What the status after a statement is that of: the grader's, that of a command which says nothing of it, or of any other. */
export type StatusSource = 'grader' | 'neutral' | 'other';

/** Commands that succeed whatever the grader found. */
const neutral: ReadonlySet<string> = new Set(
  'echo printf : true set export local declare readonly date sleep trap shift unset cd mkdir ls cat rm touch chmod cp'.split(
    ' ',
  ),
);

export function isNeutral(command: ShellCommand): boolean {
  if (command.program === null)
    return (
      command.programWord === null &&
      command.assignments.every(({ value }) => value === null || value.substitutions.length === 0)
    );
  return neutral.has(command.program) && command.wrappers.length === 0;
}

export function statusSource(test: TestScript, node: ShellNode | undefined, depth = 0): StatusSource {
  if (node === undefined || depth > 8) return 'other';
  switch (node.kind) {
    case 'command': {
      const { command } = node;
      if (test.graders.has(command)) return 'grader';
      const body = command.program === null ? undefined : functionOf(test, command.program);
      if (body !== undefined) return statusSource(test, body, depth + 1);
      return isNeutral(command) ? 'neutral' : 'other';
    }
    case 'group':
    case 'subshell':
      if (node.body.some((inner) => leaves(inner))) return 'other';
      return statusSource(test, node.body.at(-1), depth + 1);
    case 'if': {
      const ends = [...node.branches.map(({ body }) => body), ...(node.otherwise === null ? [] : [node.otherwise])];
      const sources = ends.map((body) => statusSource(test, body.at(-1), depth + 1));
      return sources.every((source) => source === 'neutral') ? 'neutral' : 'other';
    }
    case 'pipeline':
    case 'not':
    case 'list':
    case 'loop':
    case 'case':
    case 'background':
    case 'function':
    case 'unknown':
      return 'other';
  }
}

export function functionOf(test: TestScript, name: string): ShellNode | undefined {
  return test.script.functions.get(name);
}

/** `return` or `exit` in the middle: the status may come from there. */
function leaves(node: ShellNode): boolean {
  if (node.kind === 'command') return node.command.program === 'return' || node.command.program === 'exit';
  if (node.kind === 'list') return leaves(node.left) || leaves(node.right);
  if (node.kind === 'if')
    return node.branches.some(({ body }) => body.some(leaves)) || (node.otherwise?.some(leaves) ?? false);
  return false;
}

/** The grader that a statement runs as such, not asking for its result itself. */
export function graderRunBy(test: TestScript, node: ShellNode, depth = 0): ShellCommand | null {
  if (depth > 6) return null;
  switch (node.kind) {
    case 'command': {
      if (test.graders.has(node.command)) return node.command;
      const body = node.command.program === null ? undefined : functionOf(test, node.command.program);
      return body === undefined ? null : graderRunBy(test, body, depth + 1);
    }
    case 'pipeline':
      return node.stages.map((stage) => graderRunBy(test, stage, depth + 1)).find((found) => found !== null) ?? null;
    case 'group':
    case 'subshell':
      return node.body.map((inner) => graderRunBy(test, inner, depth + 1)).find((found) => found !== null) ?? null;
    case 'list':
    case 'not':
    case 'if':
    case 'loop':
    case 'case':
    case 'function':
    case 'background':
    case 'unknown':
      return null;
  }
}

/** The word with `$?` that a statement reads before it runs anything else; null when it does not. */
export function statusRead(node: ShellNode | undefined): ShellWord | null {
  if (node === undefined) return null;
  if (node.kind === 'command') {
    const { command } = node;
    const words = [...command.words, ...command.assignments.flatMap(({ value }) => value ?? [])];
    return words.find((word) => word.variables.includes('?')) ?? null;
  }
  if (node.kind === 'list') return statusRead(node.left);
  if (node.kind === 'if') return statusRead(node.branches[0]?.condition[0]);
  if (node.kind === 'not') return statusRead(node.body);
  if (node.kind === 'group') return statusRead(node.body[0]);
  return node.kind === 'case' && node.subject?.variables.includes('?') === true ? node.subject : null;
}

/** `${PIPESTATUS[0]}` read first thing. */
export function readsStages(node: ShellNode | undefined): boolean {
  if (node === undefined) return false;
  if (node.kind === 'command') {
    const { command } = node;
    const words = [...command.words, ...command.assignments.flatMap(({ value }) => value ?? [])];
    return words.some((word) => word.variables.includes('PIPESTATUS'));
  }
  if (node.kind === 'list') return readsStages(node.left);
  if (node.kind === 'if') return readsStages(node.branches[0]?.condition[0]);
  return false;
}

/** Does the text of a script from here on lead to a reward? Then a status read here is meant to be the grader's. */
export function concernsReward(script: ShellScript, node: ShellNode): boolean {
  const text = script.text.slice(node.start - script.base, node.end - script.base);
  return /reward|\bexit\b|\breturn\b/i.test(text);
}
