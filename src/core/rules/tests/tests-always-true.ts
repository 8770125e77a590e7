import type { Subject } from '../../model/subject';
import type { AssertStatement, Block, PythonModule, TestFunction } from '../../text/python/module';
import { bare, parts } from '../../text/python/nodes';
import type { FilePath } from '../../text/python/value';
import type { Fix } from '../../finding';
import type { Claim, Rule } from '../rule';
import type { ConstantCondition } from './constant-condition';
import { constantCondition, shortened } from './constant-condition';
import type { TestModule } from './test-modules';
import { claimIn, failures, isAgentPath, isIn, soundModules } from './test-modules';

export const testsAlwaysTrue: Rule = {
  id: 'tests-always-true',
  severity: 'error',
  confidence: 'certain',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'An assertion that cannot be false rejects nothing. Where it is the only one, the test passes for every answer.',
  docs: {
    finds:
      'Assertions on a constant, on a tuple in brackets, on `x or True`, `x == x`, `len(x) >= 0`, or on a function that is not called; and a test that looks at an output only if it is there, where no other test asks for it. An error where nothing else in the test can fail; else a warning for a tuple, which was meant to check something, and information.',
    silent:
      '`assert value, "message"`; `assert True` as one arm of a `try`, `if`, `for` or `with` of a test that can fail in other ways.',
    bad: 'assert (total == 96, "bad total")',
    good: 'assert total == 96, "bad total"',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const found = test.module.asserts.flatMap((one) => {
        const constant = constantCondition(test.module, one.condition);
        return constant === null ? [] : [{ one, constant }];
      });
      for (const { one, constant } of found) {
        const claim = judge(
          subject,
          test,
          one,
          constant,
          found.map((other) => other.one),
        );
        if (claim !== null) yield* claimIn(subject, test, one.condition, claim);
      }
      for (const one of test.tests) yield* judgeGuard(subject, test, one);
    }
  },
};

/** `if OUT.exists(): assert …`, and nothing else in any test that asks for the file. */
function* judgeGuard(subject: Subject, test: TestModule, { function: called }: TestFunction): Generator<Claim> {
  const { module } = test;
  if (!module.blocks.some((block) => block.kind === 'if' && block.function === called && isProbe(module, block)))
    return;
  const probes = module.files.filter(
    ({ action, path, node, block }) =>
      action === 'probe' &&
      isAgentPath(path) &&
      isIn(block, called.body) &&
      /^(?:exists|is_file|isfile|is_dir|isdir)$/u.test(module.callAt(node)?.name ?? ''),
  );
  if (probes.length === 0) return;
  const checks = failures(test, called);
  const [first] = checks;
  if (first === undefined) return;
  for (let block: Block | null = first.block; block !== null && block !== called.body; block = block.parent) {
    const { head, kind, node } = block;
    if (kind !== 'if' || head === null) continue;
    const asked = probes.find((use) => use.node === bare(head));
    if (asked === undefined || asked.path === null || node.children.some(({ field }) => field === 'alternative'))
      continue;
    const guard = block;
    if (!checks.every((check) => isIn(check.block, guard)) || isRequired(subject, asked.path)) return;
    yield* claimIn(subject, test, head, {
      confidence: 'likely',
      message: `Without ${asked.path.text}, ${called.name} checks nothing and passes, and no other test asks for that file.`,
    });
    return;
  }
}

function isProbe(module: PythonModule, { head }: Block): boolean {
  const name = head === null ? '' : (module.callAt(bare(head))?.name ?? '');
  return /^(?:exists|is_file|isfile|is_dir|isdir)$/u.test(name);
}

/** Whether any test fails for want of a file. */
function isRequired(subject: Subject, path: FilePath): boolean {
  return soundModules(subject).some(({ module }) =>
    module.files.some((use) => {
      if (use.path?.text !== path.text || use.action === 'write' || use.action === 'delete') return false;
      if (use.action === 'read' || use.action === 'list') return !use.guarded;
      return module.asserts.some(({ condition }) => condition.start <= use.node.start && use.node.end <= condition.end);
    }),
  );
}

function judge(
  subject: Subject,
  test: TestModule,
  statement: AssertStatement,
  constant: ConstantCondition,
  alwaysTrue: readonly AssertStatement[],
): Omit<Claim, 'file' | 'range'> | null {
  const owner = test.tests.find((one) => isIn(statement.block, one.function.body));
  const others = owner === undefined ? true : canFailOtherwise(test, owner, alwaysTrue);
  // One arm of a construct whose other arm fails: clumsy, but it says nothing wrong.
  if (constant.kind !== 'tuple' && constant.kind !== 'or' && others && isArm(statement.block)) return null;
  const written = shortened(test.module.source(statement.condition));
  return {
    ...(others && {
      severity: constant.kind === 'tuple' || constant.kind === 'or' ? ('warning' as const) : ('information' as const),
    }),
    message:
      owner !== undefined && !others
        ? `${owner.function.name} rests on \`${written}\`, which is never false: ${constant.because}.`
        : `\`${written}\` is never false: ${constant.because}.`,
    fixes: constant.kind === 'tuple' ? withoutBrackets(subject, test, statement) : [],
    supersedes: ['tests-assert-nothing'],
  };
}

function canFailOtherwise(test: TestModule, owner: TestFunction, alwaysTrue: readonly AssertStatement[]): boolean {
  const nodes = new Set(alwaysTrue.map(({ node }) => node));
  return failures(test, owner.function).some(({ node }) => !nodes.has(node));
}

function isArm({ kind }: Block): boolean {
  return kind !== 'function' && kind !== 'module' && kind !== 'class';
}

function withoutBrackets(
  subject: Subject,
  { file, module }: TestModule,
  { condition, message }: AssertStatement,
): readonly Fix[] {
  const tuple = bare(condition);
  const [first, second, ...more] = parts(tuple);
  const lines = subject.lines(file);
  if (first === undefined || second === undefined || more.length > 0 || message !== null || lines === null) return [];
  // Without the brackets a line break would end the statement.
  if (/[\r\n]/u.test(module.source(tuple))) return [];
  const newText = `${module.source(first)}, ${module.source(second)}`;
  return [
    {
      title: 'Take the brackets away',
      edits: [{ file, range: lines.range(condition.start, condition.end), newText }],
      preferred: true,
    },
  ];
}
