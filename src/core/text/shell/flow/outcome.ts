import type { ShellCommand, ShellNode } from '../script';
import type { FlowQuestions } from './flow';
import type { State, Status, Value } from './state';
import { failure, success } from './state';
import { commandsIn } from './walk';
import { printedValue } from './writing';

export function pipelineStatus(statuses: readonly Status[], state: State, questions: FlowQuestions): Status {
  const last = statuses.at(-1) ?? success;
  if (state.options.pipefail === false || statuses.length < 2) return last;
  const commands = statuses.flatMap((status) => (status.kind === 'command' && !status.negated ? [status.command] : []));
  if (state.options.pipefail === 'unknown')
    return commands.some(questions.grades) ? { kind: 'open', by: null, about: commands } : last;
  if (statuses.some((status) => status.kind === 'known' && !status.success)) return failure;
  if (commands.length < statuses.filter((status) => status.kind !== 'known').length)
    return { kind: 'open', by: null, about: commands };
  return commands.length === 0 ? success : { kind: 'all', commands, negated: false };
}

export function armStatus(
  patterns: Extract<ShellNode, { kind: 'case' }>['arms'][number]['patterns'],
  subject: Value,
  arms: Extract<ShellNode, { kind: 'case' }>['arms'],
): Status {
  const texts = patterns.map((pattern) => pattern.value);
  if (texts.includes('*')) return success;
  if (subject.status?.kind === 'command' && texts.length === 1 && texts[0] === '0') return subject.status;
  if (
    subject.text !== null &&
    arms.every((arm) => arm.patterns.every(({ pattern, value }) => value === '*' || !pattern))
  )
    return texts.includes(subject.text) ? success : failure;
  return { kind: 'open', by: null, about: subject.from };
}

/** What a stage of a pipeline hands to the next one. */
export function printedBy(stage: ShellNode | undefined, state: State): Value | null {
  if (stage === undefined) return null;
  if (stage.kind === 'command' && stage.command.redirects.length === 0) {
    const value = printedValue(stage.command, state);
    if (value !== null) return value;
  }
  return { text: null, status: null, from: commandsIn([stage]), unset: false };
}

/** A loop's condition is asked again and again: what it found once does not hold afterwards. */
export function openStatus(status: Status): Status {
  return status.kind === 'known' ? { kind: 'open', by: null, about: [] } : status;
}

export function lastCommand(nodes: readonly ShellNode[]): ShellCommand | null {
  return commandsIn(nodes).at(-1) ?? null;
}
