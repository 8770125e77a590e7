import { baseName } from '../../model/container-path';
import type { ShellCommand, ShellWord } from '../../text/shell/script';
import { isInterpreter, isPython, isShell } from '../../text/shell/names';

/** A command that finds out whether the work is right. */
export interface Grader {
  readonly command: ShellCommand;
  readonly kind: 'pytest' | 'unittest' | 'script' | 'runner';
  /** The word that says what it is: `pytest`, the script, `test` of `npm test`. */
  readonly word: ShellWord;
  /** The words after that one. */
  readonly args: readonly ShellWord[];
  /** Started as `python -m …`, so that the working directory is searched for modules first. */
  readonly asModule: boolean;
}

const grading =
  /(?:^|[^a-z])(?:tests?|grade[rs]?|grading|check(?:er|s)?|verif(?:y|ier)|score[rs]?|eval(?:uate|uator)?|judge|validate|validator|assert)(?:[^a-z]|$)/u;

/** Does a file's name say that it judges? `test_outputs.py`, `run-checks.sh`, `grade.py`. */
export function isGraderName(path: string): boolean {
  return grading.test(
    baseName(path)
      .replace(/([a-z])([A-Z])/gu, '$1_$2')
      .replace(/\.\w+$/u, '')
      .toLowerCase(),
  );
}

/** null for whatever is not known to judge: installing, preparing, starting the agent's own program. */
export function graderOf(command: ShellCommand): Grader | null {
  const { program, programWord, args } = command;
  if (program === null || programWord === null) return null;
  return graderIn(command, [programWord, ...args], program);
}

/** Programs that run another one in an environment of their own, and options of theirs with a value. */
const runners = /^(?:uvx|uv|pipx|poetry|hatch|pdm|pixi|conda|mamba|micromamba|coverage|xvfb-run)$/u;
const valued =
  /^(?:-p|--python|-w|--with|--from|--package|--with-requirements|--with-editable|-n|--name|--extra|--group|--directory|--project|-C|--env-file|--index-url|--index|--rcfile|-i|--spec|-s|--server-args)$/u;

function graderIn(
  command: ShellCommand,
  words: readonly ShellWord[],
  program = baseName(words[0]?.value ?? ''),
): Grader | null {
  const [first, ...rest] = words;
  if (first === undefined || program === '') return null;
  if (program === 'pytest' || program === 'py.test')
    return { command, kind: 'pytest', word: first, args: rest, asModule: false };
  if (runners.test(program)) {
    const at = startedAt(words);
    return at === null ? null : graderIn(command, words.slice(at));
  }
  if (isPython(program)) return pythonGrader(command, rest);
  if (isShell(program) || isInterpreter(program)) return scriptGrader(command, program, rest);
  const action = rest.find((word) => !word.prefix.startsWith('-'));
  if (action !== undefined && isTestRun(program, action.value ?? ''))
    return { command, kind: 'runner', word: action, args: rest.slice(rest.indexOf(action) + 1), asModule: false };
  if (/^(?:jest|vitest|mocha|ava|ctest|bats|rspec|phpunit|tox|nox|nosetests|busted|prove)$/u.test(program))
    return { command, kind: 'runner', word: first, args: rest, asModule: false };
  if (first.value?.startsWith('/tests/') === true && isGraderName(first.value))
    return { command, kind: 'script', word: first, args: rest, asModule: false };
  return null;
}

/** Where the program starts that `uv run` and its like start. */
function startedAt(words: readonly ShellWord[]): number | null {
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.value ?? null;
    if (text === null) return null;
    if (valued.test(text)) at++;
    else if (!text.startsWith('-') && !/^(?:run|tool|exec)$/u.test(text)) return at;
    else if (text === '-m') return null;
  }
  return null;
}

function pythonGrader(command: ShellCommand, args: readonly ShellWord[]): Grader | null {
  for (const [i, word] of args.entries()) {
    const text = word.value ?? '';
    if (/^-[A-Za-z]*c$/u.test(text) || text === '-') return null;
    if (/^-[A-Za-z]*m$/u.test(text)) {
      const module = args[i + 1];
      const rest = args.slice(i + 2);
      if (module?.value === 'pytest' || module?.value === 'py.test')
        return { command, kind: 'pytest', word: module, args: rest, asModule: true };
      if (module?.value === 'unittest') return { command, kind: 'unittest', word: module, args: rest, asModule: true };
      if (module?.value === 'coverage') return graderIn(command, args.slice(i + 1));
      return null;
    }
    if (!text.startsWith('-'))
      return isGraderName(text) ? { command, kind: 'script', word, args: args.slice(i + 1), asModule: false } : null;
    if (text === '-W' || text === '-X') return null;
  }
  return null;
}

function scriptGrader(command: ShellCommand, program: string, args: readonly ShellWord[]): Grader | null {
  if (program === 'node' && args.some((word) => word.value === '--test')) {
    const word = args.find((one) => one.value === '--test');
    return word === undefined ? null : { command, kind: 'runner', word, args, asModule: false };
  }
  const at = args.findIndex((word) => !word.prefix.startsWith('-'));
  const word = args[at];
  if (word === undefined || args.slice(0, at).some((one) => /^-[a-z]*[ces]$/u.test(one.value ?? ''))) return null;
  if (/^(?:deno|bun)$/u.test(program) && word.value === 'test')
    return { command, kind: 'runner', word, args: args.slice(at + 1), asModule: false };
  return word.value !== null && isGraderName(word.value)
    ? { command, kind: 'script', word, args: args.slice(at + 1), asModule: false }
    : null;
}

function isTestRun(program: string, action: string): boolean {
  switch (program) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'cargo':
    case 'go':
    case 'mvn':
    case 'gradle':
    case 'gradlew':
    case 'mvnw':
    case 'dotnet':
    case 'mix':
    case 'swift':
    case 'zig':
    case 'stack':
    case 'cabal':
      return action === 'test' || action === 't';
    case 'make':
    case 'ninja':
    case 'just':
      return action === 'test' || action === 'check';
    case 'npx':
      return /^(?:jest|vitest|mocha|ava|playwright)$/u.test(action);
    default:
      return false;
  }
}
