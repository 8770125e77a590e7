import type { PythonModule } from '../text/python/module';
import type { ShellScript } from '../text/shell/script';
import { absolutePath, baseName, extensionOf, folderOf, isAtOrBelow } from './container-path';
import type { ReachedFile } from './expectations';
import { TestPlaces } from './test-places';
import type { Visit } from './shell-walk';
import { pathOf, walkShell } from './shell-walk';
import type { Started } from './started-program';
import { startedBy } from './started-program';

/** What a verifier reaches is found in: the files under `/tests` and the models of them. */
export interface ReachSource {
  /** Files by their path below `/tests`. */
  readonly tests: ReadonlyMap<string, string>;
  readonly testScript: string | null;
  readonly startFolder: string | null;
  /** The model of a script that lies in `folder` when it runs. */
  readonly shell: (file: string, folder: string) => ShellScript | null;
  readonly python: (file: string) => PythonModule | null;
  /** Does the agent's image have something at this path? */
  readonly isInImage: (path: string) => boolean;
}

export interface Reach {
  readonly files: readonly ReachedFile[];
  readonly complete: boolean;
  /** Folders and files of the container that the script filled from `/tests`: place, and where in `/tests` it comes from. */
  readonly copies: ReadonlyMap<string, string>;
  /** True when each run of a test runner is understood: what it does not name is not run. */
  readonly runnersKnown: boolean;
  /** What runners were told to run, where understood. */
  readonly runs: readonly TestRun[];
}

/** A command that collects tests. */
export interface TestRun {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  /** The words that name targets, with where they stand; empty for a search of the folder. */
  readonly targets: readonly {
    readonly path: string;
    readonly node: string | null;
    readonly start: number;
    readonly end: number;
  }[];
  readonly selects: boolean;
}

const maxFiles = 400;

/** Follows a verifier from its test script to the files of `tests/` that take part. */
export function reachOf(source: ReachSource): Reach {
  const walk = new ReachWalk(source);
  if (source.testScript !== null) {
    walk.reach(`/tests/${baseName(source.testScript)}`, 'start', source.startFolder, source.testScript);
  } else {
    walk.complete = walk.runnersKnown = false;
  }
  return {
    files: [...walk.files.values()],
    complete: walk.complete,
    copies: walk.copies,
    runnersKnown: walk.runnersKnown,
    runs: walk.runs,
  };
}

class ReachWalk {
  readonly files = new Map<string, ReachedFile>();
  readonly runs: TestRun[] = [];
  complete = true;
  runnersKnown = true;

  private readonly places: TestPlaces;

  constructor(private readonly source: ReachSource) {
    this.places = new TestPlaces(source.tests);
  }

  get copies(): ReadonlyMap<string, string> {
    return this.places.copies;
  }

  /**
   * The one file of `tests/` with the name of a path that nothing puts there. Whoever runs that path means this file,
   * and what it does is worth knowing even so.
   */
  private namesake(path: string): string | null {
    if (isAtOrBelow(path, '/tests') || this.source.isInImage(path)) return null;
    const found = [...this.source.tests].filter(([name]) => baseName(name) === baseName(path));
    return found.length === 1 ? (found[0]?.[1] ?? null) : null;
  }

  reach(at: string, via: ReachedFile['via'], folder: string | null, known: string | null = null): void {
    const file = known ?? this.places.fileAt(at);
    if (file === null) return;
    const before = this.files.get(file);
    if (before !== undefined && (before.via !== 'read' || via === 'read')) return;
    if (this.files.size >= maxFiles) {
      this.complete = false;
      return;
    }
    const isShell = via === 'start' || via === 'script' || via === 'source';
    const isPython = !isShell && extensionOf(file) === 'py';
    const shell = isShell ? this.source.shell(file, folderOf(at)) : null;
    const python = isPython ? this.source.python(file) : null;
    this.files.set(file, { file, at, via, folder, shell, python });
    if (shell !== null) this.shell(shell, file, at, folder, via === 'source');
    else if (python !== null) this.python(python, at, folder);
    else if (isShell || isPython || via === 'program') this.complete = false;
    if (shell !== null && shell.errors.length > 0) this.complete = this.runnersKnown = false;
    if (python !== null && python.syntaxError !== null) this.complete = false;
  }

  private shell(script: ShellScript, file: string, at: string, start: string | null, isSourced: boolean): void {
    const visit = ({ command, folder }: Visit): void => {
      const { program, args, programWord } = command;
      if (program === null) {
        if (command.words.length > 0) this.complete = this.runnersKnown = false;
        return;
      }
      if (program === 'source' || program === '.') {
        const path = pathOf(args[0], folder);
        if (path !== null) this.reach(path, 'source', folder);
        return;
      }
      const given = args.map(({ value }) => value);
      if (!this.places.copy(program, given, folder)) this.runnersKnown = false;
      const words = [programWord?.value ?? program, ...args.map(({ value }) => value)];
      // `curl … | sh` installs something.
      const isPiped = args.length === 0 && (command.context.pipeline?.index ?? 0) > 0;
      const started = command.inline === null && !isPiped ? startedBy(words, folder) : null;
      if (started !== null) {
        if (command.heredocs.length > 0 && started.kind === 'other') this.complete = false;
        this.start(started, folder);
        if (started.kind === 'pytest') {
          this.runs.push({
            file,
            start: command.start,
            end: command.end,
            selects: started.selects,
            targets: started.targets.flatMap(({ path, node, word }) => {
              const place = args[word - 1];
              return place === undefined ? [] : [{ path, node, start: place.start, end: place.end }];
            }),
          });
        }
      } else if (runsElsewhere.has(program)) {
        this.complete = this.runnersKnown = false;
      }
      for (const word of args) {
        const path = pathOf(word, folder);
        if (path !== null) this.reach(path, 'read', folder);
        else if (word.value !== null) this.reach(`${folderOf(at)}/${baseName(word.value)}`, 'read', folder);
      }
      for (const { target } of command.redirects) {
        const path = pathOf(target, folder);
        if (path !== null) this.reach(path, 'read', folder);
      }
    };
    walkShell(script, start, visit, { isSourced });
  }

  private start(started: Started, folder: string | null): void {
    switch (started.kind) {
      case 'shell':
      case 'python':
        if (started.path === null) this.complete = this.runnersKnown = false;
        else {
          const known = this.places.fileAt(started.path);
          if (known === null) this.complete = false;
          const file = known ?? this.namesake(started.path);
          if (file !== null) this.reach(started.path, started.kind === 'shell' ? 'script' : 'program', folder, file);
        }
        return;
      case 'other':
        this.complete = false;
        if (started.path !== null) this.reach(started.path, 'program', folder);
        else this.runnersKnown = false;
        return;
      case 'unittest':
        this.complete = this.runnersKnown = false;
        return;
      case 'pytest':
        if (!started.certain) this.runnersKnown = false;
        if (started.targets.length === 0) {
          if (folder === null) this.runnersKnown = false;
          else this.collect(folder, folder);
        }
        for (const { path } of started.targets) this.collect(path, folder);
    }
  }

  private collect(target: string, folder: string | null): void {
    if (this.places.fileAt(target) !== null) {
      this.reach(target, 'pytest', folder);
      this.reach(`${folderOf(target)}/conftest.py`, 'pytest', folder);
      return;
    }
    const known = extensionOf(target) === 'py' ? this.namesake(target) : null;
    if (known !== null) {
      this.complete = false;
      this.reach(target, 'pytest', folder, known);
      return;
    }
    if (/[*?[]/u.test(target)) {
      const pattern = globOf(target);
      for (const at of this.places.below('/')) if (pattern.test(at)) this.reach(at, 'pytest', folder);
      return;
    }
    for (const at of this.places.below(target)) {
      const name = baseName(at);
      if (name === 'conftest.py' || /^test_.*\.py$|_test\.py$/u.test(name)) this.reach(at, 'pytest', folder);
    }
  }

  private python(module: PythonModule, at: string, folder: string | null): void {
    const home = folderOf(at);
    const folders = [home, '/tests'];
    for (const { value } of module.searchPaths) {
      if (value?.kind === 'text') {
        const path = value.inModuleFolder ? absolutePath(value.text, home) : absolutePath(value.text, folder);
        if (path !== null) folders.push(path);
      }
    }
    for (const { module: name, name: taken } of module.imports) {
      const dots = /^\.*/u.exec(name)?.[0].length ?? 0;
      const base = name.slice(dots).replaceAll('.', '/');
      const roots = dots === 0 ? folders : [absolutePath('../'.repeat(dots - 1) || '.', home) ?? home];
      for (const root of roots) {
        for (const path of [base, `${base}/__init__`, ...(taken === null ? [] : [`${base}/${taken}`])]) {
          const place = absolutePath(`${path}.py`, root);
          if (place !== null) this.reach(place, 'import', folder);
        }
      }
    }
    for (const { path } of module.files) {
      if (path === null) continue;
      const place = absolutePath(path.text, path.from === 'module' ? home : folder);
      if (place !== null) this.reach(place, 'read', folder);
    }
    for (const { argv, cwd } of module.commands) {
      if (argv === null) continue;
      const at = cwd === null ? folder : absolutePath(cwd.text, cwd.from === 'module' ? home : folder);
      const started = startedBy(argv[0] === null ? ['python3', ...argv.slice(1)] : argv, at);
      if (started !== null && started.kind !== 'other' && started.kind !== 'unittest') this.start(started, at);
    }
    // A name of a file that stands in a string may be put together with a folder in a way that reading does not follow.
    for (const { text } of module.strings) {
      if (text === null || text.length > 300 || text.includes('\n')) continue;
      const place = text.startsWith('/') ? text : `${home}/${text}`;
      const path = absolutePath(place, null);
      if (path !== null) this.reach(path, 'read', folder);
    }
  }
}

/** Programs that run tests in ways of their own. */
const runsElsewhere = new Set(
  'npm npx yarn pnpm bun cargo go make cmake ctest mvn gradle dotnet java rspec bats jest vitest mocha tox nox nosetests'.split(
    ' ',
  ),
);

function globOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|\\]/gu, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    return /^$/u;
  }
}
