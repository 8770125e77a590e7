import { describe, expect, it } from 'vitest';
import { judgeCheatGate } from '../../../src/core/gates/judge-cheat';
import { judgeGate } from '../../../src/core/gates/judge';
import { remarksOf, withRemarks } from '../../../src/core/gates/remarks';
import { defaultGateSettings } from '../../../src/core/gates/settings';
import type { RewardReading, TrialRecord } from '../../../src/core/results/record';
import { cheatTrial, nothingWritten, rewards, trial } from './trials';

const crlf = 'solve.sh has Windows line ends (CRLF), so its interpreter "/bin/bash" is not found. Save it with LF.';

function judge(gate: 'oracle' | 'nop', record: TrialRecord) {
  const result = judgeGate(gate, 'sample', [{ record, path: 'jobs/one/sample__aaaaaaa' }], defaultGateSettings);
  return { ...result, attempt: result.attempts[0] };
}

function both(): RewardReading {
  const reading = rewards({ reward: 0 }, 'reward.json');
  return { ...reading, others: [{ name: 'reward.txt', kind: 'file', size: 2, raw: '1\n' }] };
}

describe('what else is known of a trial', () => {
  it('tells why the reference solution earned too little', () => {
    const low = { reading: rewards({ reward: 0 }), agentExitCode: 127, remarks: [crlf] };
    const { message, attempt } = judge('oracle', trial(low));
    expect(message).toContain(`below the 1 that counts as a pass. ${crlf} `);
    expect(attempt?.message).toBe(crlf);
  });

  it('stands in the attempt of a gate that passed too, and nowhere else', () => {
    const remark = 'solve.sh ended with code 3; see agent/oracle.txt.';
    const { message, attempt, verdict } = judge('oracle', trial({ agentExitCode: 3, remarks: [remark] }));
    expect({ message, verdict, told: attempt?.message }).toEqual({ message: null, verdict: 'passed', told: remark });
    expect(judge('oracle', trial()).attempt?.message).toBeUndefined();
  });

  it('comes before the output of a program, once', () => {
    const why = 'The verifier wrote no reward. test.sh ended with code 1. Its last output:\nbash: no such file';
    expect(withRemarks(why, [crlf])).toBe(
      `The verifier wrote no reward. test.sh ended with code 1. ${crlf} Its last output:\nbash: no such file`,
    );
    expect(withRemarks(`It broke. ${crlf}`, [crlf])).toBe(`It broke. ${crlf}`);
    expect(withRemarks('the image did not build\nerror: exit 1', [crlf])).toBe(
      `the image did not build. ${crlf}\nerror: exit 1`,
    );
    expect(withRemarks(null, [])).toBeNull();
    const { message, attempt } = judge('oracle', trial({ reading: nothingWritten, remarks: [crlf] }));
    expect(message).toContain(`The verifier wrote no reward file. ${crlf} `);
    expect(attempt?.message).toContain(crlf);
  });

  it('says which of two reward files counts', () => {
    const record = trial({ reading: both() });
    const remark = 'reward.json counts, although reward.txt is there as well and holds “1”.';
    expect(remarksOf(record)).toEqual([remark]);
    expect(judge('oracle', record).message).toContain(remark);
    const nop = { ...both(), ...rewards({ reward: 1 }, 'reward.json'), others: both().others };
    expect(judge('nop', trial({ agent: 'nop', reading: nop })).message).toContain(`earned 1. ${remark} Let the tests`);
  });

  it('reaches cheats and alternative solutions', () => {
    const entry = (record: TrialRecord) => ({
      kind: 'trial' as const,
      trial: { record, path: null, level: 1 as const, expect: null, targets: null },
      explanation: null,
    });
    const remarks = ['The image has no bash.'];
    const gate = (record: TrialRecord) => judgeCheatGate('sample', [entry(record)], 0, defaultGateSettings);
    const broken = gate(cheatTrial({ ran: 'broken' }, { agentExitCode: 127, remarks }));
    expect(broken.attempts[0]?.outcome).toBe('broken');
    expect(broken.attempts[0]?.message).toContain(remarks[0]);
    expect(broken.message).toContain(remarks[0]);
    const refused = gate(cheatTrial({ kind: 'alternative', strategy: 'variant:other' }, { remarks }));
    expect(refused.reason).toBe('variant-rejected');
    expect(refused.message).toContain(remarks[0]);
  });
});

describe('the next step', () => {
  it('is about the tests only where they are to blame', () => {
    const undecided = { reason: 'no-reward' as const, message: 'There is no solution/solve.sh.' };
    expect(judge('oracle', trial({ reading: null, undecided })).message).toMatch(
      /There is no solution\/solve\.sh\. Mend that/,
    );
    expect(judge('oracle', trial({ reading: nothingWritten })).message).toMatch(
      /Let tests\/test\.sh write .*reward\.txt/,
    );
    const full = { undecided: { reason: 'engine-failed' as const, message: 'The disk is full. Free some space.' } };
    const disk = trial({ ...full, exception: { type: 'OSError', message: 'The disk is full. Free some space.' } });
    expect(judge('oracle', disk).message).toMatch(/Free some space\. Then run the gate again\.$/);
    expect(judge('oracle', trial(full)).message).toContain('See that Docker runs');
    const settings = { ...defaultGateSettings, rewardKey: 'speed' };
    expect(judgeGate('nop', 'sample', [{ record: trial(), path: null }], settings).message).toMatch(
      /has no reward called “speed”, only “reward”\. Let tests\/test\.sh write that reward/,
    );
  });
});
