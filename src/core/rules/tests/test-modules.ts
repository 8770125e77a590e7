import { steps } from '../../model/steps';
import { pythonReader } from '../../model/readers/python';
import type { Derivation, Subject } from '../../model/subject';
import type { ResolveModule } from '../../text/python/checks';
import { callCanFail } from '../../text/python/checks';
import { isCollectedFile } from '../../text/python/collect';
import type { Block, Call, Check, PythonFunction, PythonModule, TestFunction } from '../../text/python/module';
import type { FilePath } from '../../text/python/value';
import type { Claim } from '../rule';

/** A Python file of the verifier. */
export interface TestModule {
  /** Relative to the task folder. */
  readonly file: string;
  readonly module: PythonModule;
  /** The tests that count; none in a helper, or in a file that cannot be read. */
  readonly tests: readonly TestFunction[];
  /** Finds the task's own modules that the file imports. */
  readonly resolve: ResolveModule;
}

/**
 * The Python files that take part in the verification of any step: those that pytest collects, programs that the test
 * script names, and the task's own modules that these import. A file that merely lies in `tests/` may be anything, such
 * as a sample of bad code.
 */
export const testModules: Derivation<readonly TestModule[]> = {
  name: 'test-modules',
  derive: (subject) => {
    const found = new Map<string, TestModule>();
    for (const { tests, testScript } of subject.derive(steps)) {
      const script = testScript === null ? '' : (subject.text(testScript) ?? '');
      const todo = [...tests.keys()].filter((place) => takesPart(place, script));
      for (let place = todo.pop(); place !== undefined; place = todo.pop()) {
        const file = tests.get(place);
        if (file === undefined || found.has(file)) continue;
        const made = moduleAt(subject, tests, place, file);
        if (made === null) continue;
        found.set(file, made);
        todo.push(...made.module.imports.flatMap(({ module }) => importedPlace(tests, place, module) ?? []));
      }
    }
    return [...found.values()].sort((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0));
  },
};

const materialFolder =
  /(?:^|\/)(?:fixtures?|data|cases|samples?|examples?|golden|expected|resources|assets|projects?|inputs?|snapshots?|templates?)\//iu;

function takesPart(place: string, script: string): boolean {
  if (!place.endsWith('.py')) return false;
  const name = place.slice(place.lastIndexOf('/') + 1);
  if (script.includes(place)) return true;
  return !materialFolder.test(place) && (isCollectedFile(name) || name === 'conftest.py' || script.includes(name));
}

function moduleAt(
  subject: Subject,
  tests: ReadonlyMap<string, string>,
  place: string,
  file: string,
): TestModule | null {
  const module = subject.read(pythonReader, file);
  if (module === null) return null;
  const name = place.slice(place.lastIndexOf('/') + 1);
  // A runner that is given a file collects from it whatever its name.
  const isCollected = isCollectedFile(name) || module.tests.some((one) => one.unittest);
  return {
    file,
    module,
    tests: module.syntaxError === null && isCollected ? module.tests : [],
    resolve: (imported) => {
      const other = importedPlace(tests, place, imported);
      const path = other === null ? undefined : tests.get(other);
      return path === undefined ? null : subject.read(pythonReader, path);
    },
  };
}

/** Where below `/tests` a module lies that a file imports. */
function importedPlace(tests: ReadonlyMap<string, string>, from: string, imported: string): string | null {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  const path = imported.replace(/^\.+/u, '').replaceAll('.', '/');
  const places = [
    `${folder}${path}.py`,
    `${path}.py`,
    `${folder}${path}/__init__.py`,
    `${path.replace(/^tests\//u, '')}.py`,
  ];
  return places.find((place) => tests.has(place)) ?? null;
}

/** Those whose tree can be relied on: a file that does not parse is said to be so, and nothing else. */
export function soundModules(subject: Subject): readonly TestModule[] {
  return subject.derive(testModules).filter(({ module }) => module.syntaxError === null);
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A claim at a stretch of a test file. */
export function* claimIn(
  subject: Subject,
  { file, module }: TestModule,
  span: Span,
  claim: Omit<Claim, 'file' | 'range' | 'section'>,
): Generator<Claim> {
  const lines = subject.lines(file);
  if (lines === null) return;
  const around = functionAround(module, span);
  yield {
    ...claim,
    file,
    range: lines.range(span.start, span.end),
    ...(around !== null && { section: around.path }),
  };
}

function functionAround(module: PythonModule, { start, end }: Span): PythonFunction | null {
  let found: PythonFunction | null = null;
  for (const one of module.functions) {
    if (one.node.start > start) break;
    if (one.node.end >= end) found = one;
  }
  return found;
}

/** The instructions that an agent has read, joined. */
export function instructionText(subject: Subject): string {
  return subject
    .derive(steps)
    .map(({ instruction }) => (instruction === null ? '' : (subject.text(instruction) ?? '')))
    .join('\n');
}

export function isIn(block: Block, outer: Block): boolean {
  for (let at: Block | null = block; at !== null; at = at.parent) if (at === outer) return true;
  return false;
}

/** The nearest block around, itself included, that is one of these kinds; not beyond the function. */
export function within(block: Block, kinds: readonly Block['kind'][]): Block | null {
  for (let at: Block | null = block; at !== null; at = at.parent) {
    if (kinds.includes(at.kind)) return at;
    if (at.kind === 'function' || at.kind === 'class') return null;
  }
  return null;
}

/** What can fail in a function: its own checks, and its calls of helpers that have some or cannot be seen into. */
export function failures(
  test: TestModule,
  called: PythonFunction,
): readonly (Check | { node: Check['node']; block: Block })[] {
  const { module, resolve } = test;
  const { checks, calls } = contentsOf(module);
  const own = checks.get(called.body) ?? [];
  const checking = new Set(own.map(({ node }) => node));
  const helpers = (calls.get(called.body) ?? []).filter(
    (call) => !checking.has(call.node) && callCanFail(module, call, resolve) !== 'no',
  );
  return [...own, ...helpers];
}

interface Contents {
  readonly checks: ReadonlyMap<Block, readonly Check[]>;
  readonly calls: ReadonlyMap<Block, readonly Call[]>;
}

const contents = new WeakMap<PythonModule, Contents>();

/** What is in each function, gone through once: thousands of tests would each look at the whole file. */
function contentsOf(module: PythonModule): Contents {
  const known = contents.get(module) ?? { checks: byFunction(module.checks), calls: byFunction(module.calls) };
  contents.set(module, known);
  return known;
}

function byFunction<Part extends { readonly block: Block }>(all: readonly Part[]): ReadonlyMap<Block, readonly Part[]> {
  const found = new Map<Block, Part[]>();
  for (const part of all) {
    for (let at: Block | null = part.block; at !== null; at = at.parent) {
      if (at.kind !== 'function') continue;
      const list = found.get(at);
      if (list === undefined) found.set(at, [part]);
      else list.push(part);
    }
  }
  return found;
}

const notTheAgents =
  /^\/(?:tests|proc|sys|dev|etc|usr|bin|sbin|lib|lib64|boot|run|logs\/verifier|tmp|var\/tmp)(?:\/|$)/u;

/** Whether a file may be the agent's work: no file of the tests, of the system, or of scratch folders. */
export function isAgentPath(path: FilePath | null): boolean {
  return path !== null && path.from !== 'module' && !notTheAgents.test(path.text);
}
