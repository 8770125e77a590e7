import type { ShellCommand, ShellScript, ShellWord, Span } from '../text/shell/script';
import { hostOf, isExternalHost } from './hosts';

/** A command of a script that needs a network beyond the task's own containers. */
export interface NetworkNeed extends Span {
  readonly command: ShellCommand;
  /** `install`: a package manager; `download`: a file or a repository. */
  readonly kind: 'install' | 'download';
  /** The program as people know it, such as `pip` or `git clone`. */
  readonly tool: string;
  /** null for a package manager, whose servers are not named in the script. */
  readonly host: string | null;
}

/** Those of a script, its `bash -c` texts and sourced files of the task included, in order. */
export function networkNeeds(script: ShellScript): readonly NetworkNeed[] {
  return script.commands.flatMap((command) => {
    if (command.inline !== null) return networkNeeds(command.inline);
    const need = needOf(command);
    return need === null ? [] : [need];
  });
}

function needOf(command: ShellCommand): NetworkNeed | null {
  const { program, programWord } = command;
  if (program === null || programWord === null) return null;
  const installer = installerOf(program, command.args);
  if (installer !== null) {
    return {
      ...spanOf(programWord, command.args, installer.words),
      command,
      kind: 'install',
      tool: installer.tool,
      host: null,
    };
  }
  const download = downloadOf(program, command.args);
  if (download === null) return null;
  const { start, end } = download.word;
  return { start, end, command, kind: 'download', tool: download.tool, host: download.host };
}

/** The program and as many of its words as name the action: `apt-get install`. */
function spanOf(program: ShellWord, args: readonly ShellWord[], words: number): Span {
  const last = words === 0 ? program : (args[words - 1] ?? program);
  return { start: program.start, end: last.end };
}

interface Installer {
  readonly tool: string;
  /** How many arguments, counted up to the action, belong to the range. */
  readonly words: number;
}

const actions: Readonly<Record<string, readonly string[]>> = {
  'apt-get': ['install', 'update', 'upgrade', 'dist-upgrade', 'build-dep', 'download'],
  apt: ['install', 'update', 'upgrade', 'full-upgrade'],
  aptitude: ['install', 'update', 'upgrade'],
  apk: ['add', 'update', 'upgrade'],
  dnf: ['install', 'update', 'upgrade'],
  microdnf: ['install', 'update'],
  yum: ['install', 'update'],
  zypper: ['install', 'in', 'refresh'],
  conda: ['install', 'create', 'update'],
  mamba: ['install', 'create', 'update'],
  pipx: ['install', 'run'],
  poetry: ['install', 'add', 'update'],
  gem: ['install'],
  bundle: ['install', 'update'],
  composer: ['install', 'require', 'update'],
  npm: ['install', 'i', 'ci', 'add', 'update'],
  yarn: ['install', 'add'],
  pnpm: ['install', 'i', 'add', 'dlx'],
  bun: ['install', 'add', 'x'],
  cargo: ['install', 'add', 'fetch'],
  rustup: ['install', 'update', 'toolchain', 'target', 'component'],
  docker: ['pull'],
};

function installerOf(program: string, args: readonly ShellWord[]): Installer | null {
  if (args.some((word) => isOffline(word))) return null;
  const python = /^(?:pip|pip3)(?:\.\d+)?$/u.test(program) ? 0 : isPython(program) ? moduleOf(args, 'pip') : null;
  if (python !== null) return pipInstaller(args, python, 'pip');
  switch (program) {
    case 'uv':
      return uvInstaller(args);
    case 'uvx':
    case 'bunx':
      return { tool: program, words: 0 };
    case 'npx':
      return args.some(({ value }) => value === '--no-install' || value === '--no') ? null : { tool: 'npx', words: 0 };
    case 'go': {
      const [first, second] = args;
      if (first?.value === 'install' && !args.some(({ value }) => value?.includes('@') === true)) return null;
      if (first?.value === 'mod' && second?.value !== 'download') return null;
      return ['install', 'get', 'mod'].includes(first?.value ?? '')
        ? { tool: `go ${first?.value ?? ''}`, words: first?.value === 'mod' ? 2 : 1 }
        : null;
    }
    default: {
      const at = actionAt(args);
      const action = args[at]?.value ?? null;
      if (action === null || actions[program]?.includes(action) !== true) return null;
      const rest = args.slice(at + 1);
      return onlyLocal(rest) ? null : { tool: `${program} ${action}`, words: at + 1 };
    }
  }
}

function isPython(program: string): boolean {
  return /^(?:python|python3|pypy3)(?:\.\d+)?$/u.test(program);
}

/** Index of the first argument behind `-m NAME`; null when that module is not run. */
function moduleOf(args: readonly ShellWord[], name: string): number | null {
  const at = args.findIndex(({ value }) => value === '-m');
  return at >= 0 && args[at + 1]?.value === name ? at + 2 : null;
}

function pipInstaller(args: readonly ShellWord[], from: number, tool: string): Installer | null {
  const rest = args.slice(from);
  const at = actionAt(rest);
  const action = rest[at]?.value ?? null;
  if (action === null || !['install', 'download', 'wheel'].includes(action)) return null;
  if (onlyLocal(rest.slice(at + 1))) return null;
  return { tool: `${tool} ${action}`, words: from + at + 1 };
}

function uvInstaller(args: readonly ShellWord[]): Installer | null {
  const at = actionAt(args);
  const action = args[at]?.value ?? '';
  switch (action) {
    case 'pip':
      return pipInstaller(args, at + 1, 'uv pip');
    case 'add':
    case 'sync':
      return { tool: `uv ${action}`, words: at + 1 };
    case 'tool':
      return ['install', 'run', 'upgrade'].includes(args[at + 1]?.value ?? '')
        ? { tool: `uv tool ${args[at + 1]?.value ?? ''}`, words: at + 2 }
        : null;
    case 'run':
      return args.some(({ value }) => value?.startsWith('--with') === true)
        ? { tool: 'uv run --with', words: at + 1 }
        : null;
    default:
      return null;
  }
}

/** Index of the first argument that is no option; options with a value of their own are rare before the action. */
function actionAt(args: readonly ShellWord[]): number {
  let at = 0;
  while (at < args.length && args[at]?.prefix.startsWith('-') === true) {
    at += ['-o', '-c', '-t', '--root', '--repository', '-X', '--prefix', '-C'].includes(args[at]?.value ?? '') ? 2 : 1;
  }
  return at;
}

function isOffline({ value }: ShellWord): boolean {
  return ['--no-index', '--offline', '--no-network', '--frozen-lockfile-offline', '--no-download'].includes(
    value ?? '',
  );
}

const valuedOptions = new Set([
  '-t',
  '--target',
  '--prefix',
  '-c',
  '--constraint',
  '-o',
  '--find-links',
  '-f',
  '--root',
]);

/** Files and folders of the machine alone, or a list of requirements, whose content is not known here. */
function onlyLocal(words: readonly ShellWord[]): boolean {
  let named = 0;
  let local = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const value = word?.value ?? word?.prefix ?? '';
    if (value === '-r' || value === '--requirement') return false;
    if (value.startsWith('-')) {
      if (valuedOptions.has(value)) at++;
      continue;
    }
    named++;
    // A word that is not known may be anything.
    if (word?.value === null && value === '') return true;
    if (/^(?:\.{0,2}\/|\.$|\.\.$|\.\[|file:)/u.test(value) || /\.(?:whl|deb|rpm|tgz|tar\.gz|gem)$/u.test(value))
      local++;
  }
  return named > 0 && local === named;
}

interface Download {
  readonly tool: string;
  readonly host: string;
  readonly word: ShellWord;
}

function downloadOf(program: string, args: readonly ShellWord[]): Download | null {
  switch (program) {
    case 'curl':
    case 'wget':
    case 'aria2c':
    case 'http':
    case 'https':
      return firstExternal(program, args);
    case 'git': {
      const at = gitActionAt(args);
      const action = args[at]?.value ?? '';
      if (!['clone', 'fetch', 'pull', 'ls-remote', 'submodule'].includes(action)) return null;
      return firstExternal(`git ${action}`, args.slice(at + 1));
    }
    default:
      return null;
  }
}

function gitActionAt(args: readonly ShellWord[]): number {
  let at = 0;
  while (at < args.length && args[at]?.prefix.startsWith('-') === true)
    at += args[at]?.value === '-C' || args[at]?.value === '-c' ? 2 : 1;
  return at;
}

function firstExternal(tool: string, args: readonly ShellWord[]): Download | null {
  for (const word of args) {
    const url = word.value ?? word.prefix;
    if (url.startsWith('-')) continue;
    // The host of a URL that goes on with something unknown is known once its path has begun.
    const host = word.value !== null || /^[a-z]+:\/\/[^/]+\//iu.test(url) ? hostOf(url) : null;
    if (host !== null && isExternalHost(host)) return { tool, host, word };
  }
  return null;
}
