import type { ShellCommand, ShellWord } from '../script';
import { evaluate } from './state';
import type { State } from './state';
import { absolute } from './writing';

/** The state after `rm` and `find … -delete`: watched files that they name are gone. */
export function withRemovals(command: ShellCommand, watched: readonly string[], state: State): State {
  const gone = watched.filter((path) => removedBy(command, path, state));
  if (gone.length === 0) return state;
  const written = new Map(state.written);
  for (const path of gone) written.delete(path);
  const cleared = state.graded.length === 0 ? new Set([...state.cleared, ...gone]) : state.cleared;
  return { ...state, written, cleared };
}

function removedBy(command: ShellCommand, path: string, state: State): boolean {
  const { program, args } = command;
  if (program === 'find') {
    const [folder] = args;
    const deletes = args.some((word) => word.value === '-delete' || word.value === 'rm');
    const limited = args.some((word) => /^-i?(?:name|path|regex)$|^-(?:type|newer)/u.test(word.value ?? ''));
    return deletes && folder !== undefined && !limited && within(path, evaluate(folder, state).text, state);
  }
  if (program !== 'rm' && program !== 'unlink' && program !== 'shred') return false;
  const folders = args.some((word) => /^-[a-zA-Z]*[rR]|^--recursive$/u.test(word.value ?? ''));
  return args.some((word) =>
    namesOf(word, state).some((name) => {
      const full = absolute(name, state.folder);
      if (full === null) return false;
      return matches(full, path) || (folders && parentsOf(path).some((parent) => matches(full, parent)));
    }),
  );
}

function within(path: string, folder: string | null, state: State): boolean {
  const full = folder === null ? null : absolute(folder, state.folder);
  return full !== null && path.startsWith(`${full}/`);
}

function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    parents.push(path.slice(0, slash));
  return parents;
}

/** The patterns that a word stands for: `a.{b,c}` for two. */
function namesOf(word: ShellWord, state: State): string[] {
  const { text } = evaluate(word, state);
  const source = text ?? (/['"$`\\]/u.test(word.text) ? null : word.text);
  if (source === null) return [];
  const braces = word.quoted ? null : /^([^{}]*)\{([^{}]*,[^{}]*)\}([^{}]*)$/u.exec(source);
  if (braces === null) return [source];
  return (braces[2] ?? '').split(',').map((choice) => `${braces[1] ?? ''}${choice}${braces[3] ?? ''}`);
}

/** Does a path fit a pattern with `*`, `?` and `[…]`? A `/` is matched by itself only. */
export function matches(pattern: string, path: string): boolean {
  const patterns = pattern.split('/');
  const parts = path.split('/');
  return patterns.length === parts.length && patterns.every((piece, i) => matchesName(piece, parts[i] ?? ''));
}

function matchesName(pattern: string, name: string): boolean {
  if (!/[*?[]/u.test(pattern)) return pattern === name;
  // Runs through both with one place to come back to: the last star.
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    const char = pattern[p];
    if (char === '*') {
      star = p++;
      mark = n;
    } else if (char === '?' || char === name[n] || (char === '[' && inClass(pattern, p, name[n] ?? ''))) {
      p = char === '[' ? pattern.indexOf(']', p + 1) + 1 : p + 1;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

function inClass(pattern: string, open: number, char: string): boolean {
  const close = pattern.indexOf(']', open + 1);
  if (close < 0) return false;
  const set = pattern.slice(open + 1, close);
  if (set.includes('-')) return false;
  return /^[!^]/u.test(set) ? !set.slice(1).includes(char) : set.includes(char);
}
