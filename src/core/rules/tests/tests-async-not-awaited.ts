import type { Subject } from '../../model/subject';
import { bare } from '../../text/python/nodes';
import type { Fix } from '../../finding';
import type { Rule } from '../rule';
import type { TestModule } from './test-modules';
import { claimIn, soundModules } from './test-modules';

export const testsAsyncNotAwaited: Rule = {
  id: 'tests-async-not-awaited',
  severity: 'error',
  confidence: 'likely',
  inputs: ['py:tests', 'texts'],
  needsDisk: true,
  why: 'Calling an `async` function only makes a coroutine. pytest alone does not run it: depending on its version the test is skipped or fails for everyone.',
  docs: {
    finds:
      'An `async` test in a task that names no plug-in which runs it, and an assertion on a coroutine that is not awaited.',
    silent:
      'Tasks that name `pytest-asyncio`, `anyio`, `trio` or another such plug-in anywhere, and `IsolatedAsyncioTestCase`.',
    bad: 'async def test_ws(): …',
    good: '@pytest.mark.asyncio\nasync def test_ws(): …',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const { module } = test;
      for (const { function: called, marks, unittest } of test.tests) {
        if (!called.async) continue;
        // unittest has a class for it, which may stand in a base class of any name.
        if (unittest && called.class?.bases.every((base) => /(?:^|\.)TestCase$/u.test(base)) !== true) continue;
        const marked = [...marks, ...called.decorators].some(({ name }) => !/(?:^|\.)mark\.parametrize$/u.test(name));
        if (marked || (!unittest && namesPlugin(subject))) continue;
        const start = called.node.start;
        yield* claimIn(
          subject,
          test,
          { start, end: called.nameNode.end },
          {
            message: unittest
              ? `${called.name} is \`async\`, and unittest.TestCase never awaits it.`
              : `${called.name} is \`async\`, and nothing in this task makes pytest run it.`,
            fixes: unittest ? [] : marking(subject, test, start),
            supersedes: ['tests-assert-nothing'],
          },
        );
      }
      for (const { condition } of module.asserts) {
        const call = module.callAt(bare(condition));
        const called = call === null ? null : module.functionOf(call);
        if (call === null || called?.async !== true || called.yields || called.decorators.length > 0) continue;
        yield* claimIn(subject, test, condition, {
          message: `\`${call.name}\` is \`async\` and is not awaited: the assertion sees a coroutine, which is always true.`,
        });
      }
    }
  },
};

const plugin =
  /pytest[-_](?:asyncio|trio|aiohttp|anyio|tornasync|twisted|curio|asyncio[-_]cooperative|playwright)|\banyio\b|asyncio[-_]mode|iscoroutinefunction|pytest_pyfunc_call/u;

/** Whether any file of the task names a plug-in, also one that only installs it. */
function namesPlugin(subject: Subject): boolean {
  for (const { text } of subject.disk?.texts.values() ?? []) if (text !== null && plugin.test(text)) return true;
  return false;
}

function marking(subject: Subject, { file, module }: TestModule, start: number): readonly Fix[] {
  const lines = subject.lines(file);
  if (lines === null || !module.imports.some(({ alias, module: name }) => alias === 'pytest' && name === 'pytest'))
    return [];
  const { line, character } = lines.position(start);
  const indent = lines.line(line).slice(0, character);
  return [
    {
      title: 'Mark with pytest.mark.asyncio (needs pytest-asyncio)',
      edits: [{ file, range: lines.range(start, start), newText: `@pytest.mark.asyncio\n${indent}` }],
    },
  ];
}
