import type { ShellCommand, ShellOptions, ShellScript, ShellWord, WordPart } from '../script';
import type { Decision, Written } from './flow';
import { commandsIn } from './walk';

/** What a word stands for on one path. */
export interface Value {
  /** null when unknown. */
  readonly text: string | null;
  /** It is the exit status of something. */
  readonly status: Status | null;
  /** The commands that it comes from: whose output or status it is. */
  readonly from: readonly ShellCommand[];
  /** Might it be empty because nothing sets it? */
  readonly unset: boolean;
}

export type Status =
  | { readonly kind: 'known'; readonly success: boolean; readonly code: number | null }
  | { readonly kind: 'command'; readonly command: ShellCommand; readonly negated: boolean }
  /** Success only when all succeeded: a pipeline with `pipefail`. */
  | { readonly kind: 'all'; readonly commands: readonly ShellCommand[]; readonly negated: boolean }
  /** Success tells that the command failed, failure tells nothing: `[ $? -eq 1 ]`. */
  | { readonly kind: 'failed'; readonly command: ShellCommand; readonly by: ShellCommand }
  /** Decided by a test or a program of which nothing more is known. */
  | { readonly kind: 'open'; readonly by: ShellCommand | null; readonly about: readonly ShellCommand[] };

/** Characters; a longer value is not followed. */
const maxText = 20_000;

export const success: Status = { kind: 'known', success: true, code: 0 };
export const failure: Status = { kind: 'known', success: false, code: null };

/** Where one path stands. Never changed in place: every step makes a new one. */
export interface State {
  readonly variables: ReadonlyMap<string, Value>;
  /** Names that the script sets somewhere: one that a path has not set yet is empty on it. */
  readonly settable: ReadonlySet<string>;
  readonly status: Status;
  /** Of the stages of the last pipeline, for `PIPESTATUS`. */
  readonly stages: readonly Status[];
  readonly options: ShellOptions;
  /** What runs at the exit of the script. */
  readonly trap: ShellScript | null;
  readonly written: ReadonlyMap<string, Written>;
  readonly cleared: ReadonlySet<string>;
  readonly unsure: boolean;
  readonly decisions: readonly Decision[];
  /** How commands ended, as far as this path knows. */
  readonly outcomes: ReadonlyMap<ShellCommand, boolean>;
  readonly graded: readonly ShellCommand[];
  readonly folder: string | null;
  /** The watched file that output goes to. */
  readonly sink: string | null;
  /** What comes out of the command before in the pipeline. */
  readonly piped: Value | null;
  readonly last: ShellCommand | null;
  readonly jump: 'return' | 'break' | null;
}

export function known(text: string): Value {
  return { text, status: null, from: [], unset: false };
}

export const unknown: Value = { text: null, status: null, from: [], unset: false };

/** The value of a word where the path stands. */
export function evaluate(word: ShellWord, state: State): Value {
  const [only, ...more] = word.parts;
  if (only === undefined) return word.value === null ? unknown : known(word.value);
  if (more.length === 0) return partValue(only, word, state);
  let text: string | null = '';
  const from: ShellCommand[] = [];
  for (const part of word.parts) {
    const value = partValue(part, word, state);
    from.push(...value.from);
    text = text === null || value.text === null || text.length > maxText ? null : text + value.text;
  }
  // Variables of the surroundings, such as `$HOME`, are known to the reader only.
  if (text === null && word.value !== null && word.variables.every((name) => !state.variables.has(name)))
    text = word.value;
  return { text, status: null, from, unset: false };
}

function partValue(part: WordPart, word: ShellWord, state: State): Value {
  switch (part.kind) {
    case 'text':
      return known(part.value);
    case 'variable': {
      if (part.name === '?') return statusValue(state.status, state);
      if (part.name.startsWith('PIPESTATUS')) {
        const index = /\[(\d+)\]$/u.exec(part.name)?.[1];
        const status = index === undefined ? undefined : state.stages[Number(index)];
        return status === undefined ? unknown : statusValue(status, state);
      }
      const value = state.variables.get(part.name);
      if (value !== undefined && value.status !== null) return statusValue(value.status, state);
      if (value !== undefined && !(value.text === '' && part.fallback !== null)) return value;
      if (part.fallback !== null) return evaluate(part.fallback, state);
      if (state.settable.has(part.name)) return { text: '', status: null, from: [], unset: true };
      if (word.parts.length === 1 && word.value !== null) return known(word.value);
      return { ...unknown, unset: true };
    }
    case 'substitution': {
      if (word.parts.length === 1 && word.value !== null) return known(word.value);
      const from = word.substitutions.flatMap((substitution) => commandsIn(substitution.body));
      return { text: null, status: null, from, unset: false };
    }
    case 'unknown': {
      const from = word.substitutions.flatMap((substitution) => commandsIn(substitution.body));
      for (const name of word.variables) {
        if (name === '?') from.push(...commandsOf(state.status));
        from.push(...(state.variables.get(name)?.from ?? []));
      }
      return { text: null, status: null, from, unset: false };
    }
  }
}

function statusValue(status: Status, state: State): Value {
  const resolved = resolve(status, state);
  const from = commandsOf(status);
  if (resolved === true) return { text: '0', status, from, unset: false };
  if (status.kind === 'known')
    return { text: status.code === null ? null : String(status.code), status, from, unset: false };
  return { text: null, status, from, unset: false };
}

export function commandsOf(status: Status): ShellCommand[] {
  switch (status.kind) {
    case 'known':
      return [];
    case 'command':
    case 'failed':
      return [status.command];
    case 'all':
      return [...status.commands];
    case 'open':
      return [...(status.by === null ? [] : [status.by]), ...status.about];
  }
}

/** Success or failure, where the path knows it already. */
export function resolve(status: Status, state: State): boolean | null {
  switch (status.kind) {
    case 'known':
      return status.success;
    case 'command': {
      const outcome = state.outcomes.get(status.command);
      return outcome === undefined ? null : outcome !== status.negated;
    }
    case 'all': {
      const outcomes = status.commands.map((command) => state.outcomes.get(command));
      if (outcomes.includes(false)) return status.negated;
      return outcomes.every((outcome) => outcome === true) ? !status.negated : null;
    }
    case 'failed':
      return state.outcomes.get(status.command) === true ? false : null;
    case 'open':
      return null;
  }
}

export function negate(status: Status): Status {
  switch (status.kind) {
    case 'known':
      return { kind: 'known', success: !status.success, code: status.success ? 1 : 0 };
    case 'command':
    case 'all':
      return { ...status, negated: !status.negated };
    case 'failed':
      return { kind: 'open', by: status.by, about: [status.command] };
    case 'open':
      return status;
  }
}
