import type { PythonModule } from '../../text/python/module';
import { originsOf } from '../../text/python/origins';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Rule } from '../rule';
import { assertedComparisons } from './asserted';
import { claimIn, soundModules } from './test-modules';

export const testsCurrentDate: Rule = {
  id: 'tests-current-date',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A comparison of something fixed with today passes now and fails on some later day, with nothing changed.',
  docs: {
    finds:
      'An assertion that compares the current date or time with a constant, or with what a file of `tests/` holds. Information where the other side comes from the agent’s own files.',
    silent: 'Measuring, names of scratch files, and times that are both made in the test.',
    bad: 'assert cert.not_after > datetime.now()',
    good: 'assert cert.not_after > datetime(2024, 5, 1, tzinfo=UTC)',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const { module } = test;
      if (!module.clocks.some(({ kind }) => kind === 'date')) continue;
      for (const { node, left, operator, right } of assertedComparisons(module)) {
        const ordered = /^[<>]=?$/u.test(operator);
        if (!ordered && operator !== '==') continue;
        const today = [left, right].filter((side) => readsDate(module, side));
        const [now] = today;
        const other = now === left ? right : left;
        if (now === undefined || today.length > 1) continue;
        const fixed = isFixed(module, other);
        // What the agent has just made is compared with the day it was made on.
        if (!fixed && (!ordered || originsOf(module, other).files.length === 0 || isDifference(module, now))) continue;
        const clock = originsOf(module, now).clocks.find(({ kind }) => kind === 'date');
        yield* claimIn(subject, test, clock !== undefined && contains(node, clock.node) ? clock.node : node, {
          ...(!fixed && { severity: 'information' as const, confidence: 'possible' as const }),
          message: `Whether this holds depends on the day on which it runs: \`${module.source(other).slice(0, 60)}\` stays as it is, the date does not.`,
        });
      }
    }
  },
};

function readsDate(module: PythonModule, side: SyntaxNode): boolean {
  return originsOf(module, side).clocks.some(({ kind }) => kind === 'date');
}

/** A constant of the calendar, or what a file beside the tests holds. A bare number bounds a difference, not a date. */
function isFixed(module: PythonModule, side: SyntaxNode): boolean {
  const value = module.fold(side);
  if (value !== null)
    return value.kind === 'text' || (value.kind === 'number' && value.value >= 1900 && value.value <= 2200);
  const { calls, files, commands, requests, complete } = originsOf(module, side);
  if (commands.length + requests.length > 0 || !complete) return false;
  if (files.length > 0)
    return files.every(({ path }) => path !== null && (path.from === 'module' || path.text.startsWith('/tests/')));
  return calls.some(
    ({ callee, arguments: given }) =>
      callee !== null &&
      /^datetime\.(?:datetime|date)(?:\.(?:strptime|fromisoformat))?$/u.test(callee) &&
      given.length > 0 &&
      given.every((one) => module.fold(one) !== null || /timezone|UTC|ZoneInfo/u.test(module.source(one))),
  );
}

function isDifference(module: PythonModule, side: SyntaxNode): boolean {
  return module.source(side).includes(' - ');
}

function contains(outer: SyntaxNode, inner: SyntaxNode): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
