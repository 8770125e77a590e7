import { isShell } from './names';
import type { InnerScript, Reading } from './reading';
import type { ShellCommand, ShellHeredoc, ShellScript, ShellTrap, ShellWord } from './script';

/** The script that a command is given as text: after `-c`, to `eval`, or as the input of a shell. */
export function innerScriptOf(reading: Reading, command: ShellCommand): ShellScript | null {
  const { program, args } = command;
  if (program === null) return null;
  if (program === 'eval') return args.length === 1 ? readWordAsScript(reading, args[0]) : null;
  if (!isShell(program) && program !== 'su' && program !== 'runuser') return null;
  const at = args.findIndex((word) => /^-[a-zA-Z]*c$/u.test(word.value ?? '') || word.value === '--command');
  if (at >= 0) return readWordAsScript(reading, args[at + 1]);
  const [heredoc] = command.heredocs;
  return heredoc?.use === 'code' ? readHeredocAsScript(reading, heredoc) : null;
}

/** `trap 'echo 0 > f' EXIT`. */
export function trapOf(reading: Reading, command: ShellCommand): ShellTrap | null {
  if (command.program !== 'trap') return null;
  const words = command.args.filter((word) => word.value !== '--');
  const [action, ...signals] = words;
  if (action === undefined || /^-[lp]/u.test(action.prefix)) return null;
  const names = signals.map((word) => (word.value ?? '').toUpperCase().replace(/^SIG/u, ''));
  const reset = action.value === '-';
  return { command, signals: names, reset, body: reset ? null : readWordAsScript(reading, action) };
}

function readWordAsScript(reading: Reading, word: ShellWord | undefined): ShellScript | null {
  const piece = word === undefined ? null : contentOf(word);
  return piece === null ? null : reading.inner(piece);
}

/** The inside of a word that is one quoted or bare piece, where every character stands for itself. */
function contentOf(word: ShellWord): InnerScript | null {
  const { text, start } = word;
  const quote = text.charAt(0);
  if (quote === "'" || quote === '"') {
    const inside = text.slice(1, -1);
    if (text.length < 2 || !text.endsWith(quote) || inside.includes(quote)) return null;
    return quote === '"' && /[\\`]/u.test(inside) ? null : { text: inside, base: start + 1 };
  }
  return word.value === text ? { text, base: start } : null;
}

function readHeredocAsScript(reading: Reading, heredoc: ShellHeredoc): ShellScript | null {
  const { start, end } = heredoc.body;
  const text = reading.text.slice(start - reading.base, end - reading.base);
  return !heredoc.quoted && /[\\`]/u.test(text) ? null : reading.inner({ text, base: start });
}
