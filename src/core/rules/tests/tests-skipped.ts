import type { Subject } from '../../model/subject';
import { caught } from '../../text/python/guards';
import type { Block, Call, Decorator, PythonModule } from '../../text/python/module';
import { bare, field, parts } from '../../text/python/nodes';
import { originsOf } from '../../text/python/origins';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Fix } from '../../finding';
import type { Rule } from '../rule';
import { shortened } from './constant-condition';
import type { TestModule } from './test-modules';
import { claimIn, isAgentPath, soundModules } from './test-modules';

export const testsSkipped: Rule = {
  id: 'tests-skipped',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A skipped test is not a failed one: pytest ends with success, and the grade counts as a pass.',
  docs: {
    finds:
      '`skip`, `skipif`, `xfail` that is not strict, and calls of `pytest.skip()` in a test or what it uses. An error where it depends on a file that the agent makes.',
    silent:
      'Guards on the platform or the version of Python, strict `xfail`, and a missing file that another test demands.',
    bad: 'if not OUT.exists():\n    pytest.skip("no output")',
    good: 'assert OUT.exists()',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      if (test.tests.length === 0) continue;
      const seen = new Set<Decorator>();
      for (const { marks, function: called } of test.tests)
        for (const mark of marks) {
          if (seen.has(mark) || !skips(test.module, mark.name, mark.call)) continue;
          seen.add(mark);
          const what = called.class?.decorators.includes(mark) === true ? called.class.name : called.name;
          yield* claimIn(
            subject,
            test,
            { start: mark.node.start + 1, end: mark.node.end },
            {
              message: markMessage(mark.name, what),
              fixes: withoutMark(subject, test, mark),
            },
          );
        }
      for (const call of test.module.calls) {
        if (call.callee === 'pytest.skip' || (call.name === 'skipTest' && call.receiver !== null))
          yield* judgeCall(subject, test, call);
        else yield* judgeModuleMark(subject, test, call);
      }
    }
  },
};

function skips(module: PythonModule, name: string, call: Call | null): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (last === 'skip' || last === 'expectedFailure') return true;
  if (last === 'xfail') return call?.keywords.get('strict')?.type !== 'true';
  if (last !== 'skipif' && last !== 'skipIf' && last !== 'skipUnless') return false;
  const condition = call?.arguments[0] ?? call?.keywords.get('condition');
  return condition === undefined || !isPlatform(module, condition);
}

const platform =
  /\b(?:sys\.(?:platform|version_info|version|maxsize)|os\.name|platform\.\w+)\b|['"](?:win32|darwin|linux)/u;

function isPlatform(module: PythonModule, condition: SyntaxNode): boolean {
  return platform.test(module.source(condition));
}

function markMessage(name: string, what: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (last === 'xfail' || last === 'expectedFailure') return `${what} may fail and still count as a pass.`;
  return last === 'skip'
    ? `${what} is always skipped, which counts as a pass.`
    : `${what} may be skipped, which counts as a pass.`;
}

/** `pytestmark = pytest.mark.skip(…)` */
function* judgeModuleMark(subject: Subject, test: TestModule, call: Call): ReturnType<typeof claimIn> {
  if (call.callee === null || !/^pytest\.mark\.(?:skip|skipif|xfail)$/u.test(call.callee)) return;
  const names = call.block.names?.get('pytestmark') ?? [];
  const holds = names.some(
    ({ value }) => value !== null && value.start <= call.node.start && call.node.end <= value.end,
  );
  if (holds && skips(test.module, call.callee, call))
    yield* claimIn(subject, test, call.node, { message: markMessage(call.callee, `Every test of ${test.file}`) });
}

function* judgeCall(subject: Subject, test: TestModule, call: Call): ReturnType<typeof claimIn> {
  const { module } = test;
  const owner = call.block.function;
  // At module level it skips the file when it is collected, helpers of which no test is in this file are unknown.
  const why = reasonOf(module, call);
  if (why.platform || (why.file !== null && isDemanded(test, why.file))) return;
  const isTest = owner === null || test.tests.some((one) => one.function === owner);
  const what =
    owner === null ? `Every test of ${test.file}` : isTest ? owner.name : `Every test that uses ${owner.name}`;
  const file = why.file === null ? '' : ` when ${why.file} is missing or wrong`;
  yield* claimIn(subject, test, call.node, {
    ...(why.file !== null && { severity: 'error' as const }),
    message: `${what} is skipped${file}, and a skipped test counts as a pass.`,
    fixes: asserting(subject, test, call),
  });
}

/** Whether another test, which does not skip, fails when the file is not there: then the skip changes no grade. */
function isDemanded({ module, tests }: TestModule, file: string): boolean {
  const skipping = new Set(
    module.calls.flatMap(({ callee, name, block }) =>
      callee === 'pytest.skip' || name === 'skipTest' ? (block.function ?? []) : [],
    ),
  );
  const demanding = tests.filter(({ function: called, marks }) => !skipping.has(called) && marks.length === 0);
  return module.asserts.some(({ node, condition }) => {
    const owner = demanding.find(({ function: called }) => isWithin(called, node));
    return (
      owner !== undefined &&
      module.callAt(bare(condition)) !== null &&
      originsOf(module, condition).files.some(({ path, action }) => action === 'probe' && path?.text === file)
    );
  });
}

function isWithin({ node: outer }: { readonly node: SyntaxNode }, inner: SyntaxNode): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** What a skip depends on: the conditions and handlers around it. */
function reasonOf(module: PythonModule, call: Call): { readonly platform: boolean; readonly file: string | null } {
  for (let block: Block | null = call.block; block !== null && block.kind !== 'function'; block = block.parent) {
    const head = block.kind === 'else' ? field(block.statement, 'condition') : block.head;
    if ((block.kind === 'if' || block.kind === 'elif' || block.kind === 'else') && head !== null) {
      if (isPlatform(module, head)) return { platform: true, file: null };
      const uses = originsOf(module, head).files.filter(({ path, action }) => action !== 'write' && isAgentPath(path));
      if (uses[0]?.path) return { platform: false, file: uses[0].path.text };
    }
    if (
      block.kind !== 'except' ||
      caught(module.text, block).some((name) => /^(?:ImportError|ModuleNotFoundError)$/u.test(name))
    )
      continue;
    const { statement } = block;
    const inTry = module.files.find(
      ({ path, node, action }) =>
        action === 'read' && isAgentPath(path) && statement.start <= node.start && node.end <= statement.end,
    );
    if (inTry?.path) return { platform: false, file: inTry.path.text };
  }
  return { platform: false, file: null };
}

/** `if not OUT.exists(): pytest.skip("no output")` becomes `assert OUT.exists(), "no output"`. */
function asserting(subject: Subject, { file, module }: TestModule, call: Call): readonly Fix[] {
  const { block } = call;
  const lines = subject.lines(file);
  if (block.kind !== 'if' || block.statements.length !== 1 || block.head === null || lines === null) return [];
  if (block.node.children.some(({ field: role }) => role === 'alternative')) return [];
  const head = bare(block.head);
  const inner = head.type === 'not_operator' ? parts(head)[0] : undefined;
  if (inner === undefined || /[\r\n]/u.test(module.source(head))) return [];
  const [reason] = call.arguments;
  const message = reason === undefined ? '' : `, ${module.source(reason)}`;
  return [
    {
      title: `Assert ${shortened(module.source(inner), 30)}`,
      edits: [
        {
          file,
          range: lines.range(block.node.start, block.node.end),
          newText: `assert ${module.source(inner)}${message}`,
        },
      ],
      preferred: true,
    },
  ];
}

/** Takes the whole line of a decorator away. */
function withoutMark(subject: Subject, { file, module }: TestModule, { node }: Decorator): readonly Fix[] {
  const lines = subject.lines(file);
  if (lines === null) return [];
  const before = module.text.slice(Math.max(0, node.start - 200), node.start);
  const start = node.start - (/[ \t]*$/u.exec(before)?.[0].length ?? 0);
  const after = /^[ \t]*(?:\r\n|\n|\r)/u.exec(module.text.slice(node.end));
  if (after === null) return [];
  return [
    { title: 'Remove the mark', edits: [{ file, range: lines.range(start, node.end + after[0].length), newText: '' }] },
  ];
}
