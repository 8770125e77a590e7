import type { Instruction } from '../../text/dockerfile/dockerfile';
import { matchSegment } from '../../text/dockerfile/glob';
import type { ShellCommand, ShellScript, ShellWord } from '../../text/shell/script';
import { absolutePath, baseName, isAtOrBelow } from '../container-path';
import type { Gap, Origin } from '../image';
import { installOf } from '../installs';
import { pathOf, walkShell, type Visit } from '../shell-walk';
import type { StageState } from './copy';
import { harmless, isModuleWithoutFiles } from './harmless';
import type { ImageFiles } from './image-files';
import { mountedFiles } from './mounts';

/** Characters; what is put together from more is not known any more. */
const maxText = 500_000;

/** Follows the commands of a RUN. `script` is null where they could not be read. */
export function applyRun(
  instruction: Instruction,
  script: ShellScript | null,
  state: StageState,
  onCommand: (command: ShellCommand) => void,
): void {
  if (script === null) {
    const words = instruction.words.map((word) => word.value ?? '');
    if (!harmless.has(baseName(words[0] ?? '')))
      state.files.addGap({
        instruction,
        below: null,
        reason: instruction.form === 'json' ? 'command' : 'not-understood',
      });
    return;
  }
  if (script.errors.length > 0 || !script.complete)
    state.files.addGap({ instruction, below: null, reason: 'not-understood' });
  const run = new Run(instruction, state, mountedFiles(instruction, state));
  walkShell(script, state.workdir, (visit) => {
    onCommand(visit.command);
    run.command(visit);
  });
}

class Run {
  private readonly files: ImageFiles;

  constructor(
    private readonly instruction: Instruction,
    private readonly state: StageState,
    private readonly mounts: ImageFiles | null,
  ) {
    this.files = state.files;
  }

  command({ command, folder }: Visit): void {
    const { program } = command;
    this.writes(command, folder);
    if (program === null || program === '') {
      if (command.programWord !== null) this.gap('command', null);
      return;
    }
    const operands = operandsOf(command.args);
    const paths = operands.map((word) => pathOf(word, folder));
    switch (program) {
      case 'mkdir':
        for (const path of paths) if (path !== null) this.files.addFolder(path);
        break;
      case 'rm':
      case 'unlink':
        this.remove(command, paths);
        break;
      case 'find':
        this.find(command, folder);
        break;
      case 'touch':
        for (const [at, path] of paths.entries())
          if (path !== null && !this.files.files.has(path)) this.put(path, { kind: 'text', text: '' }, operands[at]);
        break;
      case 'cp':
      case 'mv':
      case 'install':
        this.copies(command, operands, folder);
        break;
      case 'ln':
        this.link(operands, folder);
        break;
      case 'chmod':
      case 'chown':
        this.permissions(command, folder);
        break;
      case 'git':
        this.git(command, folder);
        break;
      case 'curl':
      case 'wget':
        this.download(command, folder);
        break;
      case 'tar':
      case 'unzip':
      case '7z':
        this.unpack(command, folder);
        break;
      default:
        if (!harmless.has(program) && installOf(command) === null && !isModuleWithoutFiles(command))
          this.gap('command', null);
    }
  }

  private gap(reason: Gap['reason'], below: string | null): void {
    this.files.addGap({ instruction: this.instruction, below, reason });
  }

  private put(path: string, origin: Origin, word: { readonly start: number; readonly end: number } | undefined): void {
    const { start, end } = word ?? this.instruction;
    const { user } = this.state;
    this.files.add({ path, origin, by: this.instruction, start, end, owner: user, mode: null });
  }

  /** Redirections, `tee`, `dd` and their like; `cp`, `mv` and `ln` are followed by themselves. */
  private writes(command: ShellCommand, folder: string | null): void {
    for (const write of command.writes) {
      if (write.stderrOnly || ['cp', 'mv', 'install', 'ln', 'touch'].includes(write.via)) continue;
      const path = write.file === null ? null : absolutePath(write.file, folder);
      if (path === null || isAtOrBelow(path, '/dev')) continue;
      const before = this.files.files.get(path);
      if (write.via === 'sed') {
        if (before !== undefined) this.files.add({ ...before, origin: { kind: 'unknown' } });
        continue;
      }
      if (write.append && before !== undefined) {
        const isText = before.origin.kind === 'text' && before.origin.text.length < maxText;
        const both = isText && write.content !== null ? before.origin.text + write.content : null;
        this.files.add({ ...before, origin: both === null ? { kind: 'unknown' } : { kind: 'text', text: both } });
        continue;
      }
      const isNew = write.content !== null && !write.append;
      this.put(path, isNew ? { kind: 'text', text: write.content } : { kind: 'unknown' }, write);
    }
  }

  private remove(command: ShellCommand, paths: readonly (string | null)[]): void {
    if (!isCertain(command)) return;
    for (const path of paths) if (path !== null && path !== '/') this.files.remove(path, this.instruction);
    if (paths.includes(null)) {
      // What stands behind a variable may be anything: files below its constant beginning count as gone.
      for (const word of operandsOf(command.args))
        if (word.value === null && word.prefix.startsWith('/') && word.prefix.length > 1)
          this.files.remove('/', this.instruction, (file) => file.path.startsWith(word.prefix));
    }
  }

  /** `find DIR -name '*.pyc' -delete`, also with `-exec rm`. */
  private find(command: ShellCommand, folder: string | null): void {
    const values = command.args.map((word) => word.value ?? '');
    const removes =
      values.includes('-delete') ||
      /^(?:.*\/)?rm$/.test(values[values.findIndex((one) => one.startsWith('-exec')) + 1] ?? '');
    if (!removes || !isCertain(command)) return;
    const names = values.flatMap((value, at) =>
      value === '-name' || value === '-iname' ? [values[at + 1] ?? ''] : [],
    );
    for (const word of command.args) {
      if (word.prefix.startsWith('-') || word.value === '(' || word.value === '!') break;
      const path = pathOf(word, folder);
      if (path === null) continue;
      this.files.remove(
        path,
        this.instruction,
        ({ path: file }) =>
          names.length === 0 ||
          names.some((name) =>
            file
              .slice(path.length)
              .split('/')
              .some((part) => part !== '' && matchSegment(name, part)),
          ),
      );
    }
  }

  private copies(command: ShellCommand, operands: readonly ShellWord[], folder: string | null): void {
    const values = command.args.map(({ value }) => value ?? '');
    if (command.program === 'install' && values.some((value) => /^-\w*d/.test(value))) {
      for (const word of operands) {
        const path = pathOf(word, folder);
        if (path !== null) this.files.addFolder(path);
      }
      return;
    }
    const option = values.findIndex((value) => value === '-t' || value.startsWith('--target-directory'));
    const targetWord = option >= 0 ? command.args[option + 1] : operands.at(-1);
    const sources = (option >= 0 ? operands.filter((word) => word !== targetWord) : operands.slice(0, -1)).map(
      (word) => ({
        word,
        path: pathOf(word, folder),
      }),
    );
    const target = pathOf(targetWord, folder);
    if (target === null || targetWord === undefined) {
      this.gap('variable', null);
      return;
    }
    const into =
      option >= 0 ||
      /\/\.?$|^\.{1,2}$/.test(targetWord.value ?? '') ||
      sources.length > 1 ||
      this.files.isFolder(target);
    const moves = command.program === 'mv' && isCertain(command);
    for (const { word, path } of sources) {
      if (path === null) {
        this.gap('variable', target);
        continue;
      }
      const place = { start: word.start, end: word.end };
      const from = this.files.at(path).length > 0 ? this.files : (this.mounts ?? this.files);
      // `cp -r a b` makes b/a where b is a folder, while `cp -r a/. b` gives what is in it.
      const whole = (word.value ?? '').endsWith('/.') || word.pattern;
      const isFile = from.at(path).some(({ inner }) => inner === '');
      const goal =
        into && !whole && !isFile ? (absolutePath(baseName(path), target) ?? target) : into ? `${target}/` : target;
      const isCopied = this.files.copy(from, path, goal, () =>
        from === this.files ? {} : { by: this.instruction, ...place },
      );
      if (!isCopied)
        this.put(into ? (absolutePath(baseName(path), target) ?? target) : target, { kind: 'unknown' }, word);
      if (moves && from === this.files)
        this.files.remove(path, this.instruction, (file) => !isAtOrBelow(file.path, target));
    }
  }

  private link(operands: readonly ShellWord[], folder: string | null): void {
    const target = pathOf(operands.at(-1), folder);
    if (operands.length < 2 || target === null) return;
    const source = pathOf(operands[0], folder);
    const path = this.files.isFolder(target) && source !== null ? absolutePath(baseName(source), target) : target;
    if (path !== null) this.put(path, { kind: 'unknown' }, operands.at(-1));
  }

  private permissions(command: ShellCommand, folder: string | null): void {
    const deep = command.args.some(({ value }) => value !== null && /^-\w*R|^--recursive/.test(value));
    const [what, ...words] = command.args.filter(({ prefix }) => !/^-(?:[A-Zcfv]|-)/.test(prefix));
    for (const word of words) {
      const path = pathOf(word, folder);
      if (path === null) continue;
      const value = what?.value ?? null;
      this.files.change(path, deep, (file) =>
        command.program === 'chmod' ? { ...file, mode: value } : { ...file, owner: value },
      );
    }
  }

  private git(command: ShellCommand, folder: string | null): void {
    const operands = operandsOf(command.args);
    if (operands[0]?.value !== 'clone') return;
    const values = new Set(['-b', '--branch', '--depth', '-c', '--config', '-o', '--origin', '--reference']);
    const rest = command.args.filter(
      (word, at) => !word.prefix.startsWith('-') && !values.has(command.args[at - 1]?.value ?? ''),
    );
    const url = rest[1]?.value ?? null;
    const name = url === null ? null : baseName(url.replace(/\/+$/, '')).replace(/\.git$/, '');
    const below = rest[2] !== undefined ? pathOf(rest[2], folder) : name === null ? null : absolutePath(name, folder);
    if (below !== null) this.files.addFolder(below);
    this.gap('clone', below);
  }

  private download(command: ShellCommand, folder: string | null): void {
    const { args, program } = command;
    const link = args.find(({ prefix }) => /^(?:https?|ftp):\/\//i.test(prefix));
    const url = link?.value ?? null;
    const at = args.findIndex(
      ({ value }) =>
        value !== null && (program === 'curl' ? /^-\w*o$|^--output$/ : /^-\w*O$|^--output-document$/).test(value),
    );
    const named = at < 0 ? null : pathOf(args[at + 1], folder);
    if (named !== null) this.put(named, { kind: 'download', url }, args[at + 1]);
    else if (at >= 0) {
      if (args[at + 1]?.value === null) this.gap('variable', null);
    } else if (program === 'wget' || args.some(({ value }) => value !== null && /^-\w*O|^--remote-name/.test(value))) {
      const path = url === null ? null : absolutePath(baseName(url.replace(/[?#].*$/, '')), folder);
      if (path === null) this.gap('download', folder);
      else this.put(path, { kind: 'download', url }, link);
    }
  }

  private unpack(command: ShellCommand, folder: string | null): void {
    const { args, program } = command;
    const values = args.map(({ value }) => value ?? '');
    if (program === 'tar') {
      const mode = values[0] ?? '';
      if (!values.some((value) => /^-\w*x|^--(?:extract|get)/.test(value)) && !/^\w*x/.test(mode)) return;
    }
    const option = program === 'unzip' ? '-d' : '-C';
    const at = values.findIndex((value) => value === option || value === '--directory');
    const joined =
      args.find(({ value }) => value !== null && /^(?:--directory=|-C\/|-d\/|-o\/)/.test(value))?.value ?? null;
    const below =
      at >= 0
        ? pathOf(args[at + 1], folder)
        : joined !== null
          ? absolutePath(joined.slice(joined.indexOf('/')), folder)
          : folder;
    this.gap('archive', below);
  }
}

/** Is it run whenever the RUN gets that far? */
function isCertain({ context }: ShellCommand): boolean {
  return !context.conditional && context.rightOf !== '||' && context.function === null;
}

function operandsOf(args: readonly ShellWord[]): readonly ShellWord[] {
  const end = args.findIndex(({ value }) => value === '--');
  const before = (end < 0 ? args : args.slice(0, end)).filter(({ prefix }) => !prefix.startsWith('-'));
  return end < 0 ? before : [...before, ...args.slice(end + 1)];
}
