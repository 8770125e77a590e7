import type { Subject } from '../../model/subject';
import { caught } from '../../text/python/guards';
import type { Block, Check, PythonModule } from '../../text/python/module';
import { eachNode, parts } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Fix } from '../../finding';
import type { Rule } from '../rule';
import type { TestModule } from './test-modules';
import { claimIn, isIn, soundModules, within } from './test-modules';

export const testsSwallowedFailure: Rule = {
  id: 'tests-swallowed-failure',
  severity: 'error',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A failed assertion is an exception. A handler that catches it and goes on turns the failure into a pass.',
  docs: {
    finds:
      'An assertion in a `try` whose handler catches `AssertionError`, `Exception` or everything and does nothing that fails; `contextlib.suppress` around one; a `return` in `finally`.',
    silent:
      'Handlers that raise, fail, or keep the failure for later; retries in a loop; narrow handlers such as `ValueError`; helpers that return what they found.',
    bad: 'try:\n    assert total == 96\nexcept Exception:\n    pass',
    good: 'except ValueError as e:\n    pytest.fail(f"not a number: {e}")',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const { module } = test;
      for (const handler of module.blocks) {
        if (handler.kind === 'except') yield* judgeHandler(subject, test, handler);
        else if (handler.kind === 'finally') {
          const left = handler.statements.find(({ type }) => type === 'return_statement');
          const lost = left === undefined ? undefined : assertedIn(module, handler.statement);
          if (left !== undefined && lost !== undefined)
            yield* claimIn(subject, test, left, {
              message: `This \`return\` in \`finally\` drops the failure of the assertion in line ${lineOf(subject, test, lost.node)}.`,
            });
        } else if (handler.kind === 'with' && handler.head !== null) {
          const suppress = suppressed(module, handler.head);
          const lost =
            suppress === null
              ? undefined
              : module.checks.find((check) => isAsserting(check) && isIn(check.block, handler));
          if (suppress !== null && lost !== undefined)
            yield* claimIn(subject, test, suppress, {
              message: `\`suppress\` drops the failure of the assertion in line ${lineOf(subject, test, lost.node)}.`,
            });
        }
      }
    }
  },
};

function* judgeHandler(subject: Subject, test: TestModule, handler: Block): ReturnType<typeof claimIn> {
  const { module } = test;
  const lost = assertedIn(module, handler.statement);
  if (lost === undefined || !catchesAssertions(module, handler) || !isCaughtFirst(module, handler)) return;
  // In a loop it may well be a retry, whose last failure counts.
  if (within(handler, ['for', 'while']) !== null) return;
  if (module.checks.some(({ block }) => isIn(block, handler))) return;
  if (!handler.statements.every((statement) => doesNothing(module, statement, handler))) return;
  const end = handler.head?.end ?? handler.node.start + 'except'.length;
  const caughtNames = caught(module.text, handler);
  yield* claimIn(
    subject,
    test,
    { start: handler.node.start, end },
    {
      message: `${caughtNames.length === 0 ? 'A bare `except`' : `\`except ${caughtNames.join(', ')}\``} catches the failure of the assertion in line ${lineOf(subject, test, lost.node)} and goes on.`,
      fixes: raising(subject, test, handler),
      supersedes: ['tests-skipped'],
    },
  );
}

/** The first assertion of the body of a `try` whose failure would reach its handlers. */
function assertedIn(module: PythonModule, statement: SyntaxNode): Check | undefined {
  return module.checks.find((check) => {
    if (!isAsserting(check) || check.node.start < statement.start || check.node.end > statement.end) return false;
    for (let at: Block | null = check.block; at !== null; at = at.parent) {
      if (at.kind === 'try') return at.statement === statement;
      // An inner handler, `with pytest.raises`, or a function of its own.
      if (at.kind === 'except' || at.kind === 'else' || at.kind === 'finally') return false;
      if (at.kind === 'function' || at.kind === 'lambda') return false;
    }
    return false;
  });
}

/** `pytest.fail` and `pytest.raises` raise what `except Exception` does not catch. */
function isAsserting({ kind }: Check): boolean {
  return kind === 'assert' || kind === 'method' || kind === 'library';
}

function catchesAssertions(module: PythonModule, handler: Block): boolean {
  const names = caught(module.text, handler);
  return names.length === 0 || names.some((name) => /^(?:AssertionError|Exception|BaseException)$/u.test(name));
}

/** Whether no handler before takes the assertion. */
function isCaughtFirst(module: PythonModule, handler: Block): boolean {
  return !module.blocks.some(
    (other) =>
      other.kind === 'except' &&
      other.statement === handler.statement &&
      other.start < handler.start &&
      catchesAssertions(module, other),
  );
}

function doesNothing(module: PythonModule, statement: SyntaxNode, handler: Block): boolean {
  if (statement.type === 'pass_statement') return true;
  if (statement.type === 'return_statement') {
    const owner = handler.function;
    return parts(statement).length === 0 && owner !== null && module.tests.some((one) => one.function === owner);
  }
  if (statement.type !== 'expression_statement') return false;
  const [only] = parts(statement);
  if (only?.type === 'ellipsis' || only?.type === 'string') return true;
  const call = only === undefined ? null : module.callAt(only);
  return call !== null && /^(?:print|warn|warning|info|debug|error|exception|skip|skipTest)$/u.test(call.name);
}

function suppressed(module: PythonModule, clause: SyntaxNode): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  eachNode(clause, (node) => {
    const call = node.type === 'call' ? module.callAt(node) : null;
    if (
      call?.name === 'suppress' &&
      call.arguments.some((one) => /^(?:AssertionError|Exception|BaseException)$/u.test(module.source(one)))
    )
      found ??= node;
    return found === null ? undefined : false;
  });
  return found;
}

function lineOf(subject: Subject, { file }: TestModule, node: SyntaxNode): number {
  return (subject.lines(file)?.position(node.start).line ?? 0) + 1;
}

function raising(subject: Subject, { file }: TestModule, handler: Block): readonly Fix[] {
  const lines = subject.lines(file);
  const first = handler.statements[0];
  const last = handler.statements.at(-1);
  if (lines === null || first === undefined || last === undefined) return [];
  return [
    {
      title: 'Raise it again',
      edits: [{ file, range: lines.range(first.start, last.end), newText: 'raise' }],
      preferred: true,
    },
  ];
}
