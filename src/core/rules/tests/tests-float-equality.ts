import type { PythonModule } from '../../text/python/module';
import { bare } from '../../text/python/nodes';
import { originsOf } from '../../text/python/origins';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Rule } from '../rule';
import { assertedComparisons } from './asserted';
import { claimIn, instructionText, soundModules } from './test-modules';

export const testsFloatEquality: Rule = {
  id: 'tests-float-equality',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests', 'instruction'],
  needsDisk: true,
  why: 'Another correct way of computing may differ in the last digit, and would then be rejected.',
  docs: {
    finds: '`==` between a computed number and a literal with three decimals or more.',
    silent: '`approx`, `isclose`, rounding, `Decimal`, tasks whose instruction says how to round, and whole numbers.',
    bad: 'assert mean == 4.718',
    good: 'assert mean == pytest.approx(4.718, abs=5e-4)',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const { module, file } = test;
      for (const { operator, left, right, node } of assertedComparisons(module)) {
        if (operator !== '==' || module.source(node).slice(0, 40).includes('AlmostEqual')) continue;
        const literal = [left, right].find((side) => isLongFloat(module, side));
        const other = literal === left ? right : left;
        if (literal === undefined || module.fold(other) !== null || isRounded(module, other)) continue;
        if (/\bdecimals?\b|\bround|precision|significant|\bdigits\b|\bplaces\b/i.test(instructionText(subject))) return;
        const written = module.source(literal);
        const decimals = written.split('.')[1]?.replace(/\D.*$/u, '').length ?? 0;
        const lines = subject.lines(file);
        const hasPytest = module.imports.some(({ alias, module: name }) => alias === 'pytest' && name === 'pytest');
        yield* claimIn(subject, test, literal, {
          message: `${module.source(other).slice(0, 60)} has to be exactly ${written}, to the last digit that the machine computes.`,
          fixes:
            lines === null || !hasPytest || bare(literal).type === 'unary_operator'
              ? []
              : [
                  {
                    title: `Allow half a unit of the last decimal`,
                    edits: [
                      {
                        file,
                        range: lines.range(literal.start, literal.end),
                        newText: `pytest.approx(${written}, abs=5e-${decimals + 1})`,
                      },
                    ],
                  },
                ],
        });
      }
    }
  },
};

function isLongFloat(module: PythonModule, side: SyntaxNode): boolean {
  const node = bare(side);
  if (node.type !== 'float' && node.type !== 'unary_operator') return false;
  const text = module.source(node);
  // A sum of a few powers of two is exact in every way of computing.
  return /^-?\d+\.\d{3,}$/u.test(text) && !Number.isInteger(Number(text) * 2 ** 20);
}

function isRounded(module: PythonModule, side: SyntaxNode): boolean {
  return (
    /\bround\(|Decimal|approx|\.quantize\(/u.test(module.source(side)) ||
    originsOf(module, side).calls.some(({ name }) => /^(?:round|around|Decimal|approx|quantize|isclose)$/u.test(name))
  );
}
