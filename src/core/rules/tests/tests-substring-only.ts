import type { Subject } from '../../model/subject';
import type { Call, PythonModule } from '../../text/python/module';
import { bare, eachNode, field, parts } from '../../text/python/nodes';
import type { Origins } from '../../text/python/origins';
import { originsOf } from '../../text/python/origins';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Claim, Rule } from '../rule';
import { plainText } from './asserted';
import { shortened } from './constant-condition';
import type { Search } from './tests-source-grep';
import { searches } from './tests-source-grep';
import type { TestModule } from './test-modules';
import { claimIn, isAgentPath, soundModules } from './test-modules';

export const testsSubstringOnly: Rule = {
  id: 'tests-substring-only',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A test that only looks for short pieces is loose: extra, repeated or contradictory content passes as well.',
  docs: {
    finds:
      'An output file of the agent that is checked by nothing but `x in text` or a search for short pieces, or by asking whether each expected item is among its lines.',
    silent:
      'Pieces of 30 characters or more, outputs that some test compares or parses, source code, and documents for people.',
    bad: 'assert "14" in text',
    good: 'assert text.split() == ["14"]',
  },
  *check(subject) {
    const modules = soundModules(subject);
    const byFile = new Map<string, { readonly test: TestModule; readonly search: Search }[]>();
    for (const test of modules)
      for (const search of searches(test.module)) {
        const path = search.negative ? null : searchedFile(test.module, search);
        if (path === null) continue;
        const known = byFile.get(path);
        if (known === undefined) byFile.set(path, [{ test, search }]);
        else known.push({ test, search });
      }
    for (const [path, found] of byFile) {
      const [first] = found;
      if (first === undefined || !found.every(({ search }) => isShort(search))) continue;
      const own = new Set(found.map(({ search }) => search.node));
      if (modules.some(({ module }) => isJudgedOtherwise(module, path, own))) continue;
      yield* claimIn(subject, first.test, first.search.node, {
        message: `${path} is only searched for ${found.length === 1 ? `\`${shortened(first.search.words ?? '')}\`` : `${found.length} short pieces`}, so that it may hold anything else besides.`,
      });
    }
    for (const test of modules) yield* membersOnly(subject, test);
  },
};

/** `set(expected) - set(actual)` that has to be empty, and no other comparison of what is there. */
function* membersOnly(subject: Subject, test: TestModule): Generator<Claim> {
  const { module } = test;
  for (const call of module.calls) {
    const pair = call.callee === 'set' ? differenceOf(module, call) : null;
    if (pair === null || !isAskedToBeEmpty(module, pair.node)) continue;
    const from = originsOf(module, pair.actual);
    const isOutput =
      from.commands.length > 0 ||
      from.files.some(({ action, path }) => action === 'read' && (path === null || isAgentPath(path)));
    if (!isOutput || isComparedElsewhere(module, from, pair.node)) continue;
    yield* claimIn(subject, test, pair.node, {
      message: `This only asks whether each item of \`${shortened(module.source(pair.expected))}\` is there: items twice, in another order or besides them pass as well.`,
    });
  }
}

interface Difference {
  readonly node: SyntaxNode;
  readonly expected: SyntaxNode;
  readonly actual: SyntaxNode;
}

/** The subtraction that a call of `set` is the right side of. */
function differenceOf(module: PythonModule, call: Call): Difference | null {
  const [actual] = call.arguments;
  let found: Difference | null = null;
  const holder = call.block.statements.find((one) => one.start <= call.node.start && call.node.end <= one.end);
  if (actual === undefined || holder === undefined) return null;
  eachNode(holder, (node) => {
    if (node.start > call.node.start || node.end < call.node.end) return false;
    if (node.type !== 'binary_operator' || field(node, 'operator')?.type !== '-' || field(node, 'right') !== call.node)
      return undefined;
    const left = field(node, 'left');
    const made = left === null ? null : module.callAt(bare(left));
    if (left !== null && made?.callee === 'set' && made.arguments[0] !== undefined)
      found = { node, expected: made.arguments[0], actual };
    return undefined;
  });
  return found;
}

/** `while missing := a - b:`, `assert not a - b`, `missing = a - b` and `assert not missing`. */
function isAskedToBeEmpty(module: PythonModule, difference: SyntaxNode): boolean {
  const holds = (outer: SyntaxNode | null): boolean =>
    outer !== null && outer.start <= difference.start && difference.end <= outer.end;
  if (module.blocks.some(({ kind, head, statements }) => kind === 'while' && holds(head) && statements.length > 0))
    return true;
  const names = new Set<string>();
  for (const { names: bound } of module.blocks)
    for (const [name, bindings] of bound ?? []) if (bindings.some(({ value }) => value === difference)) names.add(name);
  return module.asserts.some(({ condition }) => {
    const inner = bare(condition);
    if (inner.type !== 'not_operator') return false;
    const [operand] = parts(inner);
    return operand !== undefined && (holds(operand) || names.has(module.source(bare(operand))));
  });
}

function isComparedElsewhere(module: PythonModule, from: Origins, own: SyntaxNode): boolean {
  const files = new Set(from.files);
  const places = new Set(from.files.flatMap(({ path }) => path?.text ?? []));
  const commands = new Set(from.commands);
  return module.comparisons.some(({ node, left, right, operator }) => {
    if ((node.start <= own.start && own.end <= node.end) || operator === 'not in' || operator === 'in') return false;
    return [left, right].some((side) => {
      const origins = originsOf(module, side);
      return (
        origins.files.some(
          (use) => use.action === 'read' && (files.has(use) || (use.path !== null && places.has(use.path.text))),
        ) || origins.commands.some((use) => commands.has(use))
      );
    });
  });
}

const prose = /\.(?:md|rst|html?|tex|adoc)$|(?:^|\/)readme/iu;
const code = /\.(?:py|js|mjs|ts|tsx|jsx|c|h|cc|cpp|hpp|go|rs|java|rb|kt|php|cs|pl|lua|hs|ml|jl|sh|bash|sql)$/iu;

function searchedFile(module: PythonModule, { text }: Search): string | null {
  const plain = plainText(module, text);
  if (plain === null || plain.output) return null;
  const [use] = module.files.filter((one) => one.node === plain.call.node && one.action === 'read');
  const path = use?.path ?? null;
  return path !== null && isAgentPath(path) && !prose.test(path.text) && !code.test(path.text) ? path.text : null;
}

function isShort({ words, pattern }: Search): boolean {
  // A pattern that is anchored at both ends bounds what else there is.
  return words !== null && words.length < 30 && !(pattern && /^\^|\$$|\\[AZ]/u.test(words));
}

/** Whether any other assertion, or a helper that is given the file, looks at it. */
function isJudgedOtherwise(module: PythonModule, path: string, own: ReadonlySet<unknown>): boolean {
  const reads = module.files.filter((use) => use.action === 'read' && use.path?.text === path);
  if (reads.length === 0)
    return module.commands.some(({ argv, shell }) => argv?.includes(path) === true || shell?.includes(path) === true);
  for (const comparison of module.comparisons) {
    if (own.has(comparison.node) || comparison.operator === 'not in') continue;
    // `text != ""` and `len(text) > 0` bound nothing.
    const bound = module.fold(comparison.right);
    if ((bound?.kind === 'text' && bound.text === '') || (bound?.kind === 'number' && bound.value === 0)) continue;
    for (const side of [comparison.left, comparison.right])
      if (originsOf(module, side).files.some((use) => use.action === 'read' && use.path?.text === path)) return true;
  }
  // Checks that are no comparison: `assert isinstance`, `validate(data)`.
  return module.calls.some(
    (call) =>
      !/^(?:exists|is_file|read|read_text|open|strip|lower|print|len|search|findall|match|split|splitlines|decode|str|Path)$/u.test(
        call.name,
      ) &&
      call.arguments.some((argument) =>
        originsOf(module, argument).files.some(
          (use) => use.action === 'read' && use.path?.text === path && use.node !== call.node,
        ),
      ),
  );
}
