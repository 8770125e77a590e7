import { baseName } from './names';
import type { ShellHeredoc, ShellRedirect, ShellWord, ShellWrite } from './script';
import { unescapeAnsi } from './unquote';

/** What a command is, as far as its writes ask. */
export interface WritingCommand {
  readonly program: string | null;
  readonly args: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  readonly heredocs: readonly ShellHeredoc[];
}

export function writesOf(command: WritingCommand): ShellWrite[] {
  return [...redirectWrites(command.redirects, printedBy(command)), ...programWrites(command)];
}

/** The writes of `>` and its kin; `content` is what the redirected output is known to be. */
export function redirectWrites(redirects: readonly ShellRedirect[], content: string | null): ShellWrite[] {
  return redirects.flatMap((redirect) => {
    if (!/^(?:&?>>?|>\||>&)$/u.test(redirect.operator)) return [];
    const { target } = redirect;
    // `2>&1` names a descriptor.
    if (redirect.operator === '>&' && /^(?:\d+|-)$/u.test(target.text)) return [];
    if (target.parts.length === 0) return [];
    const stderrOnly = redirect.descriptor === 2;
    return [
      write('redirect', target, {
        append: redirect.operator.endsWith('>>'),
        stderrOnly,
        content: redirect.descriptor === null || redirect.descriptor === 1 ? content : null,
      }),
    ];
  });
}

function programWrites(command: WritingCommand): ShellWrite[] {
  const { program, args } = command;
  if (program === null) return [];
  switch (program) {
    case 'tee':
      return operands(args, '').map((word) =>
        write('tee', word, { append: args.some((arg) => arg.value === '-a' || arg.value === '--append') }),
      );
    case 'dd':
      return args.flatMap((word) => {
        if (!word.prefix.startsWith('of=')) return [];
        const file = word.value === null ? null : word.value.slice(3);
        return [{ ...write('dd', word, {}), file }];
      });
    case 'touch':
      return operands(args, 'dtr').map((word) => write('touch', word, { append: true }));
    case 'truncate':
      return operands(args, 'sr').map((word) =>
        write('truncate', word, { content: args.some((arg) => /^(?:-s)?0$/u.test(arg.value ?? '')) ? '' : null }),
      );
    case 'sed':
      return sedWrites(args);
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
      return copyWrites(program, args);
    default:
      return [];
  }
}

/** The words that are no options; `valued` are the letters of short options that take the next word. */
export function operands(args: readonly ShellWord[], valued: string): ShellWord[] {
  const found: ShellWord[] = [];
  let options = true;
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word === undefined) break;
    const text = word.prefix;
    if (options && text === '--') options = false;
    else if (options && text.startsWith('-') && text.length > 1) {
      if (!text.startsWith('--') && valued.includes(text.at(-1) ?? ' ')) i++;
    } else found.push(word);
  }
  return found;
}

function copyWrites(program: 'cp' | 'mv' | 'install' | 'ln', args: readonly ShellWord[]): ShellWrite[] {
  const folder = targetFolder(args);
  const words = operands(args, program === 'install' ? 'mogSt' : 'tS').filter((word) => word !== folder);
  if (program === 'install' && args.some((word) => /^(?:-[a-zA-Z]*d|--directory)$/u.test(word.prefix))) return [];
  const target = folder ?? words.at(-1);
  const sources = folder === null ? words.slice(0, -1) : words;
  if (target === undefined || sources.length === 0) return [];
  const into = folder !== null || sources.length > 1 || target.value?.endsWith('/') === true;
  if (!into) return [write(program, target, {})];
  return sources.map((source) => {
    const name = source.value === null || source.pattern ? null : baseName(source.value);
    const file = name === null || target.value === null ? null : `${target.value.replace(/\/$/u, '')}/${name}`;
    return { ...write(program, target, {}), file };
  });
}

/** The folder of `cp -t folder a b`. */
function targetFolder(args: readonly ShellWord[]): ShellWord | null {
  const at = args.findIndex((word) => word.value === '-t' || word.value === '--target-directory');
  return (at >= 0 ? args[at + 1] : undefined) ?? null;
}

function sedWrites(args: readonly ShellWord[]): ShellWrite[] {
  if (!args.some((word) => /^(?:-[nEruz]*i|--in-place)/u.test(word.prefix))) return [];
  const scripted = args.some((word) => word.value === '-e' || word.value === '-f');
  return operands(args, 'ef')
    .slice(scripted ? 0 : 1)
    .map((word) => write('sed', word, {}));
}

function write(
  via: ShellWrite['via'],
  path: ShellWord,
  more: Partial<Pick<ShellWrite, 'append' | 'stderrOnly' | 'content'>>,
): ShellWrite {
  return {
    start: path.start,
    end: path.end,
    via,
    path,
    file: path.pattern ? null : path.value,
    append: more.append ?? false,
    stderrOnly: more.stderrOnly ?? false,
    content: more.content ?? null,
  };
}

/** What a command prints, when it is a constant. */
export function printedBy(command: WritingCommand): string | null {
  const { program, args } = command;
  const values: string[] = [];
  for (const word of args) {
    if (word.value === null || word.pattern) return null;
    values.push(word.value);
  }
  switch (program) {
    case null:
    case ':':
    case 'true':
      return '';
    case 'echo':
      return echoed(values);
    case 'printf':
      return formatted(values);
    case 'cat': {
      const [heredoc, ...more] = command.heredocs;
      return values.length === 0 && more.length === 0 ? (heredoc?.content ?? null) : null;
    }
    default:
      return null;
  }
}

function echoed(values: readonly string[]): string | null {
  let rest = values;
  let newline = true;
  let escapes = false;
  while (rest[0] !== undefined && /^-[neE]+$/u.test(rest[0])) {
    if (rest[0].includes('n')) newline = false;
    if (rest[0].includes('e')) escapes = true;
    rest = rest.slice(1);
  }
  const text = rest.join(' ');
  const value = escapes ? unescapeAnsi(text) : text;
  return value === null ? null : value + (newline ? '\n' : '');
}

/** `printf` with plain `%s` and `%d`, as often as there are words. */
function formatted(values: readonly string[]): string | null {
  const [format, ...words] = values;
  if (format === undefined || format.startsWith('-')) return null;
  const pieces = format.split(/(%%|%[sd])/u);
  const places = pieces.filter((piece) => piece === '%s' || piece === '%d').length;
  if (pieces.some((piece) => piece.includes('%') && !/^%[sd%]$/u.test(piece))) return null;
  if (places === 0 ? words.length > 0 : words.length > places) return null;
  let next = 0;
  const text: string[] = [];
  for (const piece of pieces) {
    if (piece === '%%') text.push('%');
    else if (piece === '%s' || piece === '%d') text.push(words[next++] ?? (piece === '%d' ? '0' : ''));
    else {
      const value = unescapeAnsi(piece);
      if (value === null) return null;
      text.push(value);
    }
  }
  return text.join('');
}
