import { normalPath } from '../names';
import type { ShellCommand, ShellWord, ShellWrite } from '../script';
import { unescapeAnsi } from '../unquote';
import type { Written } from './flow';
import type { Runner } from './runner';
import { evaluate, known, unknown } from './state';
import type { State, Value } from './state';

export function absolute(path: string, folder: string | null): string | null {
  if (path.startsWith('/')) return normalPath(path);
  return folder === null ? null : normalPath(`${folder}/${path}`);
}

/** The state after everything that a command is seen to write. */
export function withWrites(runner: Runner, command: ShellCommand, state: State): State {
  let after = state;
  for (const write of command.writes)
    after = withWrite(runner, write, contentOf(write, command, state), command, after);
  return after;
}

function contentOf(write: ShellWrite, command: ShellCommand, state: State): Value {
  if (write.stderrOnly) return known('');
  // Where a variable takes part, the reader's constant holds on some ways only; this way knows better.
  const varies = command.words.some(({ variables }) => variables.length > 0);
  if (write.content !== null && !varies) return known(write.content);
  const from = command.program === null ? [] : [command];
  if (write.via === 'touch') return known('');
  if (write.via === 'tee') return state.piped ?? { ...unknown, from };
  const descriptor = command.redirects.find((redirect) => redirect.target === write.path)?.descriptor ?? 1;
  const printed = write.via === 'redirect' && descriptor === 1 ? printedValue(command, state) : null;
  return printed ?? (write.content === null ? { ...unknown, from } : known(write.content));
}

function withWrite(runner: Runner, write: ShellWrite, value: Value, command: ShellCommand | null, state: State): State {
  const text = write.via === 'redirect' || write.via === 'tee' ? evaluate(write.path, state).text : write.file;
  const path = text === null ? null : absolute(text, state.folder);
  if (path === null) {
    const prefix = text ?? write.path.prefix;
    // A path that begins with a variable may lead anywhere.
    const might = runner.questions.watched.some((watched) => watched.startsWith(prefix)) || !prefix.startsWith('/');
    const named = text !== null && !runner.questions.watched.some((watched) => watched.endsWith(`/${text}`));
    return might && !named ? { ...state, unsure: true } : state;
  }
  if (!runner.questions.watched.includes(path)) return state;
  const before = state.written.get(path);
  if (write.via === 'touch' && before !== undefined) return state;
  const joined = write.append && before !== undefined ? appended(before.value, value) : value;
  return put(state, path, { value: joined, command, write, ...progress(state) }, !write.append);
}

function progress(state: State): Pick<Written, 'decided' | 'graded'> {
  return { decided: state.decisions.length, graded: state.graded.length };
}

function put(state: State, path: string, written: Written, replaces: boolean): State {
  const cleared = replaces && state.graded.length === 0 ? new Set([...state.cleared, path]) : state.cleared;
  return { ...state, written: new Map([...state.written, [path, written]]), cleared };
}

function appended(before: Value, value: Value): Value {
  const text = before.text === null || value.text === null ? null : before.text + value.text;
  return { text, status: null, from: [...before.from, ...value.from], unset: false };
}

/** Lets the output of what follows go to the file of a compound command's redirection, if it is a watched one. */
export function openSink(
  runner: Runner,
  writes: readonly ShellWrite[],
  state: State,
): { readonly inner: State; readonly path: string | null } {
  let inner = state;
  let path: string | null = null;
  for (const write of writes) {
    const { text } = evaluate(write.path, state);
    const target = text === null ? null : absolute(text, state.folder);
    const before = target === null ? undefined : state.written.get(target);
    inner = withWrite(runner, write, known(''), null, inner);
    if (target === null || write.stderrOnly || !runner.questions.watched.includes(target)) continue;
    if (write.append && before !== undefined)
      inner = { ...inner, written: new Map([...inner.written, [target, before]]) };
    path = target;
  }
  return { inner: path === null ? inner : { ...inner, sink: path }, path };
}

export function closeSink(state: State, outer: string | null, path: string | null): State {
  return path === null ? state : { ...state, sink: outer };
}

const silent: ReadonlySet<string> = new Set(
  'true false : [ [[ (( test set cd export local declare readonly unset trap shift wait exit return break continue mkdir rm touch chmod chown cp mv ln sleep read source . kill'.split(
    ' ',
  ),
);

/** What a command prints goes into the file that its surroundings write. */
export function withOutput(command: ShellCommand, state: State): State {
  const { sink } = state;
  if (sink === null || command.program === null || silent.has(command.program)) return state;
  if (command.redirects.some((redirect) => redirect.operator.startsWith('&>') || isOutput(redirect))) return state;
  const before = state.written.get(sink);
  if (before === undefined) return state;
  const printed = printedValue(command, state) ?? { ...unknown, from: [command] };
  const ends = command.program === 'echo' && !/^-[eE]*n/u.test(command.args[0]?.value ?? '');
  const value = ends ? appended(printed, known('\n')) : printed;
  const written: Written = { ...before, value: appended(before.value, value), command, ...progress(state) };
  return { ...state, written: new Map([...state.written, [sink, written]]) };
}

function isOutput(redirect: ShellCommand['redirects'][number]): boolean {
  return redirect.operator.startsWith('>') && (redirect.descriptor === null || redirect.descriptor === 1);
}

/** What `echo` and `printf` print on a path; null for other programs. */
export function printedValue(command: ShellCommand, state: State): Value | null {
  if (command.program === 'echo') return echoed(command.args, state);
  if (command.program === 'printf') return formatted(command.args, state);
  return null;
}

function echoed(args: readonly ShellWord[], state: State): Value {
  let words = args;
  while (/^-[neE]+$/u.test(words[0]?.value ?? '')) words = words.slice(1);
  const [only, ...more] = words;
  if (only === undefined) return known('');
  return more.length === 0
    ? evaluate(only, state)
    : joined(
        words.map((word) => evaluate(word, state)),
        ' ',
      );
}

function joined(values: readonly Value[], between: string): Value {
  const texts = values.map((value) => value.text);
  return {
    text: texts.includes(null) ? null : texts.join(between),
    status: null,
    from: values.flatMap((value) => value.from),
    unset: false,
  };
}

function formatted(args: readonly ShellWord[], state: State): Value {
  const [format, ...words] = args;
  if (format === undefined || format.value === null) return unknown;
  const values = words.map((word) => evaluate(word, state));
  const [only, ...more] = values;
  if (only !== undefined && more.length === 0 && /^%[sd](?:\\n|\n)?$/u.test(format.value)) return only;
  const pieces = format.value.split(/(%[sd])/u);
  if (pieces.filter((piece) => /^%[sd]$/u.test(piece)).length !== values.length)
    return { ...joined(values, ''), text: null };
  let next = 0;
  const filled = pieces.map((piece) => {
    if (/^%[sd]$/u.test(piece)) return values[next++] ?? unknown;
    const text = piece.includes('%') ? null : unescapeAnsi(piece);
    return text === null ? unknown : known(text);
  });
  return joined(filled, '');
}
