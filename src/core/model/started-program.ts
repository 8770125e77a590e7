import { absolutePath, baseName, extensionOf } from './container-path';

/** What a command line starts, as far as its words tell. Paths are absolute; null where a word is unknown. */
export type Started =
  | { readonly kind: 'shell' | 'python'; readonly path: string | null }
  /** `targets` without the `::` part; empty when none is named, so that the working directory is searched. */
  | {
      readonly kind: 'pytest';
      readonly targets: readonly Target[];
      /** False when a word is unknown, so that there may be more targets or other ones. */
      readonly certain: boolean;
      /** True with `-k`, `-m`, `--deselect`, `--ignore`: some tests may be left out. */
      readonly selects: boolean;
    }
  | { readonly kind: 'unittest'; readonly certain: boolean }
  /** `python -c`, `python -m other`, a heredoc; or another language's interpreter. */
  | { readonly kind: 'other'; readonly path: string | null };

export interface Target {
  readonly path: string;
  /** What follows `::`; null for the whole file or folder. */
  readonly node: string | null;
  /** Index among the words. */
  readonly word: number;
}

/** Reads the words of a command, the program first. null for what starts no code that is known as such. */
export function startedBy(words: readonly (string | null)[], folder: string | null): Started | null {
  const [first] = words;
  if (first === undefined || first === null) return null;
  const program = baseName(first);
  if (runners.has(program)) {
    const at = words.findIndex((word, index) => index > 0 && word !== null && isCode(baseName(word)));
    // `--with pytest` names a package, not the program.
    const real = at > 0 && valueOptions.has(words[at - 1] ?? '') ? nextProgram(words, at + 1) : at;
    return real > 0 ? shifted(startedBy(words.slice(real), folder), real) : null;
  }
  if (program === 'pytest' || program === 'py.test') return pytest(words, 1, folder);
  if (isPython(program)) return python(words, folder);
  if (isShell(program))
    return { kind: 'shell', path: script(words, folder, new Set(['-o', '-O', '--rcfile', '--init-file'])) };
  if (/^(?:node|deno|bun|ruby|perl|php|Rscript|julia|lua|tsx|ts-node)$/u.test(program)) {
    return { kind: 'other', path: script(words, folder, new Set()) };
  }
  if (first.includes('/')) {
    const path = absolutePath(first, folder);
    const extension = extensionOf(first);
    if (extension === 'sh' || extension === 'bash') return { kind: 'shell', path };
    if (extension === 'py') return { kind: 'python', path };
    return { kind: 'other', path };
  }
  return null;
}

const runners = new Set(
  'uv uvx pipx poetry hatch pdm coverage xvfb-run conda mamba micromamba pixi faketime unshare strace'.split(' '),
);
const valueOptions = new Set([
  '--with',
  '-w',
  '--from',
  '-p',
  '--python',
  '--package',
  '--spec',
  '-n',
  '--name',
  '--extra',
]);

function nextProgram(words: readonly (string | null)[], from: number): number {
  for (let at = from; at < words.length; at++) {
    const word = words[at];
    if (word !== null && word !== undefined && isCode(baseName(word)) && !valueOptions.has(words[at - 1] ?? ''))
      return at;
  }
  return -1;
}

function shifted(started: Started | null, by: number): Started | null {
  if (started?.kind !== 'pytest') return started;
  return { ...started, targets: started.targets.map((target) => ({ ...target, word: target.word + by })) };
}

function isCode(name: string): boolean {
  return name === 'pytest' || name === 'py.test' || isPython(name) || isShell(name) || /\.(?:py|sh)$/u.test(name);
}

function isPython(program: string): boolean {
  return /^(?:python|pypy)[0-9.]*$/u.test(program);
}

function isShell(program: string): boolean {
  return /^(?:ba|da|z|a|k)?sh$/u.test(program);
}

function python(words: readonly (string | null)[], folder: string | null): Started {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? null;
    if (word === null || word === '-') return { kind: 'other', path: null };
    if (word === '-m' || (word.endsWith('m') && /^-[A-Zbdiqsuvx]+m$/u.test(word))) {
      const name = words[at + 1] ?? null;
      if (name === 'pytest' || name === 'py.test') return pytest(words, at + 2, folder);
      if (name === 'unittest') return { kind: 'unittest', certain: words.every((one) => one !== null) };
      if (name === 'coverage')
        return startedBy(['coverage', ...words.slice(at + 2)], folder) ?? { kind: 'other', path: null };
      return { kind: 'other', path: null };
    }
    if (word === '-c') return { kind: 'other', path: null };
    if (word === '-W' || word === '-X') at++;
    else if (!word.startsWith('-')) return { kind: 'python', path: absolutePath(word, folder) };
  }
  return { kind: 'other', path: null };
}

function script(words: readonly (string | null)[], folder: string | null, valued: ReadonlySet<string>): string | null {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? null;
    if (word === null || word === '-c' || word === '-e' || word === '-s' || /^-[a-z]*c$/u.test(word)) return null;
    if (valued.has(word)) at++;
    else if (!word.startsWith('-')) return absolutePath(word, folder);
  }
  return null;
}

const pytestValues = new Set(
  (
    '-k -m -p -c -o -W -n -r --rootdir --confcutdir --junitxml --junit-xml --ctrf --tb --timeout --maxfail --durations ' +
    '--ignore --ignore-glob --deselect --import-mode --basetemp --cov --cov-report --json-report-file --html --log-file ' +
    '--log-level --log-cli-level --override-ini --config-file --color --capture --numprocesses --dist --report-log ' +
    '--timeout-method --reruns --asyncio-mode --show-capture --verbosity --pythonwarnings --seed'
  ).split(' '),
);
const selecting = /^(?:-k|-m|--deselect|--ignore|--ignore-glob|--lf|--last-failed|--ff)(?:=|$)/u;

function pytest(words: readonly (string | null)[], from: number, folder: string | null): Started {
  const targets: Target[] = [];
  let certain = true;
  let selects = false;
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? null;
    if (word === null) certain = false;
    else if (word.startsWith('-')) {
      if (selecting.test(word)) selects = true;
      if (pytestValues.has(word)) at++;
    } else {
      const [file = '', ...node] = word.split('::');
      const path = absolutePath(file, folder);
      if (path === null) certain = false;
      else targets.push({ path, node: node.length > 0 ? node.join('::') : null, word: at });
    }
  }
  return { kind: 'pytest', targets, certain, selects };
}
