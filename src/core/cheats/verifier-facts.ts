import { absolutePath, baseName, isSystemPath } from '../model/container-path';
import type { Image } from '../model/image';
import type { RawUse } from '../model/path-uses';
import { usesIn } from '../model/path-uses';
import { pathOf, walkShell } from '../model/shell-walk';
import { startedBy } from '../model/started-program';
import type { StepView } from '../model/step-views';
import type { Subject } from '../model/subject';
import { eachShellNode } from '../text/shell/nodes';
import type { ShellCommand, ShellScript } from '../text/shell/script';
import type { PathUse, RunnerFact } from './facts';
import { quotedPaths, quotedSuccess } from './other-languages';
import { standardModules } from './python-modules';
import { successWordsIn } from './success-words';
import type { CodePiece } from './verifier-files';
import { languageOf, verifierFiles } from './verifier-files';

export interface VerifierFacts {
  readonly imports: readonly string[];
  /** Neither standard library nor files in `tests/`. */
  readonly foreignImports: readonly string[];
  readonly commands: readonly string[];
  readonly pathUses: readonly PathUse[];
  readonly successWords: readonly string[];
  readonly usesPython: boolean;
  readonly usesPytest: boolean;
  readonly runners: readonly RunnerFact[];
  /** Absolute paths of programs that are run. */
  readonly programs: readonly string[];
}

const maxSuccessWords = 20;

/** What the files in `tests/` run, read and look for. */
export function verifierFacts(subject: Subject, view: StepView): VerifierFacts {
  const { step, tests } = view;
  const { code, others, complete } = verifierFiles(subject, view);
  const modules = code.flatMap(({ reached }) => reached.python ?? []);
  const imports = [...new Set(modules.flatMap((module) => module.imports.flatMap(({ module: name }) => topOf(name))))];
  const own = ownModules(step.tests, (file) => subject.text(file) ?? '');
  const script = code.find(({ reached }) => reached.shell !== null && reached.file === step.testScript);
  const otherLines = others.flatMap((file) => {
    const lines = subject.lines(file);
    return lines === null ? [] : [{ file, lines }];
  });
  const lineOf = (file: string, offset: number): number => subject.lines(file)?.position(offset).line ?? 0;
  const uses = code.map((piece) => ({ piece, uses: usesOf(piece) }));
  return {
    imports,
    foreignImports: imports.filter((name) => !standardModules.has(name) && !own.has(name)),
    commands: script?.reached.shell ? commandNames(script.reached.shell) : [],
    pathUses: distinct([
      ...uses.flatMap(({ piece, uses: found }) =>
        found
          .filter(({ path }) => path !== '/')
          .map(({ path, start }) => ({
            path,
            file: piece.reached.file,
            line: lineOf(piece.reached.file, piece.base + start),
          })),
      ),
      ...otherLines.flatMap(({ file, lines }) => quotedPaths(lines).map((found) => ({ ...found, file }))),
    ]),
    successWords: [
      ...new Set([
        ...code.flatMap(({ reached }) => successWordsIn(reached)),
        ...otherLines.flatMap(({ lines }) => quotedSuccess(lines)),
      ]),
    ].slice(0, maxSuccessWords),
    // That a word stands nowhere is a matter of the texts; what is made of it takes no reader.
    usesPython:
      !complete ||
      modules.length > 0 ||
      [...step.tests].some(([name, file]) => languageOf(name, subject.text(file) ?? '') === 'python') ||
      /\b(?:python[0-9.]*|pytest|py\.test|uvx?|pipx?|tox|nox)\b/u.test(tests),
    usesPytest: !complete || /\b(?:pytest|py\.test)\b/u.test(tests),
    runners: code.flatMap((piece) => runnersIn(piece, (offset) => lineOf(piece.reached.file, piece.base + offset))),
    programs: [
      ...new Set([
        ...uses.flatMap(({ uses: found }) => found.flatMap(({ action, path }) => (action === 'run' ? [path] : []))),
        ...code.flatMap(programsPassedOn),
      ]),
    ],
  };
}

/** `requests` of `requests.auth`; nothing of a relative import. */
function topOf(module: string): readonly string[] {
  const [top = ''] = module.split('.');
  return top === '' ? [] : [top];
}

/** Modules that the tests bring: a file, or a folder that holds some. */
function ownModules(tests: ReadonlyMap<string, string>, textOf: (file: string) => string): ReadonlySet<string> {
  const own = new Set<string>();
  for (const [name, file] of tests) {
    if (languageOf(name, textOf(file)) !== 'python') continue;
    own.add(baseName(name).replace(/\.py$/u, ''));
    for (const folder of name.split('/').slice(0, -1)) own.add(folder);
  }
  return own;
}

function commandNames({ commands }: ShellScript): readonly string[] {
  return commands.flatMap(({ program, programWord, inline }) => [
    ...(program === null ? [] : [programWord?.value ?? program]),
    ...(inline === null ? [] : commandNames(inline)),
  ]);
}

type Use = Pick<RawUse, 'path' | 'start' | 'action'>;

const wholePath = /^\/[A-Za-z0-9._@+-]+(?:\/[A-Za-z0-9._@+-]+)*\/?$/u;

/** The paths that a piece names: those of its commands and calls, then those of which only the text tells. */
function usesOf({ reached }: CodePiece): readonly Use[] {
  const uses: Use[] = [...usesIn(reached)];
  if (reached.shell !== null) {
    walkShell(reached.shell, reached.folder, ({ command, folder }) => {
      for (const word of command.args) {
        const given = /^[\w-]+=(\/.*)$/u.exec(word.value ?? '')?.[1];
        if (given !== undefined && wholePath.test(given)) add(given, word.start);
      }
      const sourced = command.program === 'source' || command.program === '.' ? pathOf(command.args[0], folder) : null;
      if (sourced !== null) uses.push({ path: sourced, start: command.start, action: 'run' });
    });
  }
  // `done < /data/in.csv`
  for (const node of eachShellNode(reached.shell?.body ?? []))
    if ('redirects' in node)
      for (const { target } of node.redirects)
        if (target.value !== null && wholePath.test(target.value)) add(target.value, target.start);
  const named = new Set(uses.map(({ path }) => path));
  for (const { text, node, bare } of reached.python?.strings ?? []) {
    if (!bare && text !== null && text.length < 300 && wholePath.test(text) && !named.has(text)) add(text, node.start);
  }
  return uses;

  function add(path: string, start: number): void {
    uses.push({ path: absolutePath(path, null) ?? path, start, action: 'argument' });
  }
}

/**
 * Programs that a Python file starts by a text for a shell, or by way of a helper of another file: what the call of
 * `run` or `execute` is given.
 */
function programsPassedOn({ reached: { python, folder } }: CodePiece): readonly string[] {
  if (python === null) return [];
  const lines = [
    ...python.commands.flatMap(({ shell }) => (shell === null ? [] : [shell.trim().split(/\s+/u)])),
    ...python.calls.flatMap((call) => {
      const { name, receiver } = call;
      const [first] = call.arguments;
      const isHelper = receiver === null && /^_?(?:run|call|exec|spawn|invoke|start)/iu.test(name);
      if (!isHelper || first === undefined || python.functionOf(call) !== null) return [];
      const value = python.fold(first);
      if (value?.kind === 'text') return [value.text.trim().split(/\s+/u)];
      if (value?.kind !== 'list' && value?.kind !== 'tuple') return [];
      return [value.items.map((item) => (item?.kind === 'text' ? item.text : null))];
    }),
  ];
  return lines.flatMap((words) => {
    const started = startedBy(words, folder);
    return started === null || started.kind === 'pytest' || started.kind === 'unittest' ? [] : (started.path ?? []);
  });
}

function runnersIn({ reached }: CodePiece, lineOf: (offset: number) => number): readonly RunnerFact[] {
  const found: RunnerFact[] = [];
  const { file, shell, python, folder: start } = reached;
  if (shell !== null) {
    walkShell(shell, start, ({ command, folder }) => {
      const words = wordsOf(command);
      const runner = runnerOf(words, folder);
      if (runner !== null)
        found.push({
          runner,
          words: words.map((word, at) => word ?? command.args[at - 1]?.text ?? ''),
          file,
          line: lineOf(command.start),
        });
    });
  }
  for (const { argv, commandNode } of python?.commands ?? []) {
    // `sys.executable`
    const words = argv?.[0] === null ? ['python3', ...argv.slice(1)] : (argv ?? []);
    // Other programs that a test starts with Python are the agent's, as a rule.
    if (startedBy(words, null)?.kind === 'pytest')
      found.push({ runner: 'pytest', words: words.map((word) => word ?? '…'), file, line: lineOf(commandNode.start) });
  }
  return found;
}

function wordsOf({ program, programWord, args }: ShellCommand): readonly (string | null)[] {
  return program === null ? [] : [programWord?.value ?? program, ...args.map(({ value }) => value)];
}

function runnerOf(words: readonly (string | null)[], folder: string | null): RunnerFact['runner'] | null {
  const started = startedBy(words, folder);
  if (started?.kind === 'pytest') return 'pytest';
  const program = baseName(words[0] ?? '');
  if (/^python[0-9.]*$/u.test(program)) return 'python';
  // `uv run check.py`, `coverage run -m unittest`
  return /^(?:uv|pipx|coverage)$/u.test(program) && words[1] === 'run' ? 'python' : null;
}

function distinct(uses: readonly PathUse[]): readonly PathUse[] {
  return [...new Map(uses.map((use) => [`${use.file}:${use.line}:${use.path}`, use])).values()];
}

const interpreter = /^(?:(?:python|pypy|pytest|pip)[0-9.]*|(?:ba|da|z)?sh|node|perl|ruby|php|uvx?|pipx)$/u;

/** Is a program one that the task's own Dockerfile brought? Interpreters are tools, whoever put them there. */
export function isOwnProgram(image: Image, path: string): boolean {
  if (interpreter.test(baseName(path))) return false;
  if (image.files.has(path)) return true;
  return (
    !isSystemPath(path) &&
    image.gaps.some(({ below }) => below !== null && path.startsWith(below === '/' ? below : `${below}/`))
  );
}
