import type { ShellCommand, ShellScript, ShellWord, Span } from '../text/shell/script';
import { hostOf, isExternalHost } from './hosts';
import type { Install } from './installs';
import { installOf } from './installs';

/** A command of a script that needs a network beyond the task's own containers. */
export interface NetworkNeed extends Span {
  readonly command: ShellCommand;
  /** `install`: a package manager; `download`: a file or a repository. */
  readonly kind: 'install' | 'download';
  /** As people write it, such as `pip install` or `git clone`. */
  readonly tool: string;
  /** null for a package manager, whose servers the script does not name. */
  readonly host: string | null;
}

/** Those of a script, its `bash -c` texts included, in order. */
export function networkNeeds(script: ShellScript): readonly NetworkNeed[] {
  return script.commands.flatMap((command) => {
    if (command.inline !== null) return networkNeeds(command.inline);
    const need = needOf(command);
    return need === null ? [] : [need];
  });
}

/** What one command needs; null for nothing. */
export function needOf(command: ShellCommand): NetworkNeed | null {
  return installNeed(command) ?? refreshNeed(command) ?? downloadNeed(command);
}

function installNeed(command: ShellCommand): NetworkNeed | null {
  const install = installOf(command);
  if (install === null || isOffline(command) || !reachesOut(install)) return null;
  const { start, end, tool } = install;
  return { start, end, command, kind: 'install', tool, host: null };
}

/** Something other than files of the machine is asked for, as far as reading tells. */
function reachesOut({ items, requirements, tool, manager }: Install): boolean {
  if (items.some(({ kind }) => kind === 'name' || kind === 'direct')) return true;
  // `npm install` alone takes its list from the project's manifest; `uv run` alone runs what is there.
  if (items.length === 0 && manager === 'npm') return tool !== 'npx';
  return requirements.length > 0;
}

function isOffline({ args, assignments }: ShellCommand): boolean {
  const offline = new Set(['--no-index', '--offline', '--no-install', '--no', '--no-network', '--no-download']);
  return (
    args.some(({ value }) => value !== null && offline.has(value)) ||
    assignments.some(({ name, value }) => /^(?:PIP_NO_INDEX|UV_OFFLINE)$/u.test(name) && value?.value !== '0')
  );
}

// Actions that fetch and install nothing by name.
const refreshing: Readonly<Record<string, readonly string[]>> = {
  'apt-get': ['update', 'upgrade', 'dist-upgrade', 'build-dep'],
  apt: ['update', 'upgrade', 'full-upgrade'],
  apk: ['update', 'upgrade'],
  pip: ['download'],
  pip3: ['download'],
  uv: ['sync'],
  npm: ['ci'],
  poetry: ['install', 'add'],
  bundle: ['install'],
  rustup: ['install', 'update', 'toolchain'],
  docker: ['pull'],
};

function refreshNeed(command: ShellCommand): NetworkNeed | null {
  const { program, programWord, args } = command;
  if (program === null || programWord === null || !Object.hasOwn(refreshing, program)) return null;
  const action = args.find(({ value }) => value?.startsWith('-') === false);
  if (action?.value === undefined || action.value === null) return null;
  if (refreshing[program]?.includes(action.value) !== true || isOffline(command)) return null;
  const span = { start: programWord.start, end: action.end };
  return { ...span, command, kind: 'install', tool: `${program} ${action.value}`, host: null };
}

function downloadNeed(command: ShellCommand): NetworkNeed | null {
  const { program, args } = command;
  if (program === null) return null;
  if (['curl', 'wget', 'aria2c'].includes(program)) return external(program, args, command);
  if (program !== 'git') return null;
  const at = actionAt(args);
  const action = args[at]?.value ?? '';
  if (!['clone', 'fetch', 'pull', 'ls-remote', 'submodule'].includes(action)) return null;
  return external(`git ${action}`, args.slice(at + 1), command);
}

function actionAt(args: readonly ShellWord[]): number {
  let at = 0;
  while (args[at]?.prefix.startsWith('-') === true) at += ['-C', '-c'].includes(args[at]?.value ?? '') ? 2 : 1;
  return at;
}

function external(tool: string, args: readonly ShellWord[], command: ShellCommand): NetworkNeed | null {
  for (const { value, prefix, start, end } of args) {
    const url = value ?? prefix;
    // The host of a URL that goes on with something unknown is known once its path has begun.
    const isHostKnown = value !== null || /^[a-z]+:\/\/[^/]+\//iu.test(url);
    const host = isHostKnown && !url.startsWith('-') ? hostOf(url) : null;
    if (host !== null && isExternalHost(host)) return { start, end, command, kind: 'download', tool, host };
  }
  return null;
}
