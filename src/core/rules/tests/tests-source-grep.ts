import type { Call, PythonModule } from '../../text/python/module';
import { bare } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Severity } from '../../finding';
import type { Rule } from '../rule';
import { assertedComparisons, operands, plainText } from './asserted';
import { shortened } from './constant-condition';
import type { TestModule } from './test-modules';
import { claimIn, failures, instructionText, isAgentPath, soundModules } from './test-modules';

export const testsSourceGrep: Rule = {
  id: 'tests-source-grep',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests', 'instruction'],
  needsDisk: true,
  why: 'A test that searches source text is narrow: it rejects a correct program that is written another way, and a comment with the word in it passes.',
  docs: {
    finds:
      'An assertion that looks for words in the text of a program that the agent writes. Information where the instruction itself names the word, or where the same test also looks at what the program does.',
    silent:
      'Words that must not occur, next to a test of what the program does; configuration, SQL and documents; patterns with alternatives.',
    bad: 'assert "heapq" in open("/srv/route.py").read()',
    good: 'assert run("/srv/route.py", stops) == shortest',
  },
  *check(subject) {
    const modules = soundModules(subject);
    for (const test of modules) {
      const told = new Set<SyntaxNode>();
      for (const { node, words, text, negative } of searches(test.module)) {
        const assertion = test.module.asserts.find((one) => one.node.start <= node.start && node.end <= one.node.end);
        if (assertion !== undefined && told.has(assertion.node)) continue;
        const source = sourceFile(modules, test.module, text);
        if (source === null) continue;
        const isRun = modules.some(({ module }) => runs(module, source));
        if (negative && isRun) continue;
        // `"a" in source or "b" in source` is one.
        if (assertion !== undefined) told.add(assertion.node);
        const known = words !== null && instructionText(subject).includes(words);
        const severity: Severity = known || (isRun && !isAlone(test, node)) ? 'information' : 'warning';
        yield* claimIn(subject, test, node, {
          severity,
          message: `This looks for ${words === null ? 'a pattern' : `\`${shortened(words)}\``} in the source text of ${source} instead of running it.`,
        });
      }
    }
  },
};

export interface Search {
  readonly node: SyntaxNode;
  /** What is looked for; null when it is not constant. */
  readonly words: string | null;
  readonly text: SyntaxNode;
  readonly negative: boolean;
  /** True for a regular expression. */
  readonly pattern: boolean;
}

/** The assertions that look for something in a text. */
export function searches(module: PythonModule): readonly Search[] {
  const found: Search[] = [];
  for (const { node, operator, left, right } of assertedComparisons(module)) {
    if (operator !== 'in' && operator !== 'not in') continue;
    const value = module.fold(left);
    const words = value?.kind === 'text' ? value.text : null;
    found.push({ node, words, text: right, negative: operator === 'not in', pattern: false });
  }
  for (const { condition } of module.asserts)
    for (const operand of operands(condition)) {
      const call = module.callAt(operand);
      const [pattern, text] = call?.arguments ?? [];
      if (!/^re\.(?:search|match|findall)$/u.test(call?.callee ?? '')) continue;
      if (pattern === undefined || text === undefined) continue;
      const value = module.fold(pattern);
      if (value?.kind === 'text' && value.text.includes('|')) continue;
      const negative = bare(condition).type === 'not_operator';
      found.push({ node: operand, words: value?.kind === 'text' ? value.text : null, text, negative, pattern: true });
    }
  return found;
}

const codeFile =
  /\.(?:py|js|mjs|cjs|ts|tsx|jsx|c|h|cc|cpp|hpp|cxx|go|rs|java|rb|kt|php|cs|swift|scala|pl|pm|lua|hs|ml|jl|sh|bash)$/iu;

/** The program of the agent whose source text an expression is. */
function sourceFile(modules: readonly TestModule[], module: PythonModule, text: SyntaxNode): string | null {
  const plain = plainText(module, text);
  if (plain === null || plain.output) return null;
  if (plain.call.callee === 'inspect.getsource') return inspected(modules, module, plain.call);
  const uses = module.files.filter((use) => use.node === plain.call.node && use.action === 'read');
  const path = uses[0]?.path ?? null;
  if (path === null || !isAgentPath(path)) return null;
  return codeFile.test(path.text) || (!/\.\w+$/u.test(path.text) && isStarted(modules, path.text)) ? path.text : null;
}

/** `inspect.getsource(plan.route)`: the module of the agent that it comes from. */
function inspected(modules: readonly TestModule[], module: PythonModule, { arguments: [object] }: Call): string | null {
  const root = object === undefined ? undefined : /^[A-Za-z_]\w*/u.exec(module.source(object))?.[0];
  const found = module.imports.find(({ alias }) => alias === root);
  if (found === undefined || found.module.startsWith('.')) return null;
  const [first = ''] = found.module.split('.');
  const isOwn = modules.some(({ file }) => file.endsWith(`/${first}.py`));
  return isOwn || standard.test(first) ? null : found.module;
}

const standard =
  /^(?:inspect|os|sys|json|re|ast|types|typing|pathlib|importlib|pytest|unittest|subprocess|collections)$/u;

/** Whether the tests start a file as a program: then it is one, whatever its name. */
function isStarted(modules: readonly TestModule[], path: string): boolean {
  return modules.some(({ module }) => module.commands.some(({ argv }) => argv?.includes(path) === true));
}

/** Whether a test does nothing but look for words in source text: next to a test of behaviour it is still narrow. */
function isAlone(test: TestModule, node: SyntaxNode): boolean {
  const { module } = test;
  const owner = test.tests.find((one) => one.function.node.start <= node.start && node.end <= one.function.node.end);
  if (owner === undefined) return false;
  const searched = searches(module);
  return failures(test, owner.function).every(({ node: check }) =>
    searched.some((one) => check.start <= one.node.start && one.node.end <= check.end),
  );
}

/** Whether a file of the tests runs, imports or compiles a program. */
function runs(module: PythonModule, source: string): boolean {
  const name = source.slice(source.lastIndexOf('/') + 1);
  const stem = name.replace(/\.\w+$/u, '');
  return (
    module.requests.length > 0 ||
    module.imports.some(({ module: imported, name: taken }) => imported.split('.').includes(stem) || taken === stem) ||
    module.commands.some(
      ({ argv, shell, cwd }) =>
        // A word that cannot be known may be a copy of the program, or a file of the tests that loads it.
        argv?.some((word, i) => (word === null ? i > 0 : word.includes(stem))) === true ||
        shell?.includes(stem) === true ||
        (cwd !== null && cwd.text !== '/' && source.startsWith(`${cwd.text}/`)) ||
        (argv === null && shell === null),
    ) ||
    module.calls.some(
      ({ callee }) =>
        callee === 'importlib.import_module' ||
        callee === 'importlib.util.spec_from_file_location' ||
        callee === 'runpy.run_path',
    )
  );
}
