import type { Shebang, ShellCommand, ShellOptions, Switch } from './script';

export const allOff: ShellOptions = { errexit: false, nounset: false, pipefail: false };

const letters: Readonly<Record<string, keyof ShellOptions>> = { e: 'errexit', u: 'nounset' };

/** The options that a script starts with: those of its `#!` line. */
export function startOptions(shebang: Shebang | null): ShellOptions {
  return shebang === null ? allOff : withFlags(allOff, shebang.flags);
}

/** The options after a command: `set -eu -o pipefail` and `set +e` change them, whatever else it is does not. */
export function optionsAfter(options: ShellOptions, command: ShellCommand): ShellOptions {
  if (command.program !== 'set' || command.wrappers.length > 0) return options;
  const flags: string[] = [];
  for (const word of command.args) {
    if (word.value === null) return { errexit: 'unknown', nounset: 'unknown', pipefail: 'unknown' };
    flags.push(word.value);
  }
  return withFlags(options, flags);
}

function withFlags(options: ShellOptions, flags: readonly string[]): ShellOptions {
  const next: { errexit: Switch; nounset: Switch; pipefail: Switch } = { ...options };
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i] ?? '';
    if (flag === '--' || !/^[-+][A-Za-z]/u.test(flag)) break;
    const on = flag.startsWith('-');
    for (const letter of flag.slice(1)) {
      const name = letter === 'o' ? flags[++i] : letters[letter];
      if (name === 'errexit' || name === 'nounset' || name === 'pipefail') next[name] = on;
    }
  }
  return next;
}

/** What is known where two ways through the script meet. */
export function joinOptions(a: ShellOptions, b: ShellOptions): ShellOptions {
  if (a === b) return a;
  const join = (x: Switch, y: Switch): Switch => (x === y ? x : 'unknown');
  return {
    errexit: join(a.errexit, b.errexit),
    nounset: join(a.nounset, b.nounset),
    pipefail: join(a.pipefail, b.pipefail),
  };
}

/** Reads `#!/bin/bash -e`, `#!/usr/bin/env bash` and `#!/usr/bin/env -S bash -eu`. */
export function readShebang(text: string, base: number): Shebang | null {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('#!', start)) return null;
  const found = /[\r\n]/u.exec(text.slice(start, start + 512));
  const end = found === null ? Math.min(text.length, start + 512) : start + found.index;
  const words = text
    .slice(start + 2, end)
    .split(/[ \t]+/u)
    .filter((word) => word !== '');
  const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const viaEnv = name(words[0] ?? '') === 'env';
  let at = viaEnv ? 1 : 0;
  while (viaEnv && /^-|=/u.test(words[at] ?? '')) at++;
  const [program, ...flags] = words.slice(at);
  if (program === undefined) return null;
  return { interpreter: name(program), flags, start: base + start, end: base + end };
}
