import type { ShellCommand, ShellWord } from '../script';
import { evaluate, failure, negate, success } from './state';
import type { State, Status, Value } from './state';

/** What `[ … ]`, `[[ … ]]`, `((…))` or `test …` finds out on one path. */
export function testStatus(command: ShellCommand, state: State, written: (path: string) => boolean | null): Status {
  const words = command.args;
  if (command.program === '((') return arithmetic(command, words, state);
  return condition(command, words, state, written);
}

function condition(
  command: ShellCommand,
  words: readonly ShellWord[],
  state: State,
  written: (path: string) => boolean | null,
): Status {
  const [first, second, third] = words;
  if (first === undefined) return failure;
  if (first.text === '!') return negate(condition(command, words.slice(1), state, written));
  if (words.length === 1) {
    const { text } = evaluate(first, state);
    return text === null ? open(command, words, state) : text === '' ? failure : success;
  }
  if (words.length === 2 && second !== undefined) {
    const value = evaluate(second, state);
    if (first.text === '-z' || first.text === '-n') {
      if (value.text === null) return open(command, words, state);
      return (value.text === '') === (first.text === '-z') ? success : failure;
    }
    if (/^-[efs]$/u.test(first.text) && value.text !== null) {
      const there = written(value.text);
      if (there !== null) return there ? success : failure;
    }
    return open(command, words, state);
  }
  if (words.length === 3 && second !== undefined && third !== undefined) {
    return compared(command, evaluate(first, state), second.text, evaluate(third, state), words, state);
  }
  return open(command, words, state);
}

function arithmetic(command: ShellCommand, words: readonly ShellWord[], state: State): Status {
  const [first, second, third] = words;
  if (first === undefined) return failure;
  if (words.length === 1) return compared(command, evaluate(first, state), '!=', zero, words, state);
  if (first.text === '!' && second !== undefined && words.length === 2)
    return compared(command, evaluate(second, state), '==', zero, words, state);
  if (words.length === 3 && second !== undefined && third !== undefined)
    return compared(command, evaluate(first, state), second.text, evaluate(third, state), words, state);
  return open(command, words, state);
}

const zero: Value = { text: '0', status: null, from: [], unset: false };

const operators: Readonly<Record<string, string>> = {
  '-eq': '==',
  '=': '==',
  '==': '==',
  '-ne': '!=',
  '!=': '!=',
  '-gt': '>',
  '>': '>',
  '-ge': '>=',
  '>=': '>=',
  '-lt': '<',
  '<': '<',
  '-le': '<=',
  '<=': '<=',
};

function compared(
  command: ShellCommand,
  left: Value,
  written: string,
  right: Value,
  words: readonly ShellWord[],
  state: State,
): Status {
  const operator = Object.hasOwn(operators, written) ? operators[written] : undefined;
  if (operator === undefined) return open(command, words, state);
  if (left.text !== null && right.text !== null) return constants(left.text, operator, right.text);
  if (left.status !== null && right.text !== null) return againstStatus(command, left.status, operator, right.text);
  if (right.status !== null && left.text !== null && (operator === '==' || operator === '!='))
    return againstStatus(command, right.status, operator, left.text);
  return open(command, words, state);
}

function constants(left: string, operator: string, right: string): Status {
  const answer = ((): boolean => {
    switch (operator) {
      case '==':
        return left.trim() === right.trim();
      case '!=':
        return left.trim() !== right.trim();
      case '>':
        return Number(left) > Number(right);
      case '>=':
        return Number(left) >= Number(right);
      case '<':
        return Number(left) < Number(right);
      default:
        return Number(left) <= Number(right);
    }
  })();
  return answer ? success : failure;
}

function againstStatus(command: ShellCommand, status: Status, operator: string, text: string): Status {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isZero = status;
  if (number === 0 && (operator === '==' || operator === '<=')) return isZero;
  if (number === 0 && (operator === '!=' || operator === '>')) return negate(isZero);
  if (number === 1 && operator === '<') return isZero;
  if (number === 1 && operator === '>=') return negate(isZero);
  if (number > 0 && status.kind === 'command' && !status.negated && /^(?:==|>=?)$/u.test(operator))
    return { kind: 'failed', command: status.command, by: command };
  return { kind: 'open', by: command, about: status.kind === 'command' ? [status.command] : [] };
}

function open(command: ShellCommand, words: readonly ShellWord[], state: State): Status {
  return { kind: 'open', by: command, about: words.flatMap((word) => [...evaluate(word, state).from]) };
}
