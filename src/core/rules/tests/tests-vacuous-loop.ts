import type { Subject } from '../../model/subject';
import type { FileUse } from '../../text/python/file-uses';
import type { AssertStatement, Block, PythonModule, TestFunction } from '../../text/python/module';
import { bare, eachNode } from '../../text/python/nodes';
import { originsOf } from '../../text/python/origins';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Fix } from '../../finding';
import type { Rule } from '../rule';
import { operands } from './asserted';
import { shortened } from './constant-condition';
import type { TestModule } from './test-modules';
import { claimIn, failures, isAgentPath, isIn, soundModules } from './test-modules';

export const testsVacuousLoop: Rule = {
  id: 'tests-vacuous-loop',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A loop over nothing checks nothing. An answer without a single item passes a test that only looks at each item.',
  docs: {
    finds:
      'A test all of whose assertions stand in a loop, or in `all(…)`, over what the agent’s files or folders hold, where no test asserts how many items there are.',
    silent:
      'Loops over constants and over files of `tests/`, and tests that assert a count, a length or equality before or after.',
    bad: 'for r in csv.DictReader(open("/srv/out.csv")):\n    assert r["ok"] == "1"',
    good: 'rows = list(csv.DictReader(open("/srv/out.csv")))\nassert len(rows) == 31',
  },
  *check(subject) {
    for (const test of soundModules(subject)) for (const one of test.tests) yield* judge(subject, test, one);
  },
};

interface Loop {
  readonly iterable: SyntaxNode;
  readonly node: SyntaxNode;
  readonly block: Block | null;
}

function* judge(subject: Subject, test: TestModule, { function: called }: TestFunction): ReturnType<typeof claimIn> {
  const { module } = test;
  const checks = failures(test, called);
  if (checks.length === 0) return;
  let loop: Loop | null = null;
  for (const { node, block } of checks) {
    const found = loopAround(module, block, called.body) ?? allOf(module, node);
    if (found === null) {
      if (isWeak(module, node)) continue;
      return;
    }
    loop ??= found;
    // Of two loops, one may rest on what the other has made sure of.
    if (found.node !== loop.node && module.source(found.iterable) !== module.source(loop.iterable)) return;
  }
  if (loop === null) return;
  const origins = originsOf(module, loop.iterable);
  const from = origins.files.filter(
    ({ action, path, guarded }) => (action === 'read' || action === 'list') && isAgentPath(path) && !guarded,
  );
  if (from.length === 0 || origins.commands.length + origins.requests.length > 0) return;
  if (isCountedElsewhere(module, loop, from) || isUsedAfter(module, loop, called.body)) return;
  const [first] = from;
  const place = first?.path?.text ?? '';
  yield* claimIn(subject, test, loop.block === null ? loop.node : { start: loop.node.start, end: loop.iterable.end }, {
    message: `With nothing in ${place}, this loop runs no assertion and ${called.name} passes.`,
    fixes: countedFix(subject, test, loop),
  });
}

/** The outermost loop over data around a check, within its test. */
function loopAround(module: PythonModule, from: Block, body: Block): Loop | null {
  let found: Loop | null = null;
  for (let at: Block | null = from; at !== null && at !== body; at = at.parent) {
    if (at.kind === 'function') return null;
    if (at.kind === 'for' && at.head !== null && module.fold(at.head) === null)
      found = { iterable: at.head, node: at.node, block: at };
  }
  return found;
}

/** `assert all(ok(row) for row in rows)` */
function allOf(module: PythonModule, node: SyntaxNode): Loop | null {
  const statement = module.asserts.find((one) => one.node === node);
  const call = statement === undefined ? null : module.callAt(bare(statement.condition));
  const [given] = call?.arguments ?? [];
  if (call?.callee !== 'all' || given === undefined) return null;
  const block = module.blocks.find((one) => one.kind === 'comprehension' && one.node === given);
  const head = block?.head ?? null;
  return head === null || module.fold(head) !== null ? null : { iterable: head, node: call.node, block: null };
}

/** Assertions that an empty file satisfies: existence, type, the status of a program. */
function isWeak(module: PythonModule, node: SyntaxNode): boolean {
  const statement = module.asserts.find((one) => one.node === node);
  return statement !== undefined && operands(statement.condition).every((operand) => isWeakOperand(module, operand));
}

function isWeakOperand(module: PythonModule, operand: SyntaxNode): boolean {
  const call = module.callAt(operand);
  if (call !== null) return /^(?:exists|is_file|is_dir|isfile|isdir|isinstance|is_symlink)$/u.test(call.name);
  const compared = module.comparisons.filter((one) => one.node === operand);
  return (
    compared.length > 0 &&
    compared.every(
      ({ left, right }) =>
        /\.(?:returncode|status_code|status)$/u.test(module.source(left)) && module.fold(right) !== null,
    )
  );
}

/** Whether an assertion anywhere in the file says how much there is of what the loop goes over. */
function isCountedElsewhere(module: PythonModule, loop: Loop, from: readonly FileUse[]): boolean {
  const places = new Set(from.map(({ path }) => path?.text));
  return module.asserts.some((statement) => {
    if (isInLoop(module, statement, loop) || allOf(module, statement.node) !== null) return false;
    if (loopAround(module, statement.block, module.blocks[0] ?? statement.block) !== null) return false;
    return operands(statement.condition).some(
      (operand) =>
        !isWeakOperand(module, operand) &&
        originsOf(module, operand).files.some(({ path }) => path !== null && places.has(path.text)),
    );
  });
}

function isInLoop(module: PythonModule, { node }: AssertStatement, loop: Loop): boolean {
  return loop.node.start <= node.start && node.end <= loop.node.end && module.blocks.length > 0;
}

/** Whether what the loop gathers is asserted afterwards. */
function isUsedAfter(module: PythonModule, loop: Loop, body: Block): boolean {
  const gathered = new Set<string>();
  const { block } = loop;
  if (block === null) return false;
  for (const [name, bindings] of body.names ?? [])
    if (bindings.some((binding) => isIn(binding.block, block))) gathered.add(name);
  return module.asserts.some((statement) => {
    if (!isIn(statement.block, body) || isInLoop(module, statement, loop)) return false;
    let uses = false;
    eachNode(statement.condition, (inner) => {
      uses ||= inner.type === 'identifier' && gathered.has(module.source(inner));
      return !uses;
    });
    return uses;
  });
}

/** Only for a name of something that is no iterator: an iterator is true even when it gives nothing. */
function countedFix(subject: Subject, { file, module }: TestModule, { iterable, block, node }: Loop): readonly Fix[] {
  const lines = subject.lines(file);
  if (lines === null || block === null || iterable.type !== 'identifier') return [];
  const [only, ...others] = module.bindings(module.source(iterable), iterable);
  if (only?.kind !== 'assign' || only.value === null || others.length > 0) return [];
  const call = module.callAt(bare(only.value));
  const isCollection =
    bare(only.value).type === 'list_comprehension' ||
    (call !== null && /^(?:list|sorted|loads|load|readlines|splitlines|split|fetchall|listdir)$/u.test(call.name));
  const { line, character } = lines.position(node.start);
  const indent = lines.line(line).slice(0, character);
  if (!isCollection || indent.trim() !== '') return [];
  const name = shortened(module.source(iterable));
  const at = lines.range(node.start, node.start);
  return [
    { title: `Assert that ${name} is not empty`, edits: [{ file, range: at, newText: `assert ${name}\n${indent}` }] },
  ];
}
