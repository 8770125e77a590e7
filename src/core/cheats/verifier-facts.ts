import type { FactInput, PathUse, Place, RunnerFact, TaskText } from './facts';
import { resolvePath } from './dockerfile-paths';
import { standardModules } from './python-modules';
import type { ShellCommand } from './shell-commands';
import { programWords, shellCommands } from './shell-commands';

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
  readonly programs: readonly PathUse[];
}

const interpreters = /^(?:python[0-9.]*|bash|sh|dash|node|perl|ruby|php)$/;
const shellFile = /\.(?:sh|bash)$/;
const quotedPath = /(["'`])(\/[A-Za-z0-9._@+-]+(?:\/[A-Za-z0-9._@+-]+)*\/?)\1/g;
const success =
  /\b(?:pass(?:ed)?|ok(?:ay)?|success(?:ful(?:ly)?)?|all (?:tests|checks) passed|valid|verified|correct|done|good)\b/i;

/** What the files in `tests/` run, read and look for. */
export function verifierFacts(input: FactInput, workdir: string): VerifierFacts {
  const shells = input.tests.filter(({ path, text }) => shellFile.test(path) || /^#!.*\b(?:ba|da)?sh\b/.test(text));
  const pythons = input.tests.filter(({ path, text }) => path.endsWith('.py') || /^#!.*\bpython/.test(text));
  const script = input.tests.find(({ path }) => path === input.testScript);
  const parsed = shells.map((file) => ({ file, commands: expanded(shellCommands(file.text)) }));
  const everything = input.tests.map(({ text }) => text).join('\n');
  const own = new Set(pythons.map(({ path }) => path.replace(/^.*\//, '').replace(/\.py$/, '')));
  // A folder in tests/ can be a package too.
  for (const { path } of pythons) for (const folder of path.split('/').slice(1, -1)) own.add(folder);
  const imports = [...new Set(pythons.flatMap(({ text }) => importedModules(text)))];

  return {
    imports,
    foreignImports: imports.filter((name) => !standardModules.has(name) && !own.has(name)),
    commands:
      script === undefined
        ? []
        : expanded(shellCommands(script.text)).flatMap(({ words }) => programWords(words)[0] ?? []),
    pathUses: [
      ...parsed.flatMap(({ file, commands }) => shellPaths(file, commands)),
      ...input.tests.filter(({ path }) => !shellFile.test(path)).flatMap(quotedPaths),
    ],
    successWords: [...new Set([...input.tests.flatMap(lookedFor)])].slice(0, 20),
    usesPython:
      !input.testsComplete ||
      pythons.length > 0 ||
      /\b(?:python[0-9.]*|pytest|py\.test|uvx?|pipx?|tox|nox)\b/.test(everything),
    usesPytest: !input.testsComplete || /\b(?:pytest|py\.test)\b/.test(everything),
    runners: parsed.flatMap(({ file, commands }) => runners(file, commands)),
    programs: [
      ...parsed.flatMap(({ file, commands }) => shellPrograms(file, commands, workdir)),
      ...pythons.flatMap(pythonPrograms),
    ],
  };
}

/** Puts the values of variables in that a script sets to a plain text; the first value counts. */
function expanded(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  const values = new Map<string, string>();
  const expand = (word: string): string =>
    word.replace(
      /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g,
      (all, plain?: string, braced?: string) => values.get(plain ?? braced ?? '') ?? all,
    );
  return commands.map(({ words, writes, line }) => {
    const command = { words: words.map(expand), writes: writes.map(expand), line };
    for (const word of words[0] === 'export' ? command.words.slice(1) : command.words) {
      const assignment = /^([A-Za-z_]\w*)=(.*)$/.exec(word);
      if (assignment === null) break;
      const [, name = '', value = ''] = assignment;
      if (!value.includes('$') && !values.has(name)) values.set(name, value);
    }
    return command;
  });
}

function importedModules(python: string): readonly string[] {
  const names: string[] = [];
  for (const match of python.matchAll(
    /^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import\b|import[ \t]+([^\n#;]+))/gm,
  )) {
    if (match[1] !== undefined) names.push(match[1]);
    for (const part of (match[2] ?? '').split(',')) {
      const name = /^\s*([A-Za-z_]\w*)/.exec(part)?.[1];
      if (name !== undefined) names.push(name);
    }
  }
  return names;
}

function shellPaths(file: TaskText, commands: readonly ShellCommand[]): readonly PathUse[] {
  return commands.flatMap(({ words, writes, line }) =>
    [...words, ...writes].flatMap((word) => {
      const match = /^(?:[\w-]+=)?(\/[A-Za-z0-9._@+-]+(?:\/[A-Za-z0-9._@+-]+)*)\/?$/.exec(word);
      return match === null ? [] : [{ path: match[1] ?? '', file: file.path, line }];
    }),
  );
}

function quotedPaths(file: TaskText): readonly PathUse[] {
  return file.text
    .split('\n')
    .flatMap((text, line) =>
      [...text.matchAll(quotedPath)].map((match) => ({ path: match[2] ?? '', file: file.path, line })),
    );
}

/** Texts of success that a line of a test compares with or searches. */
function lookedFor(file: TaskText): readonly string[] {
  const asks = shellFile.test(file.path)
    ? /\b(?:grep|case|test)\b|\[\[? |==? /
    : /\bassert|\bin\b|[=!]=|\.(?:search|match|startswith|endswith|find|index)\(|assert[A-Z]|expect\(|\bre\./;
  return file.text.split('\n').flatMap((line) => {
    if (/^\s*(?:#|def |class |echo |printf |print\()/.test(line) || !asks.test(line)) return [];
    return [...line.matchAll(/(["'])((?:(?!\1)[^\\])*)\1/g)]
      .map((match) => (match[2] ?? '').trim())
      .filter((text) => text.length <= 60 && success.test(text) && !/[{}$%\\/]/.test(text));
  });
}

function runners(file: TaskText, commands: readonly ShellCommand[]): readonly RunnerFact[] {
  return commands.flatMap(({ words, line }): RunnerFact[] => {
    const program = programWords(words);
    const name = (program[0] ?? '').replace(/^.*\//, '');
    const place = { words: program, file: file.path, line };
    if (/^(?:pytest|py\.test)/.test(name)) return [{ ...place, runner: 'pytest' }];
    if (/^(?:python|uvx?$|pipx$|coverage$)/.test(name))
      return [
        {
          ...place,
          runner: program.slice(1).some((word) => /^(?:pytest|py\.test)\b/.test(word)) ? 'pytest' : 'python',
        },
      ];
    return [];
  });
}

/** Programs that a script starts by path, also as the operand of an interpreter or relative to a `cd`. */
function shellPrograms(file: TaskText, commands: readonly ShellCommand[], workdir: string): readonly PathUse[] {
  const programs: PathUse[] = [];
  let folder = workdir;
  for (const { words, line } of commands) {
    const program = programWords(words);
    const name = program[0] ?? '';
    if (name === 'cd') {
      const target = program[1];
      if (target !== undefined && !/[$~]/.test(target)) folder = resolvePath(folder, target);
      continue;
    }
    const place: Place = { file: file.path, line };
    if (name.includes('/') && !name.includes('$')) programs.push({ path: resolvePath(folder, name), ...place });
    if (interpreters.test(name.replace(/^.*\//, '')) || name === '.' || name === 'source') {
      const operand = program.slice(1).find((word) => !word.startsWith('-'));
      const runsText = program.slice(1).some((word) => word === '-c' || word === '-m');
      if (operand !== undefined && !runsText && !operand.includes('$'))
        programs.push({ path: resolvePath(folder, operand), ...place });
    }
  }
  return programs;
}

const starts =
  /\b(?:subprocess\.\w+|Popen|check_output|check_call|os\.(?:system|exec\w*|spawn\w*)|pexpect\.\w+|run\w*|call)\(/g;

/** Paths in a Python test that stand in a call which starts a process, also some lines below its beginning. */
function pythonPrograms(file: TaskText): readonly PathUse[] {
  const lines = file.text.split('\n');
  return quotedPaths(file).filter(({ path, line }) => {
    const own = lines[line] ?? '';
    const before = [...lines.slice(Math.max(0, line - 3), line), own.slice(0, own.indexOf(path))].join('\n');
    const start = [...before.matchAll(starts)].at(-1);
    if (start === undefined) return false;
    return isOpen(before.slice(start.index));
  });
}

/** Whether the first bracket of a text is still open at its end. */
function isOpen(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1;
    if (depth === 0) return false;
  }
  return true;
}
