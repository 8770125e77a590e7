import { baseName } from './names';
import type { ShellWord, ShellWrapper } from './script';

/** How a program that starts another takes its own words: the options that have a value, and how many words follow. */
interface Shape {
  /** Short options with a value, as letters. */
  readonly short: string;
  /** Long options whose value may be the next word. */
  readonly long?: readonly string[];
  /** Words of its own before the program. */
  readonly operands?: number;
  readonly assignments?: boolean;
  /** With one of these it starts nothing: `command -v x`. */
  readonly notWith?: readonly string[];
  /** The option that names a user; `operand` when its first word does. */
  readonly user?: readonly string[] | 'operand';
}

const shapes: Readonly<Record<string, Shape>> = {
  env: { short: 'uCS', long: ['--unset', '--chdir', '--split-string'], assignments: true },
  sudo: {
    short: 'ugpChrtDRT',
    long: ['--user', '--group', '--chdir', '--prompt'],
    assignments: true,
    notWith: ['-l', '-v', '-k', '-K', '-e'],
    user: ['-u', '--user'],
  },
  doas: { short: 'uC', user: ['-u'] },
  command: { short: '', notWith: ['-v', '-V'] },
  builtin: { short: '' },
  exec: { short: 'a' },
  timeout: { short: 'ks', long: ['--kill-after', '--signal'], operands: 1 },
  nice: { short: 'n', long: ['--adjustment'] },
  ionice: { short: 'cnpPu', long: ['--class', '--classdata'] },
  nohup: { short: '' },
  setsid: { short: '' },
  time: { short: 'fo', long: ['--format', '--output'] },
  xargs: {
    short: 'aEdIiLnPs',
    long: ['--arg-file', '--delimiter', '--max-args', '--max-procs', '--max-lines', '--replace', '--max-chars'],
  },
  stdbuf: { short: 'ioe', long: ['--input', '--output', '--error'] },
  unbuffer: { short: '' },
  chronic: { short: '' },
  gosu: { short: '', operands: 1, user: 'operand' },
  'su-exec': { short: '', operands: 1, user: 'operand' },
  runuser: { short: 'ugG', long: ['--user', '--group'], notWith: ['-c', '-l', '-'], user: ['-u', '--user'] },
  setpriv: {
    short: '',
    long: ['--reuid', '--regid', '--ruid', '--euid', '--rgid', '--egid', '--groups', '--bounding-set', '--inh-caps'],
    user: ['--reuid', '--euid'],
  },
};

export interface Peeled {
  readonly wrappers: readonly ShellWrapper[];
  /** What is started in the end, itself first. */
  readonly rest: readonly ShellWord[];
  /** Words like `A=1` that `env` and `sudo` take. */
  readonly assignments: readonly ShellWord[];
}

/** Takes off the programs that only start another one. */
export function peel(words: readonly ShellWord[]): Peeled {
  const wrappers: ShellWrapper[] = [];
  const assignments: ShellWord[] = [];
  let at = 0;
  while (wrappers.length < 8) {
    const first = words[at];
    const name = first === undefined || first.value === null ? null : baseName(first.value);
    const shape = name !== null && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (name === null || shape === undefined) break;
    const end = endOfWrapper(words, at + 1, shape, assignments);
    if (end === null || end >= words.length) break;
    const own = words.slice(at, end);
    wrappers.push({
      name,
      words: own,
      seconds: name === 'timeout' ? seconds(own.at(-1)) : null,
      user: user(own, shape),
    });
    at = end;
  }
  return { wrappers, rest: words.slice(at), assignments };
}

/** Index of the word after the wrapper's own; null when it wraps nothing. */
function endOfWrapper(
  words: readonly ShellWord[],
  from: number,
  shape: Shape,
  assignments: ShellWord[],
): number | null {
  let at = from;
  for (; at < words.length; at++) {
    const word = words[at];
    const text = word?.value ?? word?.prefix ?? '';
    if (text === '--') {
      at++;
      break;
    }
    if (shape.notWith?.includes(text) === true) return null;
    if (text.startsWith('--')) {
      if (shape.long?.includes(text) === true) at++;
    } else if (/^-[A-Za-z0-9]/u.test(text)) {
      // `-u name` takes the next word, `-uname` does not.
      const letter = text.slice(1).search(new RegExp(`[${shape.short || '\u0000'}]`, 'u'));
      if (letter >= 0 && letter === text.length - 2) at++;
    } else if (shape.assignments === true && word !== undefined && /^[A-Za-z_]\w*=/u.test(text)) {
      assignments.push(word);
    } else break;
  }
  return at + (shape.operands ?? 0);
}

function user(words: readonly ShellWord[], shape: Shape): string | null {
  if (shape.user === undefined) return null;
  if (shape.user === 'operand') return words.at(-1)?.value ?? null;
  for (const [i, word] of words.entries()) {
    const [option, value] = (word.value ?? '').split('=', 2);
    if (option !== undefined && shape.user.includes(option)) return value ?? words[i + 1]?.value ?? null;
  }
  return null;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function seconds(word: ShellWord | undefined): number | null {
  const found = /^(\d{1,9}(?:\.\d{1,9})?)([smhd]?)$/u.exec(word?.value ?? '');
  return found?.[1] === undefined ? null : Number(found[1]) * (units[found[2] ?? ''] ?? 1);
}
