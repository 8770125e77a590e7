import { describe, expect, test } from 'vitest';
import type { CheatTrial } from '../../../src/core/gates/cheat-outcome';
import { judgeCheatTrial, parseExpectation } from '../../../src/core/gates/cheat-outcome';
import { cheatBlockedBy, judgeCheatGate, tallyCheats } from '../../../src/core/gates/judge-cheat';
import type { CheatEntry } from '../../../src/core/gates/judge-cheat';
import { judgeGate, notRun } from '../../../src/core/gates/judge';
import { defaultGateSettings } from '../../../src/core/gates/settings';
import type { CheatRecord, TrialRecord } from '../../../src/core/results/record';
import { cheatTrial, nothingWritten, rewards, trial, unreadable } from './trials';

interface Case {
  readonly what: string;
  readonly cheat?: Partial<CheatRecord>;
  readonly trial?: Partial<TrialRecord>;
  readonly expect?: string;
  readonly level?: 1 | 2 | 3;
  readonly nop?: number;
  readonly outcome: string;
  /** `verdict`, or `verdict reason`, of a gate with just this cheat. */
  readonly gate: string;
}

const reward = (value: number): Partial<TrialRecord> => ({ reading: rewards({ reward: value }) });
const variant = { kind: 'alternative', strategy: 'variant:streaming' } as const;
const author = { kind: 'wrong', strategy: 'author:half' } as const;

const cases: readonly Case[] = [
  { what: 'a clean zero', outcome: 'resisted', gate: 'passed' },
  { what: 'a pass', trial: reward(1), outcome: 'hit', gate: 'failed cheat-rewarded' },
  { what: 'above the nop but no pass', trial: reward(0.25), outcome: 'partial-hit', gate: 'failed cheat-rewarded' },
  {
    what: 'above a negative nop, yet nothing given',
    trial: reward(0),
    nop: -1,
    outcome: 'partial-hit',
    gate: 'passed',
  },
  { what: 'no reward', trial: { reading: nothingWritten }, outcome: 'denied', gate: 'not-proven denied' },
  { what: 'an unreadable reward', trial: { reading: unreadable('x') }, outcome: 'denied', gate: 'not-proven denied' },
  { what: 'nan', trial: reward(NaN), outcome: 'denied', gate: 'not-proven denied' },
  {
    what: 'a verifier that ran out of time',
    trial: { reading: null, exception: { type: 'VerifierTimeoutError', message: '60 s' } },
    outcome: 'denied',
    gate: 'not-proven denied',
  },
  {
    what: 'a verifier that ran out of time with a zero on the table',
    trial: { exception: { type: 'VerifierTimeoutError', message: '60 s' } },
    outcome: 'denied',
    gate: 'not-proven denied',
  },
  {
    what: 'cut off, yet rewarded',
    trial: { ...reward(1), exception: { type: 'AgentTimeoutError', message: '60 s' } },
    outcome: 'hit',
    gate: 'failed cheat-rewarded',
  },
  {
    what: 'cut off with a zero',
    trial: { exception: { type: 'AgentTimeoutError', message: '60 s' } },
    outcome: 'broken',
    gate: 'not-proven timeout',
  },
  { what: 'does not apply', cheat: { ran: 'skipped' }, outcome: 'n/a', gate: 'not-proven blocked' },
  {
    what: 'a script that failed is not “resisted”',
    cheat: { ran: 'broken' },
    trial: { agentExitCode: 2 },
    outcome: 'broken',
    gate: 'not-proven blocked',
  },
  {
    what: 'a script that failed after planting',
    cheat: { ran: 'broken' },
    trial: reward(1),
    outcome: 'hit',
    gate: 'failed cheat-rewarded',
  },
  {
    what: 'a container that did not start',
    trial: { reading: null, undecided: { reason: 'start-failed', message: 'no room' } },
    outcome: 'broken',
    gate: 'not-proven start-failed',
  },
  {
    what: 'stopped by the person',
    trial: { ...reward(1), undecided: { reason: 'cancelled', message: 'stopped' } },
    outcome: 'broken',
    gate: 'not-proven cancelled',
  },
  {
    what: 'another solution that failed by itself was not refused',
    cheat: { ...variant, ran: 'broken' },
    trial: { agentExitCode: 2 },
    outcome: 'broken',
    gate: 'not-proven blocked',
  },
  { what: 'a late win is only listed', cheat: { late: rewards({ reward: 1 }) }, outcome: 'late-hit', gate: 'passed' },
  { what: 'level 3 is only listed', level: 3, trial: reward(1), outcome: 'hit', gate: 'passed' },
  { what: 'an author cheat that gets nothing', cheat: author, outcome: 'resisted', gate: 'passed' },
  {
    what: 'an author cheat that gets a little',
    cheat: author,
    trial: reward(0.1),
    outcome: 'partial-hit',
    gate: 'failed cheat-rewarded',
  },
  {
    what: 'an author cheat within what is expected',
    cheat: author,
    expect: '0.5',
    trial: reward(0.5),
    outcome: 'resisted',
    gate: 'passed',
  },
  {
    what: 'an author cheat below 1',
    cheat: author,
    expect: '<1',
    trial: reward(0.9),
    outcome: 'resisted',
    gate: 'passed',
  },
  {
    what: 'an author cheat at 1',
    cheat: author,
    expect: '<1',
    trial: reward(1),
    outcome: 'hit',
    gate: 'failed cheat-rewarded',
  },
  {
    what: 'an expectation that cannot be read',
    cheat: author,
    expect: 'none',
    outcome: 'broken',
    gate: 'not-proven blocked',
  },
  { what: 'a variant that is accepted', cheat: variant, trial: reward(1), outcome: 'resisted', gate: 'passed' },
  { what: 'a variant that is refused', cheat: variant, outcome: 'hit', gate: 'failed variant-rejected' },
  {
    what: 'a variant that may reach less',
    cheat: variant,
    expect: '>=0.5',
    trial: reward(0.5),
    outcome: 'resisted',
    gate: 'passed',
  },
  {
    what: 'a variant without a reward',
    cheat: variant,
    trial: { reading: nothingWritten },
    outcome: 'broken',
    gate: 'not-proven no-reward',
  },
  {
    what: 'a variant that ran out of time was not refused',
    cheat: variant,
    trial: { exception: { type: 'AgentTimeoutError', message: '60 s' } },
    outcome: 'broken',
    gate: 'not-proven timeout',
  },
];

function entry(one: Case): CheatEntry & { kind: 'trial' } {
  const made: CheatTrial = {
    record: cheatTrial(one.cheat ?? {}, one.trial),
    path: 'jobs/one/x',
    level: one.level ?? 2,
    expect: one.expect ?? null,
    targets: null,
  };
  return { kind: 'trial', trial: made, explanation: null };
}

const named = (strategy: string, one: Partial<Case> = {}): CheatEntry =>
  entry({ what: '', outcome: '', gate: '', ...one, cheat: { ...one.cheat, strategy } });

describe('outcomes of cheats and the verdict they give', () => {
  test.each(cases)('$what → $outcome, $gate', (one) => {
    const made = entry(one);
    const nop = one.nop ?? 0;
    expect(judgeCheatTrial(made.trial, nop, defaultGateSettings).outcome).toBe(one.outcome);
    const result = judgeCheatGate('sample', [made], nop, defaultGateSettings);
    expect([result.verdict, ...(result.reason === null ? [] : [result.reason])].join(' ')).toBe(one.gate);
    expect(result.message === null).toBe(result.verdict === 'passed');
    if (result.message !== null) expect(result.message).toMatch(/^sample: .+\.$/);
  });

  test('strategy and reward are those of the first hit in the list', () => {
    const result = judgeCheatGate(
      'sample',
      [named('a'), named('b', { trial: reward(0.5) }), named('c', { trial: reward(1) })],
      0,
      defaultGateSettings,
    );
    expect(result.strategy).toBe('b');
    expect(result.reward?.value).toBe(0.5);
    expect(result.attempts.map(({ strategy, outcome }) => `${strategy ?? ''} ${outcome ?? ''}`)).toEqual([
      'a resisted',
      'b partial-hit',
      'c hit',
    ]);
  });

  test('a hit outweighs what is denied, and that outweighs what is broken', () => {
    const denied = named('d', { trial: { reading: nothingWritten } });
    const broke = named('e', { cheat: { ran: 'broken' } });
    expect(
      judgeCheatGate('sample', [denied, broke, named('f', { trial: reward(1) })], 0, defaultGateSettings).verdict,
    ).toBe('failed');
    const open = judgeCheatGate('sample', [broke, denied, named('f')], 0, defaultGateSettings);
    expect([open.verdict, open.reason, open.strategy]).toEqual(['not-proven', 'denied', null]);
    expect(open.message).toContain('with d ');
  });

  test('nothing that applies proves nothing', () => {
    const result = judgeCheatGate(
      'sample',
      [{ kind: 'not-applicable', strategy: 'tests-conftest', reason: 'no Python in the verifier' }],
      0,
      defaultGateSettings,
    );
    expect([result.verdict, result.reason]).toEqual(['not-proven', 'blocked']);
    expect(result.attempts).toEqual([
      {
        trial: null,
        strategy: 'tests-conftest',
        outcome: 'n/a',
        reward: null,
        exception: null,
        durationSec: 0,
        message: 'no Python in the verifier',
      },
    ]);
  });

  test('the message of an author entry quotes what it targets', () => {
    const made = entry({ what: '', outcome: '', gate: '', cheat: author, trial: reward(1) });
    const quoted: CheatEntry = { ...made, trial: { ...made.trial, targets: 'each line once' } };
    const result = judgeCheatGate('sample', [quoted], 0, defaultGateSettings);
    expect(result.message).toContain('each line once');
  });
});

describe('what has to pass first', () => {
  const passed = judgeGate('oracle', 'sample', [{ record: trial(), path: null }], defaultGateSettings);
  test('both passed', () => {
    const nop = judgeGate('nop', 'sample', [{ record: trial(reward(0)), path: null }], defaultGateSettings);
    expect(cheatBlockedBy('sample', [passed, nop], ['cheat'])).toBeNull();
  });
  test('the nop passes the tests', () => {
    const nop = judgeGate('nop', 'sample', [{ record: trial(reward(1)), path: null }], defaultGateSettings);
    expect(cheatBlockedBy('sample', [passed, nop], ['cheat'])).toBe(
      'sample: cheats were not run, as the nop gate failed. Doing nothing earned 1. Let the tests fail, with reward 0, as long as the work is not done. Mend that first.',
    );
  });
  test('what stands in the same report is not said twice', () => {
    const nop = judgeGate('nop', 'sample', [{ record: trial(reward(1)), path: null }], defaultGateSettings);
    expect(cheatBlockedBy('sample', [passed, nop], ['nop', 'cheat'])).toBe(
      'sample: cheats were not run, as the nop gate failed. Mend that first.',
    );
  });
  test('the oracle is not proven', () => {
    const open = notRun('oracle', 'blocked', 'sample: there is no solution. Add one.');
    expect(cheatBlockedBy('sample', [open], ['cheat'])).toBe(
      'sample: cheats were not run, as the oracle gate is not proven (blocked). There is no solution. Add one. Mend that first.',
    );
  });
});

test('expectations', () => {
  expect(['0', ' <1 ', '>= 1', '<=.5', '>-1', '1e-3'].map((text) => parseExpectation(text))).toEqual([
    { relation: '=', value: 0 },
    { relation: '<', value: 1 },
    { relation: '>=', value: 1 },
    { relation: '<=', value: 0.5 },
    { relation: '>', value: -1 },
    { relation: '=', value: 0.001 },
  ]);
  expect(['', 'one', '1 or 2', '=1', '<', 'nan', '1e999'].map((text) => parseExpectation(text))).toEqual(
    Array(7).fill(null),
  );
});

test('the tally keeps cheats and variants apart', () => {
  const result = judgeCheatGate(
    'sample',
    [
      named('a'),
      named('b', { trial: { reading: nothingWritten } }),
      named('c', { trial: reward(1) }),
      named('variant:x', { cheat: { kind: 'alternative' }, trial: reward(1) }),
      named('variant:y', { cheat: { kind: 'alternative' } }),
      { kind: 'not-applicable', strategy: 'z', reason: 'no' },
    ],
    0,
    defaultGateSettings,
  );
  expect(tallyCheats(result.attempts)).toEqual({
    resisted: 1,
    hit: ['c'],
    denied: ['b'],
    broken: [],
    late: [],
    notApplicable: 1,
    accepted: 1,
    rejected: ['variant:y'],
    variantsBroken: [],
  });
});
