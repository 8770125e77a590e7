import type { PythonClass, PythonFunction } from '../../text/python/module';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Rule } from '../rule';
import { claimIn, soundModules } from './test-modules';

export const testsDuplicateName: Rule = {
  id: 'tests-duplicate-name',
  severity: 'error',
  confidence: 'certain',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'Python keeps the last definition of a name. The earlier test is lost without a word, with all that it checked.',
  docs: {
    finds: 'Two tests, or two test classes, of one name in one scope.',
    silent: 'Definitions in different branches, overloads, methods of different classes, and helpers.',
    bad: 'def test_sum(): …\n\ndef test_sum(): …',
    good: 'def test_sum(): …\n\ndef test_sum_empty(): …',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const collected = new Set(test.tests.map((one) => one.function));
      const classes = new Set<PythonClass | null>([...collected].map((one) => one.class));
      const named: (PythonFunction | PythonClass)[] = [
        ...test.module.functions.filter(
          (one) => collected.has(one) && !one.decorators.some(({ name }) => /overload$|\.register$/u.test(name)),
        ),
        ...test.module.classes.filter((one) => classes.has(one)),
      ];
      const taken = new Set(test.module.functions.map(({ name }) => name));
      const first = new Map<unknown, Map<string, SyntaxNode>>();
      for (const { name, nameNode, parent } of named) {
        const names = first.get(parent) ?? new Map<string, SyntaxNode>();
        first.set(parent, names);
        const before = names.get(name);
        names.set(name, nameNode);
        if (before === undefined) continue;
        const lines = subject.lines(test.file);
        if (lines === null) continue;
        const range = lines.range(nameNode.start, nameNode.end);
        const fresh = freeName(name, taken);
        yield* claimIn(subject, test, nameNode, {
          message: `This replaces the ${name} of line ${lines.position(before.start).line + 1}, which therefore never runs.`,
          related: [
            { file: test.file, range: lines.range(before.start, before.end), message: 'The definition that is lost.' },
          ],
          fixes: [{ title: `Rename to ${fresh}`, edits: [{ file: test.file, range, newText: fresh }] }],
        });
      }
    }
  },
};

function freeName(name: string, taken: Set<string>): string {
  for (let number = 2; ; number++) {
    const fresh = `${name}_${number}`;
    if (taken.has(fresh)) continue;
    taken.add(fresh);
    return fresh;
  }
}
