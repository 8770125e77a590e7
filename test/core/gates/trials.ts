import type { CheatRecord, RewardNumber, RewardReading, TrialRecord } from '../../../src/core/results/record';

/** A reward file as the reader would have found it, from the numbers it holds. */
export function rewards(
  values: Readonly<Record<string, number>>,
  name: 'reward.txt' | 'reward.json' = 'reward.txt',
): RewardReading {
  const numbers: Record<string, RewardNumber> = {};
  for (const [key, value] of Object.entries(values)) numbers[key] = { value, kind: 'float' };
  const raw = name === 'reward.txt' ? `${String(Object.values(values)[0])}\n` : JSON.stringify(values);
  return { ok: true, file: { name, kind: 'file', size: raw.length, raw }, rewards: numbers, others: [] };
}

export const nothingWritten: RewardReading = {
  ok: false,
  error: 'RewardFileNotFoundError',
  message: 'The verifier wrote no reward file.',
  file: null,
  others: [],
};

export function unreadable(raw: string): RewardReading {
  return {
    ok: false,
    error: 'VerifierOutputParseError',
    message: `reward.txt holds “${raw}”, which is no number.`,
    file: { name: 'reward.txt', kind: 'file', size: raw.length, raw },
    others: [],
  };
}

export function trial(changes: Partial<TrialRecord> = {}): TrialRecord {
  return {
    name: 'sample__aaaaaaa',
    dir: '/jobs/one/sample__aaaaaaa',
    taskDir: '/tasks/sample',
    agent: 'oracle',
    attempt: 1,
    reading: rewards({ reward: 1 }),
    exception: null,
    undecided: null,
    cheat: null,
    agentExitCode: 0,
    durationSec: 2,
    imageDigest: 'sha256:aa',
    architecture: 'amd64',
    ...changes,
  };
}

export function cheatTrial(cheat: Partial<CheatRecord>, changes: Partial<TrialRecord> = {}): TrialRecord {
  return trial({
    agent: 'cheat',
    reading: rewards({ reward: 0 }),
    cheat: { strategy: 'reward-json', kind: 'catalogue', ran: 'ran', planted: [], late: null, ...cheat },
    ...changes,
  });
}
