import type { Call, Decorator, Fixture, PythonClass, PythonFunction, TestFunction } from './module';

/** What a configuration of pytest says of collection; patterns as pytest writes them, `test_*`. */
export interface CollectOptions {
  readonly pythonFiles: readonly string[];
  readonly pythonFunctions: readonly string[];
  readonly pythonClasses: readonly string[];
}

export const defaultCollection: CollectOptions = {
  pythonFiles: ['test_*.py', '*_test.py'],
  pythonFunctions: ['test'],
  pythonClasses: ['Test'],
};

/** Whether pytest looks into a file when it is given the folder. */
export function isCollectedFile(file: string, { pythonFiles }: CollectOptions = defaultCollection): boolean {
  return pythonFiles.some((pattern) => matches(pattern, file, false));
}

/** The tests of a file, as pytest finds them once it is given the file. */
export function testFunctions(
  functions: readonly PythonFunction[],
  classes: readonly PythonClass[],
  options: CollectOptions,
): readonly TestFunction[] {
  const cases = testCases(classes);
  return functions.flatMap((candidate): TestFunction[] => {
    const { parent, class: owner } = candidate;
    const isCase = owner !== null && cases.has(owner);
    // A method of a TestCase follows unittest's own naming.
    const named = isCase
      ? candidate.name.startsWith('test')
      : options.pythonFunctions.some((pattern) => matches(pattern, candidate.name, true));
    if (!named || fixtureMark(candidate) !== null || candidate.decorators.some(({ name }) => isProperty(name)))
      return [];
    if (owner === null ? !isModuleLevel(candidate) : parent.kind !== 'class' || !isCollected(owner, options, cases))
      return [];
    const marks = [...(owner?.decorators ?? []), ...candidate.decorators];
    return [
      {
        function: candidate,
        parametrize: marks.flatMap((mark): Call[] =>
          mark.name.endsWith('mark.parametrize') && mark.call !== null ? [mark.call] : [],
        ),
        marks: marks.filter(({ name }) => /(?:^|\.)(?:mark\.\w+|skip|skipIf|skipUnless|expectedFailure)$/u.test(name)),
        unittest: isCase,
      },
    ];
  });
}

/** Defined at the top, or in an `if` or `try` there. */
function isModuleLevel({ parent }: PythonFunction): boolean {
  return parent.function === null && parent.class === null;
}

function isCollected(owner: PythonClass, options: CollectOptions, cases: ReadonlySet<PythonClass>): boolean {
  if (owner.parent.function !== null) return false;
  if (cases.has(owner)) return true;
  if (!options.pythonClasses.some((pattern) => matches(pattern, owner.name, true))) return false;
  const outer = owner.parent.class;
  return !(owner.body.names?.has('__init__') ?? false) && (outer === null || isCollected(outer, options, cases));
}

/** Classes that derive from `unittest.TestCase`, also by another class of the file. */
function testCases(classes: readonly PythonClass[]): ReadonlySet<PythonClass> {
  const cases = new Set<PythonClass>();
  const names = new Set<string>();
  for (const candidate of classes)
    if (candidate.bases.some((base) => /(?:^|\.)(?:\w*TestCase)$/u.test(base) || names.has(base))) {
      cases.add(candidate);
      names.add(candidate.name);
    }
  return cases;
}

function isProperty(name: string): boolean {
  return (
    name === 'property' || name.endsWith('.setter') || name === 'contextmanager' || name === 'contextlib.contextmanager'
  );
}

/** The mark that makes a function a fixture. */
function fixtureMark(candidate: PythonFunction): Decorator | null {
  return candidate.decorators.find(({ name }) => /(?:^|\.)(?:yield_)?fixture$/u.test(name)) ?? null;
}

export function fixturesOf(
  functions: readonly PythonFunction[],
  source: (node: { start: number; end: number }) => string,
): readonly Fixture[] {
  return functions.flatMap((candidate): Fixture[] => {
    const mark = fixtureMark(candidate);
    if (mark === null) return [];
    const keywords = mark.call?.keywords;
    const name = keywords?.get('name');
    const autouse = keywords?.get('autouse');
    return [
      {
        function: candidate,
        name: name?.type === 'string' ? source(name).replace(/^\w*["']|["']$/gu, '') : candidate.name,
        autouse: autouse?.type === 'true',
        params: keywords?.get('params') ?? null,
      },
    ];
  });
}

/** `pattern` is a prefix, for names, or a glob with `*` and `?`. */
function matches(pattern: string, name: string, prefix: boolean): boolean {
  if (!/[*?]/u.test(pattern)) return prefix ? name.startsWith(pattern) : name === pattern;
  return globMatches(pattern, name);
}

/** Linear: on a mismatch only the last `*` is tried again. */
function globMatches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let inPattern = 0;
  while (at < name.length) {
    const char = pattern[inPattern];
    if (char === '*') {
      star = inPattern++;
      resume = at;
    } else if (char !== undefined && (char === '?' || char === name[at])) {
      inPattern++;
      at++;
    } else if (star !== -1) {
      inPattern = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
