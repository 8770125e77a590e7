import { isShell } from '../names';
import type { ShellCommand, ShellNode, ShellScript, ShellWord } from '../script';
import { optionsAfter } from '../switches';
import { withRemovals } from './removing';
import type { Frame, Runner } from './runner';
import { evaluate, failure, known, success, unknown } from './state';
import type { State, Status, Value } from './state';
import { testStatus } from './tests';
import { absolute, withOutput, withWrites } from './writing';
import { commandsIn } from './walk';

const maxCalls = 6;

/** Runs one simple command on one path. */
export function runCommand(runner: Runner, command: ShellCommand, state: State, frame: Frame): State[] {
  const before = graded(runner, command, withSubstitutions(runner, command, { ...state, last: command }));
  if (command.program === null && command.programWord === null)
    return runner.failing([assigned(runner, command, before)], frame, command);
  const { mayWrite } = runner.questions;
  const written = withOutput(command, withWrites(runner, command, before));
  const after = mayWrite(command) ? { ...written, unsure: true } : written;
  if (command.wrappers.some((wrapper) => wrapper.name === 'exec')) {
    runner.end(after, { kind: 'exec', command, code: null }, frame);
    return [];
  }
  if (command.program === null)
    return runner.failing([{ ...after, status: { kind: 'command', command, negated: false } }], frame, command);
  const called = runner.functions.get(command.program);
  if (called !== undefined && command.wrappers.length === 0 && !frame.calls.includes(command.program))
    return runner.failing(call(runner, command, called, after, frame), frame, command);
  return builtIn(runner, command, command.program, after, frame);
}

function builtIn(runner: Runner, command: ShellCommand, program: string, state: State, frame: Frame): State[] {
  const done = (status: Status, more: Partial<State> = {}): State[] =>
    runner.failing([{ ...state, ...more, status }], frame, command);
  switch (program) {
    case ':':
    case 'true':
    case 'echo':
    case 'printf':
    case 'shift':
      return done(success);
    case 'false':
      return done(failure);
    case 'set':
      return done(success, { options: optionsAfter(state.options, command) });
    case 'trap':
      return [withTrap(command, state)];
    case 'exit':
      leave(runner, command, state, frame);
      return [];
    case 'return': {
      const status = statusOfArgument(command.args[0], state);
      return [{ ...state, status, jump: 'return' }];
    }
    case 'break':
    case 'continue':
      return [{ ...state, status: success, jump: 'break' }];
    case 'cd': {
      const folder = entered(command, state);
      return done(folder === null ? { kind: 'command', command, negated: false } : success, { folder });
    }
    case 'pushd':
    case 'popd':
      return done({ kind: 'command', command, negated: false }, { folder: null });
    case '[':
    case '[[':
    case '((':
    case 'test':
      return done(testStatus(command, withArithmetic(command, state), (path) => isWritten(runner, path, state)));
    case 'let':
      return done({ kind: 'open', by: command, about: [] }, { variables: forgotten(command.args, state) });
    case 'export':
    case 'local':
    case 'declare':
    case 'readonly':
    case 'typeset':
      return [{ ...assigned(runner, command, state), status: success }];
    case 'unset':
    case 'read':
    case 'mapfile':
    case 'readarray':
      return done({ kind: 'open', by: command, about: [] }, { variables: forgotten(command.args, state) });
    case 'source':
    case '.':
      return sourced(runner, command, state, frame);
    case 'eval':
      if (command.inline === null) return done({ kind: 'command', command, negated: false }, { unsure: true });
      return inlined(runner, command.inline, state, frame);
    case 'wait':
      return done({ kind: 'open', by: command, about: state.graded });
    case 'mkdir':
      return done(
        command.args.some(({ value }) => /^-[a-z]*p/u.test(value ?? ''))
          ? success
          : { kind: 'command', command, negated: false },
      );
    case 'rm':
    case 'unlink':
    case 'shred':
    case 'find':
      return runner.failing(
        [
          {
            ...withRemovals(command, runner.questions.watched, state),
            status: forced(command),
          },
        ],
        frame,
        command,
      );
    default:
      break;
  }
  if (command.inline !== null && (isShell(program) || program === 'su' || program === 'runuser')) {
    const options = { errexit: false, nounset: false, pipefail: false };
    const inner = runner.apart(command.inline.body, { ...state, options }, { ...frame, tested: false });
    if (!command.inline.complete || command.inline.errors.length > 0) runner.complete = false;
    return runner.failing(
      inner.map((after) => ({ ...after, options: state.options })),
      frame,
      command,
    );
  }
  return done({ kind: 'command', command, negated: false });
}

/** `rm -f` succeeds but for a broken disk. */
function forced(command: ShellCommand): Status {
  const { program, args } = command;
  if (program === 'rm' && args.some(({ value }) => /^-[a-zA-Z]*f/u.test(value ?? ''))) return success;
  return { kind: 'command', command, negated: false };
}

function leave(runner: Runner, command: ShellCommand, state: State, frame: Frame): void {
  const status = command.args[0] === undefined ? state.status : statusOfArgument(command.args[0], state);
  const code = status.kind === 'known' ? status.code : null;
  runner.end({ ...state, status }, { kind: 'exit', command, code }, frame);
}

function statusOfArgument(word: ShellWord | undefined, state: State): Status {
  if (word === undefined) return state.status;
  const value = evaluate(word, state);
  if (value.text !== null && /^\d+$/u.test(value.text))
    return { kind: 'known', success: Number(value.text) === 0, code: Number(value.text) };
  return value.status ?? { kind: 'open', by: null, about: value.from };
}

function withTrap(command: ShellCommand, state: State): State {
  const [action, ...signals] = command.args.filter((word) => word.value !== '--');
  const names = signals.map((word) => (word.value ?? '').toUpperCase().replace(/^SIG/u, ''));
  const after = { ...state, status: success };
  if (action === undefined || (action.prefix.startsWith('-') && action.value !== '-')) return after;
  // What a trap on ERR or DEBUG does comes in at any command.
  if (names.includes('ERR') || names.includes('DEBUG')) return { ...after, unsure: true };
  if (!names.includes('EXIT') && !names.includes('0')) return after;
  if (action.value === '-' || action.value === '') return { ...after, trap: null };
  const body = command.trap;
  return body === null ? { ...after, unsure: true } : { ...after, trap: body };
}

function entered(command: ShellCommand, state: State): string | null {
  const target = command.args.find((word) => !/^-[LPe]*$/u.test(word.value ?? ' '));
  if (target === undefined) return null;
  const { text } = evaluate(target, state);
  return text === null || text === '-' ? null : absolute(text, state.folder);
}

/** Does the path know whether a watched file has something in it? */
function isWritten(runner: Runner, path: string, state: State): boolean | null {
  const full = absolute(path, state.folder);
  if (full === null || !runner.questions.watched.includes(full) || state.unsure) return null;
  const written = state.written.get(full);
  if (written === undefined) return false;
  return written.value.text !== '';
}

function sourced(runner: Runner, command: ShellCommand, state: State, frame: Frame): State[] {
  const status: Status = { kind: 'command', command, negated: false };
  if (command.sourced !== null) return inlined(runner, command.sourced, state, frame);
  // The files that installers leave set `PATH` and the like; whatever else is sourced could do anything.
  const name = command.args[0]?.text ?? '';
  const harmless =
    /(?:^|\/)(?:env|activate|nvm\.sh|conda\.sh|os-release|\.?(?:bash_?rc|bash_profile|profile|zshrc))["']?$/u.test(
      name,
    );
  return runner.failing([{ ...state, status, unsure: state.unsure || !harmless }], frame, command);
}

/** Runs the statements of another script as if they stood here; `return` ends only those. */
function inlined(runner: Runner, script: ShellScript, state: State, frame: Frame): State[] {
  if (!script.complete || script.errors.length > 0) runner.complete = false;
  return runner
    .sequence(script.body, [state], frame)
    .map((after) => (after.jump === 'return' ? { ...after, jump: null } : after));
}

function call(runner: Runner, command: ShellCommand, body: ShellNode, state: State, frame: Frame): State[] {
  const name = command.program ?? '';
  if (frame.calls.length >= maxCalls) {
    runner.complete = false;
    return [state];
  }
  const variables = new Map(state.variables);
  for (let i = 1; i <= 9; i++) {
    const word = command.args[i - 1];
    variables.set(String(i), word === undefined ? { ...unknown, text: '' } : evaluate(word, state));
  }
  return runner.node(body, { ...state, variables }, { ...frame, calls: [...frame.calls, name] }).map((after) => {
    const restored = new Map(after.variables);
    for (let i = 1; i <= 9; i++) {
      const outer = state.variables.get(String(i));
      if (outer === undefined) restored.delete(String(i));
      else restored.set(String(i), outer);
    }
    return { ...after, variables: restored, jump: after.jump === 'return' ? null : after.jump };
  });
}

function assigned(runner: Runner, command: ShellCommand, state: State): State {
  const variables = new Map(state.variables);
  let status: Status = success;
  for (const { name, value, empty, appends } of command.assignments) {
    if (value === null) variables.set(name, empty ? known('') : unknown);
    else {
      const next = evaluate(value, { ...state, variables });
      variables.set(name, appends ? added(variables.get(name), next) : next);
      const last = value.substitutions.at(-1);
      if (last !== undefined) status = statusOfBody(last.body);
    }
  }
  const written = withWrites(runner, command, state);
  return { ...written, variables, status };
}

function added(before: Value | undefined, value: Value): Value {
  const text = before === undefined || before.text === null || value.text === null ? null : before.text + value.text;
  return { text, status: null, from: [...(before?.from ?? []), ...value.from], unset: false };
}

/** The status of `x=$(…)`: that of the last command in it. */
function statusOfBody(body: readonly ShellNode[]): Status {
  const last = body.at(-1);
  if (last?.kind === 'command') {
    if (/^(?:echo|printf|true|:)$/u.test(last.command.program ?? '')) return success;
    return { kind: 'command', command: last.command, negated: false };
  }
  const about = commandsIn(body);
  return { kind: 'open', by: about.at(-1) ?? null, about };
}

function forgotten(words: readonly ShellWord[], state: State): State['variables'] {
  const variables = new Map(state.variables);
  for (const word of words) {
    const name = /^[A-Za-z_]\w*/u.exec(word.text)?.[0];
    if (name !== undefined) variables.set(name, unknown);
  }
  return variables;
}

/** `((i++))` sets a variable. */
function withArithmetic(command: ShellCommand, state: State): State {
  if (command.program !== '((' || !command.args.some((word) => /^(?:\+\+|--|[-+*/%]?=)$/u.test(word.text)))
    return state;
  return { ...state, variables: forgotten(command.args, state) };
}

function graded(runner: Runner, command: ShellCommand, state: State): State {
  if (!runner.questions.grades(command)) {
    if (!state.outcomes.has(command)) return state;
    const outcomes = new Map(state.outcomes);
    outcomes.delete(command);
    return { ...state, outcomes };
  }
  const outcomes = new Map(state.outcomes);
  outcomes.delete(command);
  return { ...state, outcomes, graded: [...state.graded, command] };
}

/** What runs in `$(…)`: graders count as run there, and what it may write is not followed further. */
function withSubstitutions(runner: Runner, command: ShellCommand, state: State): State {
  let after = state;
  const words = [
    ...command.words,
    ...command.assignments.flatMap(({ value }) => value ?? []),
    ...command.redirects.map(({ target }) => target),
  ];
  const { watched, mayWrite } = runner.questions;
  const visit = (inner: ShellCommand, depth: number): void => {
    after = graded(runner, inner, after);
    const writes = inner.writes.some(({ path, file }) =>
      watched.some((each) => (file === null ? each.startsWith(path.prefix) : file === each)),
    );
    if (mayWrite(inner) || writes) after = { ...after, unsure: true };
    const body = inner.program === null ? undefined : runner.functions.get(inner.program);
    if (body === undefined || depth >= maxCalls) return;
    for (const each of commandsIn([body])) visit(each, depth + 1);
  };
  for (const word of words)
    for (const substitution of word.substitutions) for (const inner of commandsIn(substitution.body)) visit(inner, 0);
  return after;
}
