/** A simple command of a shell script: its words with quotes taken off, and where its output goes. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Files that the command writes by `>`, `>>`, `>|` or `&>`. */
  readonly writes: readonly string[];
  /** From 0. */
  readonly line: number;
}

const keywords = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', 'time', '!', '{', '}', 'fi', 'done']);
const wrappers = new Set(['exec', 'env', 'sudo', 'command', 'nohup', 'nice', 'stdbuf', 'setsid', 'timeout', 'xargs']);
const valued = /^-(?:[ukCSnPI]|-unset|-chdir|-signal|-kill-after)$/;

interface Heredoc {
  readonly delimiter: string;
  readonly stripTabs: boolean;
}

/**
 * Reads the simple commands of a script, those in `$( )` included. It knows quotes, comments, continuation lines and
 * here-documents, and expands nothing: a word that depends on a variable keeps its `$`.
 */
export function shellCommands(script: string): readonly ShellCommand[] {
  const found: ShellCommand[] = [];
  const pending: Heredoc[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  let word: string | null = null;
  let commandLine = 0;
  let line = 0;
  let redirect = false;
  // `case` inside `case` is counted; a pattern is what stands before its `)`.
  let cases = 0;
  let inPattern = false;

  const endWord = (): void => {
    if (word === null) return;
    if (redirect) writes.push(word);
    else {
      if (words.length === 0) commandLine = line;
      words.push(word);
    }
    redirect = false;
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    redirect = false;
    while (words.length > 0 && keywords.has(words[0] ?? '')) words = words.slice(1);
    if (words[0] === 'case') {
      cases++;
      inPattern = true;
    } else if (words[0] === 'esac') {
      cases--;
      inPattern = false;
    } else if (!inPattern && (words.length > 0 || writes.length > 0)) found.push({ words, writes, line: commandLine });
    words = [];
    writes = [];
  };

  for (let at = 0; at < script.length; at++) {
    const char = script.charAt(at);
    const next = script.charAt(at + 1);
    switch (char) {
      case '\\':
        if (next === '\n') line++;
        else word = (word ?? '') + next;
        at++;
        break;
      case "'": {
        const end = script.indexOf("'", at + 1);
        const text = script.slice(at + 1, end === -1 ? script.length : end);
        word = (word ?? '') + text;
        line += count(text);
        at = end === -1 ? script.length : end;
        break;
      }
      case '"': {
        const [text, end] = doubleQuoted(script, at + 1);
        word = (word ?? '') + text;
        for (const inner of substitutions(text)) found.push(...moved(shellCommands(inner), line));
        line += count(text);
        at = end;
        break;
      }
      case '#':
        if (word === null) {
          const end = script.indexOf('\n', at);
          at = (end === -1 ? script.length : end) - 1;
        } else word += char;
        break;
      case '$':
        if (next === '(') {
          const end = closing(script, at + 2);
          const inner = script.slice(at + 2, end);
          found.push(...moved(shellCommands(inner), line));
          word = `${word ?? ''}$()`;
          line += count(inner);
          at = end;
        } else word = (word ?? '') + char;
        break;
      case '<':
        if (next === '<' && script.charAt(at + 2) !== '<') {
          endWord();
          const match = /^<<(-?)[ \t]*(["']?)([\w.-]+)\2/.exec(script.slice(at, at + 200));
          if (match !== null) {
            pending.push({ delimiter: match[3] ?? '', stripTabs: match[1] === '-' });
            at += match[0].length - 1;
          }
        } else {
          endWord();
        }
        break;
      case '>':
        if (word !== null && /^[0-9]$/.test(word)) word = null;
        endWord();
        if (next === '>' || next === '|') at++;
        else if (next === '&') {
          at++;
          // `2>&1` leads to no file.
          while (/[0-9-]/.test(script.charAt(at + 1))) at++;
          break;
        }
        redirect = true;
        break;
      case '&':
        if (next === '>') break;
        endCommand();
        break;
      case '\n':
        endCommand();
        line++;
        while (pending.length > 0) {
          const heredoc = pending.shift();
          if (heredoc === undefined) break;
          for (;;) {
            const end = script.indexOf('\n', at + 1);
            const text = script.slice(at + 1, end === -1 ? script.length : end);
            at = end === -1 ? script.length : end;
            line++;
            if ((heredoc.stripTabs ? text.replace(/^\t+/, '') : text) === heredoc.delimiter || end === -1) break;
          }
        }
        break;
      case ')':
        endCommand();
        inPattern = false;
        break;
      case ';':
        endCommand();
        if (next === ';' && cases > 0) inPattern = true;
        break;
      case '|':
      case '(':
      case '`':
        endCommand();
        break;
      case ' ':
      case '\t':
      case '\r':
        endWord();
        break;
      default:
        word = (word ?? '') + char;
    }
  }
  endCommand();
  return found;
}

/** The words from the one that names the program on: assignments and wrappers such as `timeout 60` left out. */
export function programWords(words: readonly string[]): readonly string[] {
  let at = 0;
  for (;;) {
    while (/^[A-Za-z_]\w*=/.test(words[at] ?? '')) at++;
    const wrapper = (words[at] ?? '').replace(/^.*\//, '');
    if (!wrappers.has(wrapper)) return words.slice(at);
    at++;
    while (/^-./.test(words[at] ?? '')) at += valued.test(words[at] ?? '') ? 2 : 1;
    if (wrapper === 'timeout' || (wrapper === 'nice' && /^\d/.test(words[at] ?? ''))) at++;
  }
}

function doubleQuoted(script: string, start: number): [string, number] {
  let text = '';
  for (let at = start; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === '"') return [text, at];
    if (char === '\\') {
      at++;
      text += (/["\\$`]/.test(script.charAt(at)) ? '' : '\\') + script.charAt(at);
    } else if (char === '$' && script.charAt(at + 1) === '(') {
      const end = closing(script, at + 2);
      text += script.slice(at, end + 1);
      at = end;
    } else text += char;
  }
  return [text, script.length];
}

/** What stands in `$( )` within a text. */
function substitutions(text: string): readonly string[] {
  const inner: string[] = [];
  for (let at = text.indexOf('$('); at !== -1; at = text.indexOf('$(', at)) {
    const end = closing(text, at + 2);
    inner.push(text.slice(at + 2, end));
    at = end;
  }
  return inner;
}

/** Offset of the `)` that ends what begins at `start`; the text's length when nothing does. */
function closing(script: string, start: number): number {
  let depth = 1;
  for (let at = start; at < script.length; at++) {
    const char = script.charAt(at);
    if (char === '\\') at++;
    else if (char === "'") {
      const end = script.indexOf("'", at + 1);
      if (end === -1) return script.length;
      at = end;
    } else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return script.length;
}

function moved(commands: readonly ShellCommand[], by: number): readonly ShellCommand[] {
  return commands.map((command) => ({ ...command, line: command.line + by }));
}

function count(text: string): number {
  return text.split('\n').length - 1;
}
