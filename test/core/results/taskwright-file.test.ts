import { describe, expect, it } from 'vitest';
import type { RewardReading, TrialRecord } from '../../../src/core/results/record';
import { readTrialRecord, trialFactsFile, type TrialFacts } from '../../../src/core/results/taskwright-file';

const reading: RewardReading = {
  ok: true,
  file: { name: 'reward.json', kind: 'file', size: 30, raw: '{"reward": NaN, "b": 1}' },
  rewards: {
    reward: { value: Number.NaN, kind: 'float' },
    a: { value: -Infinity, kind: 'float' },
    b: { value: 1, kind: 'int' },
    c: { value: 0.25, kind: 'float' },
  },
  others: [],
};

const record: TrialRecord = {
  name: 't__2222222',
  dir: '/jobs/j/t__2222222',
  taskDir: '/tasks/t',
  agent: 'cheat',
  attempt: 2,
  reading,
  exception: null,
  undecided: null,
  cheat: { strategy: 'reward-json', kind: 'catalogue', ran: 'ran', planted: ['/x'], late: reading },
  agentExitCode: 0,
  durationSec: 1.5,
  imageDigest: 'sha256:1',
  architecture: 'amd64',
};

const facts: TrialFacts = {
  version: 1,
  program: '0.1.0',
  job: { id: 'id', name: 'j' },
  record,
  reward: {
    key: 'reward',
    value: 'nan',
    file: 'reward.json',
    raw: 's3cret-token',
    bothFiles: false,
    duplicateKeys: [],
  },
  agent: { exitCode: 0, ended: 'exited', outOfMemory: false, usageFrom: null, remarks: [] },
  cheat: null,
  verifier: null,
  image: null,
  limits: { buildSec: 600, agentSec: null, verifierSec: 0.5, cpus: 1, memoryMb: null, network: 'public' },
  engine: { version: '26', apiVersion: '1.45', os: 'linux', architecture: 'amd64', storageDriver: 'overlay2' },
  phases: [],
  notCopied: [],
  redacted: [],
  notRedacted: [],
};

describe('taskwright.json', () => {
  it('is strict JSON, and gives back the record', () => {
    const text = trialFactsFile(facts);
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      record: { reading: { rewards: { reward: { value: 'nan' }, a: { value: '-inf' }, b: { value: 1 } } } },
    });
    expect(readTrialRecord(text)).toEqual({ record, jobId: 'id' });
  });

  it('takes secrets out of values', () => {
    expect(trialFactsFile(facts, (text) => text.replaceAll('s3cret-token', '[REDACTED]'))).toContain('"[REDACTED]"');
  });

  it.each(['', '{', '[]', 'null', '{"version": 2}', '{"version": 1, "job": {}, "record": {}}'])(
    'does not take %s for a record',
    (text) => {
      expect(readTrialRecord(text)).toBeNull();
    },
  );
});
