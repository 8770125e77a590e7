import { describe, expect, test } from 'vitest';
import { judgeGate } from '../../../src/core/gates/judge';
import type { GateSettings } from '../../../src/core/gates/settings';
import { defaultGateSettings, parseGateNames } from '../../../src/core/gates/settings';
import type { TrialRecord } from '../../../src/core/results/record';
import { nothingWritten, rewards, trial, unreadable } from './trials';

interface Case {
  readonly what: string;
  readonly gate: 'oracle' | 'nop';
  readonly trials: readonly Partial<TrialRecord>[];
  readonly settings?: Partial<GateSettings>;
  /** `verdict`, or `verdict reason`. */
  readonly says: string;
  readonly reward?: number | string | null;
}

const ended = (type: string, message = 'It took too long.'): Partial<TrialRecord> => ({ exception: { type, message } });

const cases: readonly Case[] = [
  { what: 'oracle at the threshold', gate: 'oracle', trials: [{}], says: 'passed', reward: 1 },
  {
    what: 'oracle above it',
    gate: 'oracle',
    trials: [{ reading: rewards({ reward: 7.5 }) }],
    says: 'passed',
    reward: 7.5,
  },
  {
    what: 'oracle just below',
    gate: 'oracle',
    trials: [{ reading: rewards({ reward: 0.999 }) }],
    says: 'failed reward-too-low',
    reward: 0.999,
  },
  {
    what: 'oracle at a lower threshold',
    gate: 'oracle',
    trials: [{ reading: rewards({ reward: 0.5 }) }],
    settings: { passThreshold: 0.5 },
    says: 'passed',
  },
  { what: 'nop at zero', gate: 'nop', trials: [{ reading: rewards({ reward: 0 }) }], says: 'passed', reward: 0 },
  { what: 'nop below zero', gate: 'nop', trials: [{ reading: rewards({ reward: -1 }) }], says: 'passed', reward: -1 },
  {
    what: 'nop a little above zero',
    gate: 'nop',
    trials: [{ reading: rewards({ reward: 0.01 }) }],
    says: 'failed nop-rewarded',
    reward: 0.01,
  },
  {
    what: 'nop: no file is no zero',
    gate: 'nop',
    trials: [{ reading: nothingWritten }],
    says: 'not-proven no-reward',
    reward: null,
  },
  {
    what: 'nop: text is no zero',
    gate: 'nop',
    trials: [{ reading: unreadable('1,0') }],
    says: 'not-proven bad-reward',
  },
  {
    what: 'nop: nan is no zero',
    gate: 'nop',
    trials: [{ reading: rewards({ reward: NaN }) }],
    says: 'not-proven bad-reward',
    reward: 'nan',
  },
  {
    what: 'oracle: infinity is no pass',
    gate: 'oracle',
    trials: [{ reading: rewards({ reward: Infinity }) }],
    says: 'not-proven bad-reward',
    reward: 'inf',
  },
  {
    what: 'minus infinity is no zero',
    gate: 'nop',
    trials: [{ reading: rewards({ reward: -Infinity }) }],
    says: 'not-proven bad-reward',
    reward: '-inf',
  },
  {
    what: 'an empty object',
    gate: 'nop',
    trials: [{ reading: rewards({}, 'reward.json') }],
    says: 'not-proven no-reward',
  },
  {
    what: 'the only key',
    gate: 'oracle',
    trials: [{ reading: rewards({ score: 1 }, 'reward.json') }],
    says: 'passed',
    reward: 1,
  },
  {
    what: 'several keys, one is reward',
    gate: 'oracle',
    trials: [{ reading: rewards({ speed: 0, reward: 1 }, 'reward.json') }],
    says: 'passed',
    reward: 1,
  },
  {
    what: 'several keys, none chosen',
    gate: 'oracle',
    trials: [{ reading: rewards({ a: 1, b: 1 }, 'reward.json') }],
    says: 'not-proven bad-reward',
  },
  {
    what: 'several keys, one chosen',
    gate: 'oracle',
    trials: [{ reading: rewards({ reward: 0, b: 1 }, 'reward.json') }],
    settings: { rewardKey: 'b' },
    says: 'passed',
    reward: 1,
  },
  {
    what: 'the chosen key is missing',
    gate: 'nop',
    trials: [{ reading: rewards({ reward: 0 }) }],
    settings: { rewardKey: 'b' },
    says: 'not-proven no-reward',
  },
  {
    what: 'a key that every object has',
    gate: 'nop',
    trials: [{ reading: rewards({ reward: 0 }) }],
    settings: { rewardKey: 'toString' },
    says: 'not-proven no-reward',
  },
  {
    what: 'a time-out outweighs a reward',
    gate: 'oracle',
    trials: [ended('AgentTimeoutError')],
    says: 'not-proven timeout',
  },
  {
    what: 'no verification',
    gate: 'oracle',
    trials: [{ reading: null, ...ended('FileNotFoundError', 'No solve.sh.') }],
    says: 'not-proven no-reward',
  },
  {
    what: 'what is undecided outweighs a reward',
    gate: 'nop',
    trials: [{ reading: rewards({ reward: 0 }), undecided: { reason: 'cancelled', message: 'stopped' } }],
    says: 'not-proven cancelled',
  },
  {
    what: 'nothing was built',
    gate: 'nop',
    trials: [{ reading: null, undecided: { reason: 'build-failed', message: 'RUN false failed' } }],
    says: 'not-proven build-failed',
  },
  { what: 'no trial at all is never a pass', gate: 'nop', trials: [], says: 'not-proven engine-failed' },
  {
    what: 'one contrary attempt',
    gate: 'oracle',
    trials: [{}, { attempt: 2, reading: rewards({ reward: 0 }) }, { attempt: 3 }],
    says: 'failed reward-too-low',
    reward: 0,
  },
  {
    what: 'contrary outweighs undecided',
    gate: 'oracle',
    trials: [{ reading: nothingWritten }, { attempt: 2, reading: rewards({ reward: 0 }) }],
    says: 'failed reward-too-low',
  },
  {
    what: 'one undecided attempt',
    gate: 'nop',
    trials: [{ reading: rewards({ reward: 0 }) }, { attempt: 2, reading: nothingWritten }],
    says: 'not-proven no-reward',
  },
];

describe('verdicts of oracle and nop', () => {
  test.each(cases)('$gate: $what → $says', ({ gate, trials, settings, says, reward }) => {
    const list = trials.map((changes) => ({ record: trial({ agent: gate, ...changes }), path: 'jobs/one' }));
    const result = judgeGate(gate, 'sample', list, { ...defaultGateSettings, ...settings });
    expect([result.verdict, ...(result.reason === null ? [] : [result.reason])].join(' ')).toBe(says);
    if (reward !== undefined) expect(result.reward?.value ?? null).toBe(reward);
    expect(result.attempts).toHaveLength(trials.length);
    if (result.verdict === 'passed') expect(result.message).toBeNull();
    // Every message names the task, says what happened and ends with what to do.
    else expect(result.message).toMatch(/^sample: .+\. .+\.$/);
  });

  test('the account tells file, key and raw text', () => {
    const result = judgeGate('oracle', 'sample', [{ record: trial(), path: 'jobs/one/x' }], defaultGateSettings);
    expect(result).toEqual({
      gate: 'oracle',
      verdict: 'passed',
      reason: null,
      message: null,
      reward: { key: 'reward', value: 1, file: 'reward.txt', raw: '1\n' },
      attempts: [{ trial: 'jobs/one/x', reward: 1, exception: null, durationSec: 2 }],
    });
  });

  test('what a program printed is kept with the attempt, and out of the sentence', () => {
    const message = 'The verifier wrote no reward. Its last output:\n\nFAILED (failures=1)';
    const reading = { ok: false, error: 'RewardFileNotFoundError', message, file: null, others: [] } as const;
    const result = judgeGate('nop', 'sample', [{ record: trial({ reading }), path: null }], defaultGateSettings);
    expect(result.message).toBe(
      'sample: the nop gate could not decide. The verifier wrote no reward. Let tests/test.sh write /logs/verifier/reward.txt on every path, also when a test fails.',
    );
    expect(result.attempts[0]?.message).toContain('FAILED (failures=1)');
  });

  test('a solution that ended badly is named', () => {
    const record = trial({ reading: rewards({ reward: 0 }), agentExitCode: 3 });
    const result = judgeGate('oracle', 'sample', [{ record, path: null }], defaultGateSettings);
    expect(result.message).toContain('solve.sh ended with code 3');
  });

  test('the result is strict JSON whatever the reward is', () => {
    for (const value of [NaN, Infinity, -Infinity, -0, 1e300]) {
      const record = trial({ reading: rewards({ reward: value }) });
      const result = judgeGate('nop', 'sample', [{ record, path: null }], defaultGateSettings);
      expect(JSON.stringify(result)).not.toContain('"value":null');
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    }
  });
});

describe('gate names', () => {
  test.each([
    ['oracle', ['oracle']],
    ['cheat, nop,oracle,nop', ['oracle', 'nop', 'cheat']],
  ])('%s', (text, gates) => {
    expect(parseGateNames(text)).toEqual({ ok: true, gates });
  });
  test.each(['', ' , ', 'oracles', 'oracle,flake'])('“%s” is refused', (text) => {
    const result = parseGateNames(text);
    expect(result.ok ? null : result.message).toContain('the gates are oracle, nop, cheat');
  });
});
