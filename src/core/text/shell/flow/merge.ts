import type { ShellCommand } from '../script';
import type { FlowQuestions } from './flow';
import type { State, Status, Value } from './state';

/** Makes a function that leaves one of the states that cannot be told apart any more. */
export function createMerge(questions: FlowQuestions): (states: readonly State[]) => State[] {
  const numbers = new Map<ShellCommand, number>();
  const numberOf: NumberOf = (command) => {
    const number = numbers.get(command) ?? numbers.size;
    numbers.set(command, number);
    return number;
  };
  return (states) => {
    // Comparing costs more than following a handful of states twice.
    if (states.length < 5) return [...states];
    const kept = new Map<string, State>();
    for (const state of states) {
      const key = keyOf(state, questions, numberOf);
      if (!kept.has(key)) kept.set(key, state);
    }
    return [...kept.values()];
  };
}

type NumberOf = (command: ShellCommand) => number;

function keyOf(state: State, questions: FlowQuestions, numberOf: NumberOf): string {
  const parts: unknown[] = [
    [...state.variables].map(([name, value]) => [name, valueKey(value, numberOf)]).sort(),
    statusKey(state.status, numberOf),
    state.options,
    state.trap?.base ?? -1,
    [...state.written].map(([path, written]) => [
      path,
      written.write.start,
      valueKey(written.value, numberOf),
      written.decided,
    ]),
    [...state.cleared],
    state.unsure,
    state.decisions.map(({ command, succeeded }) => [numberOf(command), succeeded]),
    [...state.outcomes].flatMap(([command, ok]) => (questions.decides(command) ? [[numberOf(command), ok]] : [])),
    state.graded.map(numberOf),
    state.folder,
    state.sink,
    state.jump,
  ];
  return JSON.stringify(parts);
}

function valueKey(value: Value, numberOf: NumberOf): unknown {
  return [
    value.text,
    value.status === null ? 0 : statusKey(value.status, numberOf),
    value.from.map(numberOf),
    value.unset,
  ];
}

function statusKey(status: Status, numberOf: NumberOf): unknown {
  switch (status.kind) {
    case 'known':
      return [status.success, status.code];
    case 'command':
      return [numberOf(status.command), status.negated];
    case 'all':
      return [status.commands.map(numberOf), status.negated];
    case 'failed':
      return ['failed', numberOf(status.command)];
    case 'open':
      return ['open', status.by === null ? 0 : numberOf(status.by), status.about.map(numberOf)];
  }
}
