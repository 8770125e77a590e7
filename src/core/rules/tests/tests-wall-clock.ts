import type { Comparison, PythonModule } from '../../text/python/module';
import { bare, field } from '../../text/python/nodes';
import { originsOf } from '../../text/python/origins';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Rule } from '../rule';
import { assertedComparisons } from './asserted';
import { claimIn, instructionText, soundModules } from './test-modules';

export const testsWallClock: Rule = {
  id: 'tests-wall-clock',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests', 'instruction'],
  needsDisk: true,
  why: 'Elapsed time depends on how busy the machine is: the same answer passes on one run and fails on the next.',
  docs: {
    finds:
      'An assertion that elapsed time stays below a bound of less than 5 seconds, below three times what the instruction states, or below another measured time.',
    silent: 'Generous guards against hanging, lower bounds, `timeout=`, processor time, and counts of operations.',
    bad: 'assert time.monotonic() - t0 < 1.5',
    good: 'assert queries_executed() <= 3',
  },
  *check(subject) {
    let stated: readonly number[] | null = null;
    for (const test of soundModules(subject)) {
      if (test.module.clocks.length === 0) continue;
      for (const comparison of assertedComparisons(test.module)) {
        const { module } = test;
        const sides = orient(comparison);
        if (sides === null || !isElapsed(module, sides.less, 0)) continue;
        const bound = module.fold(sides.more);
        const range = { start: comparison.node.start, end: comparison.node.end };
        if (bound?.kind === 'number') {
          stated ??= statedSeconds(instructionText(subject));
          const close = stated.some((seconds) => bound.value >= seconds && bound.value <= 3 * seconds);
          if (bound.value >= 5 && !close) continue;
          yield* claimIn(subject, test, range, {
            message: `This passes or fails with the load of the machine: elapsed time has to stay below ${bound.value} s.`,
          });
        } else if (isMeasured(module, sides.more)) {
          yield* claimIn(subject, test, range, {
            message: 'This compares two measured times, which vary from run to run.',
          });
        }
      }
    }
  },
};

/** The side that has to be the smaller one. */
function orient({
  operator,
  left,
  right,
}: Comparison): { readonly less: SyntaxNode; readonly more: SyntaxNode } | null {
  if (operator === '<' || operator === '<=') return { less: left, more: right };
  return operator === '>' || operator === '>=' ? { less: right, more: left } : null;
}

/** Whether an expression is a difference of two readings of the clock. */
function isElapsed(module: PythonModule, expression: SyntaxNode, depth: number): boolean {
  const node = bare(expression);
  if (depth > 8) return false;
  if (node.type === 'binary_operator') {
    const left = field(node, 'left');
    const right = field(node, 'right');
    if (left === null || right === null) return false;
    const operator = field(node, 'operator')?.type;
    if (operator === '-') return reads(module, left) && reads(module, right);
    // Turned into milliseconds, or an average.
    return (operator === '*' || operator === '/') && isElapsed(module, left, depth + 1);
  }
  if (node.type === 'call') {
    const call = module.callAt(node);
    const own = call === null ? null : module.functionOf(call);
    if (own !== null) return own.returns.length > 0 && own.returns.every((one) => isElapsed(module, one, depth + 1));
    const [first] = call?.arguments ?? [];
    if (call?.name === 'total_seconds' && call.receiver !== null) return isElapsed(module, call.receiver, depth + 1);
    return (
      first !== undefined &&
      /^(?:round|abs|float|int)$/u.test(call?.callee ?? '') &&
      isElapsed(module, first, depth + 1)
    );
  }
  if (node.type !== 'identifier') return false;
  const [only, ...others] = module.bindings(module.source(node), node);
  return (
    only?.kind === 'assign' && only.value !== null && others.length === 0 && isElapsed(module, only.value, depth + 1)
  );
}

/** A reading of the clock, or a name for one; no file's time. */
function reads(module: PythonModule, node: SyntaxNode): boolean {
  const { clocks, files } = originsOf(module, node);
  return clocks.length > 0 && files.length === 0 && clocks.every(({ kind }) => kind !== 'cpu');
}

function isMeasured(module: PythonModule, node: SyntaxNode): boolean {
  return originsOf(module, node).clocks.some(({ kind }) => kind === 'elapsed');
}

function statedSeconds(instruction: string): readonly number[] {
  return [...instruction.matchAll(/(\d{1,6}(?:\.\d{1,6})?) ?(ms|milliseconds?|s|secs?|seconds?)\b/gu)].map(
    ([, number, unit]) => Number(number) / (unit?.startsWith('m') === true ? 1000 : 1),
  );
}
