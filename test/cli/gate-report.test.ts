import { describe, expect, test } from 'vitest';
import { githubReport } from '../../src/cli/gate-report/github';
import { junitReport } from '../../src/cli/gate-report/junit';
import { prettyReport } from '../../src/cli/gate-report/pretty';
import { allWell, gateDocument } from '../../src/core/gates/document';
import { judgeGate, notRun } from '../../src/core/gates/judge';
import { cheatBlockedBy, judgeCheatGate, type CheatEntry } from '../../src/core/gates/judge-cheat';
import { defaultGateSettings } from '../../src/core/gates/settings';
import type { GateResult, HitAccount } from '../../src/core/gates/verdict';
import type { TrialRecord } from '../../src/core/results/record';
import { cheatTrial, nothingWritten, rewards, trial, unreadable } from '../core/gates/trials';

const settings = defaultGateSettings;

function basic(gate: 'oracle' | 'nop', task: string, ...changes: readonly Partial<TrialRecord>[]): GateResult {
  const trials = changes.map((change, at) => ({
    record: trial({ agent: gate, attempt: at + 1, ...change }),
    path: `jobs/j/${task}__${gate}${at + 1}`,
  }));
  return judgeGate(gate, task, trials, settings);
}

const hit: HitAccount = {
  planted: ['/logs/verifier/reward.json'],
  whatHappened: 'The script wrote /logs/verifier/reward.json itself; the verifier gave 1.',
  whyItWorked: 'Nothing removes what the agent left in /logs/verifier (tests/test.sh:4).',
  whatToChange: 'Delete both reward files at the top of tests/test.sh.',
  howToCheck: 'Run this cheat again: taskwright gate tasks/weak',
  reproduction: 'jobs/j/weak__c1/cheat/reproduce.sh',
};

function cheats(task: string): GateResult {
  const entry = (
    strategy: string,
    change: Partial<TrialRecord>,
    explanation: HitAccount | null = null,
  ): CheatEntry => ({
    kind: 'trial',
    trial: {
      record: cheatTrial({ strategy, kind: strategy.startsWith('variant:') ? 'alternative' : 'catalogue' }, change),
      path: `jobs/j/${task}__${strategy}`,
      level: 2,
      expect: null,
      targets: null,
    },
    explanation,
  });
  return judgeCheatGate(
    task,
    [
      entry('reward-json', { reading: rewards({ reward: 1 }, 'reward.json') }, hit),
      entry('out-touch', {}),
      entry('reward-block#1', { reading: nothingWritten }),
      { kind: 'not-applicable', strategy: 'tests-conftest', reason: 'nothing in tests/ uses pytest' },
      entry('variant:other', { reading: rewards({ reward: 1 }) }),
    ],
    0,
    settings,
  );
}

const zero = { reading: rewards({ reward: 0 }) };
const blocked = cheatBlockedBy('lost', [basic('nop', 'lost', { reading: nothingWritten })], ['nop', 'cheat']) ?? '';

const document = gateDocument([
  {
    path: 'tasks/sound',
    name: 'acme/sound',
    gates: [basic('oracle', 'acme/sound', {}, {}), basic('nop', 'acme/sound', zero)],
    receipt: '.taskwright/receipts/tasks/sound.json',
  },
  {
    path: 'tasks/weak',
    name: 'weak',
    gates: [basic('oracle', 'weak', {}), basic('nop', 'weak', zero), cheats('weak')],
    receipt: '.taskwright/receipts/tasks/weak.json',
  },
  {
    path: 'tasks/lost',
    name: 'lost',
    gates: [basic('nop', 'lost', { reading: nothingWritten }), notRun('cheat', 'blocked', blocked)],
    receipt: null,
  },
]);

test('for people, in a file', () => {
  expect(prettyReport(document, { color: false, width: null, jobDir: 'jobs/j' })).toMatchInlineSnapshot(`
    "acme/sound  tasks/sound
      ✓ oracle  passed      reward 1 (reward.txt)  2 attempts  4.0 s
      ✓ nop     passed      reward 0 (reward.txt)  2.0 s
      receipt .taskwright/receipts/tasks/sound.json

    weak  tasks/weak
      ✓ oracle  passed      reward 1 (reward.txt)  2.0 s
      ✓ nop     passed      reward 0 (reward.txt)  2.0 s
      ✗ cheat   failed      cheat-rewarded (reward-json)  8.0 s
        cheats: 1 resisted, 1 hit (reward-json), 1 denied (reward-block#1), 1 n/a
        variants: 1 accepted, 0 rejected
        ✗ reward-json  reward 1  hit
          planted  /logs/verifier/reward.json
          what     The script wrote /logs/verifier/reward.json itself; the verifier gave 1.
          why      Nothing removes what the agent left in /logs/verifier (tests/test.sh:4).
          change   Delete both reward files at the top of tests/test.sh.
          again    taskwright gate tasks/weak
          script   jobs/j/weak__c1/cheat/reproduce.sh
          trial    jobs/j/weak__reward-json
      receipt .taskwright/receipts/tasks/weak.json

    lost  tasks/lost
      ? nop     not-proven  no-reward  2.0 s
        The nop gate could not decide. The verifier wrote no reward file. Let tests/test.sh write /logs/verifier/reward.txt on every path, also when a test fails.
        trial   jobs/j/lost__nop1
      ? cheat   not-proven  blocked
        Cheats were not run, as the nop gate is not proven (no-reward). Mend that first.

    3 tasks, 7 gates: 4 passed, 1 failed, 2 not proven
    job jobs/j
    "
  `);
});

test('for people, on a narrow terminal, no line is too long and none is coloured by a container', () => {
  const evil = basic('nop', 'evil', { reading: unreadable('\u001b[31mred\u0007\u001b]0;title\u0007') });
  const text = prettyReport(gateDocument([{ path: 'evil', name: 'ev\u001b[2Jil', gates: [evil], receipt: null }]), {
    color: false,
    width: 60,
    jobDir: null,
  });
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(text).toContain('“red”');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
});

test('colour is added to signs and words, never instead of them', () => {
  const coloured = prettyReport(document, { color: true, width: null, jobDir: null });
  // eslint-disable-next-line no-control-regex
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(
    prettyReport(document, { color: false, width: null, jobDir: null }),
  );
});

test('for JUnit readers', () => {
  expect(junitReport(document)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="taskwright gates" tests="7" failures="1" errors="2" time="20.000">
      <testsuite name="tasks/sound" tests="2" failures="0" errors="0" skipped="0" time="6.000">
        <testcase name="oracle" classname="acme/sound" time="4.000">
          <system-out>reward 1 (reward.txt)</system-out>
        </testcase>
        <testcase name="nop" classname="acme/sound" time="2.000">
          <system-out>reward 0 (reward.txt)</system-out>
        </testcase>
      </testsuite>
      <testsuite name="tasks/weak" tests="3" failures="1" errors="0" skipped="0" time="12.000">
        <testcase name="oracle" classname="weak" time="2.000">
          <system-out>reward 1 (reward.txt)</system-out>
        </testcase>
        <testcase name="nop" classname="weak" time="2.000">
          <system-out>reward 0 (reward.txt)</system-out>
        </testcase>
        <testcase name="cheat" classname="weak" time="8.000">
          <failure type="cheat-rewarded" message="weak: an agent could cheat with reward-json. The script wrote /logs/verifier/reward.json itself; the verifier gave 1. Delete both reward files at the top of tests/test.sh.">weak: an agent could cheat with reward-json. The script wrote /logs/verifier/reward.json itself; the verifier gave 1. Delete both reward files at the top of tests/test.sh.&#10;reward-json  hit  jobs/j/weak__reward-json&#10;reward-block#1  denied  jobs/j/weak__reward-block#1  The verifier wrote no reward file</failure>
          <system-out>cheats: 1 resisted, 1 hit, 1 denied, 1 n/a</system-out>
        </testcase>
      </testsuite>
      <testsuite name="tasks/lost" tests="2" failures="0" errors="2" skipped="0" time="2.000">
        <testcase name="nop" classname="lost" time="2.000">
          <error type="no-reward" message="lost: the nop gate could not decide. The verifier wrote no reward file. Let tests/test.sh write /logs/verifier/reward.txt on every path, also when a test fails.">lost: the nop gate could not decide. The verifier wrote no reward file. Let tests/test.sh write /logs/verifier/reward.txt on every path, also when a test fails.&#10;jobs/j/lost__nop1  The verifier wrote no reward file</error>
          <system-out>no reward</system-out>
        </testcase>
        <testcase name="cheat" classname="lost" time="0.000">
          <error type="blocked" message="lost: cheats were not run, as the nop gate is not proven (no-reward). Mend that first.">lost: cheats were not run, as the nop gate is not proven (no-reward). Mend that first.</error>
          <system-out>cheats: 0 resisted, 0 hit, 0 denied, 0 n/a</system-out>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

test('JUnit text is whole XML whatever a container wrote', () => {
  const evil = basic('nop', 'a<b>&"c', { reading: unreadable('\u0000\ufffe\ud800]]>\u001b[1m') });
  const xml = junitReport(gateDocument([{ path: 'a<b>&"c', name: 'a<b>&"c', gates: [evil], receipt: null }]));
  expect(xml).toContain('name="a&lt;b&gt;&amp;&quot;c"');
  // eslint-disable-next-line no-control-regex
  expect(xml).not.toMatch(/[\u0000\ufffe\ud800]|\u001b|]]>/);
});

test('on a pull request', () => {
  const text = githubReport(document, (task, file) => `repo/${task.path}/${file}`);
  expect(text).toMatchInlineSnapshot(`
    "::error file=repo/tasks/weak/tests/test.sh,title=cheat failed (cheat-rewarded)::weak: an agent could cheat with reward-json. The script wrote /logs/verifier/reward.json itself; the verifier gave 1. Delete both reward files at the top of tests/test.sh.
    ::error file=repo/tasks/lost/tests/test.sh,title=nop not-proven (no-reward)::lost: the nop gate could not decide. The verifier wrote no reward file. Let tests/test.sh write /logs/verifier/reward.txt on every path, also when a test fails.
    ::error file=repo/tasks/lost/task.toml,title=cheat not-proven (blocked)::lost: cheats were not run, as the nop gate is not proven (no-reward). Mend that first.
    3 task(s): 4 gate(s) passed, 1 failed, 2 not proven
    "
  `);
});

describe('all is well', () => {
  test.each([
    ['nothing was selected', [], false],
    ['no gate', [{ path: 'a', name: 'a', gates: [], receipt: null }], false],
    ['one passed', [{ path: 'a', name: 'a', gates: [basic('oracle', 'a', {})], receipt: null }], true],
    [
      'one is open',
      [{ path: 'a', name: 'a', gates: [basic('oracle', 'a', { reading: nothingWritten })], receipt: null }],
      false,
    ],
  ] as const)('%s', (_what, tasks, well) => {
    expect(allWell(gateDocument(tasks).summary)).toBe(well);
  });
});

test('says that a choice of cheats proves nothing of the gate', () => {
  const report = (strategies: readonly string[] | null): string =>
    prettyReport(document, { color: false, width: null, jobDir: null, strategies });
  expect(report(['reward-json', 'out-touch'])).toContain(
    'Only reward-json, out-touch tried: this proves nothing of the cheat gate as a whole',
  );
  expect(report(null)).not.toContain('proves nothing of the cheat gate');
});
