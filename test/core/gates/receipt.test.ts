import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { judgeGate, notRun } from '../../../src/core/gates/judge';
import { judgeCheatGate } from '../../../src/core/gates/judge-cheat';
import type { GateInputs, NewProof, Receipt, ReceiptMachine } from '../../../src/core/gates/receipt';
import { isWorthKeeping, parseReceipt, receiptText, staleness, updateReceipt } from '../../../src/core/gates/receipt';
import { defaultGateSettings } from '../../../src/core/gates/settings';
import type { GateName } from '../../../src/core/gates/verdict';
import { cheatTrial, nothingWritten, rewards, trial } from './trials';

const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');

const inputs: GateInputs = {
  files: { 'task.toml': 'aa', 'tests/test.sh': 'bb' },
  authors: { 'cheats/half.sh': 'cc' },
  settings: { rewardKey: null, passThreshold: 1, attempts: 1 },
};

const machine: ReceiptMachine = {
  imageDigest: 'sha256:11',
  architecture: 'amd64',
  engine: '26.1.5',
  taskwright: '0.1.0',
  limits: { cpus: 1, memoryMb: 512, buildSec: 600, agentSec: null, verifierSec: 60 },
  strategies: {},
};

function proof(gate: GateName, at = '2026-12-01T10:00:00.000Z'): NewProof {
  const result =
    gate === 'cheat'
      ? judgeCheatGate(
          'sample',
          [
            {
              kind: 'trial',
              trial: { record: cheatTrial({}), path: 'jobs/x', level: 2, expect: null, targets: null },
              explanation: null,
            },
          ],
          0,
          defaultGateSettings,
        )
      : judgeGate(
          gate,
          'sample',
          [{ record: trial(gate === 'nop' ? { reading: rewards({ reward: 0 }) } : {}), path: 'jobs/x' }],
          defaultGateSettings,
        );
  return { result, at: new Date(at), machine };
}

const task = { path: 'tasks/sample', name: 'acme/sample' };
const receipt = updateReceipt(null, task, [proof('oracle'), proof('nop'), proof('cheat')], inputs, sha256);

describe('what makes a receipt stale', () => {
  const changed = (changes: Partial<GateInputs>, gate: GateName = 'cheat'): string[] =>
    staleness(receipt, gate, { ...inputs, ...changes }).map(({ name, change }) => `${name} ${change}`);

  test('nothing', () => {
    expect(changed({})).toEqual([]);
    expect(changed({}, 'oracle')).toEqual([]);
  });
  test('files by name', () => {
    expect(changed({ files: { 'task.toml': 'ab', 'instruction.md': 'dd' } }, 'nop')).toEqual([
      'instruction.md added',
      'task.toml changed',
      'tests/test.sh removed',
    ]);
  });
  test("an author's cheat concerns the cheat gate only", () => {
    expect(changed({ authors: {} })).toEqual(['cheats/half.sh removed']);
    expect(changed({ authors: {} }, 'oracle')).toEqual([]);
  });
  test('settings', () => {
    expect(changed({ settings: { rewardKey: 'score', passThreshold: 0.5, attempts: 3 } }, 'oracle')).toEqual([
      'setting rewardKey changed',
      'setting passThreshold changed',
      'number of attempts changed',
    ]);
  });
  test('a proof by more attempts than asked for still holds', () => {
    const often = updateReceipt(
      null,
      task,
      [proof('nop')],
      { ...inputs, settings: { ...inputs.settings, attempts: 5 } },
      sha256,
    );
    expect(staleness(often, 'nop', inputs)).toEqual([]);
  });
  test('image, architecture and versions do not', () => {
    const other = {
      ...machine,
      imageDigest: 'sha256:22',
      architecture: 'arm64',
      engine: '29',
      taskwright: '9.9.9',
      strategies: { 'reward-json': 2 },
    };
    const remade = updateReceipt(null, task, [{ ...proof('cheat'), machine: other }], inputs, sha256);
    expect(staleness(remade, 'cheat', inputs)).toEqual([]);
  });
  test('a proof without its inputs is never taken for a good one', () => {
    const merged: Receipt = { ...receipt, inputs: {} };
    expect(staleness(merged, 'nop', inputs)).toEqual([{ name: 'the record of inputs', change: 'removed' }]);
  });
  test('a gate that never ran is not stale, it is absent', () => {
    expect(staleness(updateReceipt(null, task, [proof('nop')], inputs, sha256), 'oracle', inputs)).toEqual([]);
  });
});

describe('the receipt as a file', () => {
  test('gates that did not run now keep their proof, with the inputs it rests on', () => {
    const later = { ...inputs, files: { ...inputs.files, 'task.toml': 'zz' } };
    const next = updateReceipt(receipt, task, [proof('nop', '2026-12-02T10:00:00.000Z')], later, sha256);
    expect(Object.keys(next.inputs)).toHaveLength(2);
    expect(staleness(next, 'nop', later)).toEqual([]);
    expect(staleness(next, 'oracle', later)).toEqual([{ name: 'task.toml', change: 'changed' }]);
    // Once all rest on the new inputs, the old ones go.
    const last = updateReceipt(next, task, [proof('oracle'), proof('cheat')], later, sha256);
    expect(Object.keys(last.inputs)).toHaveLength(1);
  });

  test('is sorted, ends with a line break, and is the same for the same proofs', () => {
    const text = receiptText(receipt);
    const shuffled = updateReceipt(
      null,
      task,
      [proof('cheat'), proof('nop'), proof('oracle')],
      {
        settings: { attempts: 1, passThreshold: 1, rewardKey: null },
        authors: inputs.authors,
        files: { 'tests/test.sh': 'bb', 'task.toml': 'aa' },
      },
      sha256,
    );
    expect(receiptText(shuffled)).toBe(text);
    expect(text.endsWith('}\n')).toBe(true);
    expect(text.indexOf('"gates"')).toBeLessThan(text.indexOf('"inputs"'));
    // No path of the machine: it is meant to be committed.
    expect(text).not.toContain('jobs/x');
    const read = parseReceipt(text);
    expect(read.ok && read.receipt).toEqual(receipt);
  });

  test.each([
    ['', 'not valid JSON'],
    ['[]', 'not a JSON object'],
    ['{"version": 2}', 'version'],
    ['{"version": 1, "path": "x", "name": "x", "gates": [], "inputs": {}}', 'lacks'],
    [
      '{"version": 1, "path": "x", "name": "x", "gates": {"oracle": {"verdict": "passed"}}, "inputs": {}}',
      '“oracle” is damaged',
    ],
    ['{"version": 1, "path": "x", "name": "x", "gates": {"flake": {}}, "inputs": {}}', '“flake” is damaged'],
    [
      '{"version": 1, "path": "x", "name": "x", "gates": {}, "inputs": {"a": {"files": {"b": 1}}}}',
      'inputs is damaged',
    ],
    ['<<<<<<< HEAD\n{}', 'not valid JSON'],
  ])('%s is refused', (text, message) => {
    const read = parseReceipt(text);
    expect(read.ok ? null : read.message).toContain(message);
  });
});

test('only what tells of the task is kept', () => {
  const keeps = (changes: Parameters<typeof trial>[0]): boolean =>
    isWorthKeeping(judgeGate('nop', 'sample', [{ record: trial(changes), path: null }], defaultGateSettings));
  expect(keeps({ reading: rewards({ reward: 0 }) })).toBe(true);
  expect(keeps({ reading: rewards({ reward: 1 }) })).toBe(true);
  expect(keeps({ reading: nothingWritten })).toBe(true);
  expect(keeps({ undecided: { reason: 'cancelled', message: 'stopped' } })).toBe(false);
  expect(keeps({ undecided: { reason: 'engine-failed', message: 'gone' } })).toBe(false);
  expect(isWorthKeeping(notRun('cheat', 'blocked', 'sample: no. Do it.'))).toBe(false);
});
