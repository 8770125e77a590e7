import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatPython } from '../../../src/core/results/python-number';
import type { RewardReading } from '../../../src/core/results/record';
import { duplicateKeys, maxRewardBytes, readReward, type VerifierEntry } from '../../../src/core/results/reward';

interface Row {
  readonly file: 'reward.txt' | 'reward.json';
  readonly text?: string;
  readonly base64?: string;
  readonly expect: {
    readonly error?: string;
    readonly rewards?: Record<string, { kind: string; repr: string }> | null;
  };
}

// Written by running Python's own `float()` and `json` and the model library that Harbor uses, on each text.
const table = JSON.parse(
  readFileSync(new URL('../../golden/reward-table.json', import.meta.url), 'utf8'),
) as readonly Row[];

function file(name: string, content: string | Uint8Array): VerifierEntry {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { name, kind: 'file', size: bytes.length, content: bytes, target: null };
}

function special(name: string, kind: VerifierEntry['kind'], target: string | null = null): VerifierEntry {
  return { name, kind, size: 0, content: null, target };
}

function plain(reading: RewardReading): unknown {
  if (!reading.ok) return { error: reading.error };
  if (reading.rewards === null) return { rewards: null };
  const rewards = Object.entries(reading.rewards).map(([key, number]) => [
    key,
    { kind: number.kind, repr: formatPython(number) },
  ]);
  return { rewards: Object.fromEntries(rewards) as unknown };
}

describe('every text of the table reads as in Python', () => {
  it('has all the rows', () => {
    expect(table.length).toBeGreaterThan(200);
  });
  it.each(table.map((row, index) => [index, row] as const))('row %i', (_index, row) => {
    const content = row.base64 === undefined ? (row.text ?? '') : Buffer.from(row.base64, 'base64');
    const expected = structuredClone(row.expect);
    // The one limit of our own: an integer is kept as a double, so of long ones only the first digits are exact.
    for (const number of Object.values(expected.rewards ?? {}))
      if (number.kind === 'int' && number.repr.length > 15) number.repr = BigInt(Number(number.repr)).toString();
    expect(plain(readReward([file(row.file, content)]))).toEqual(expected);
  });
});

describe('which file counts', () => {
  it.each<[string, VerifierEntry[], string]>([
    ['none', [], 'RewardFileNotFoundError'],
    ['other files only', [file('rewards.json', '{"reward": 1}'), file('REWARD.TXT', '1')], 'RewardFileNotFoundError'],
    ['both', [file('reward.txt', '0'), file('reward.json', '{"reward": 1}')], 'reward.json 1'],
    ['a broken json and a good txt', [file('reward.txt', '1'), file('reward.json', '{')], 'VerifierOutputParseError'],
    ['an empty json and a good txt', [file('reward.txt', '1'), file('reward.json', '')], 'RewardFileEmptyError'],
    ['a json folder', [special('reward.json', 'directory'), file('reward.txt', '1')], 'IsADirectoryError'],
    ['a txt folder', [special('reward.txt', 'directory')], 'IsADirectoryError'],
    ['a FIFO', [special('reward.txt', 'fifo')], 'RewardFileEmptyError'],
    ['a device', [special('reward.txt', 'other')], 'RewardFileEmptyError'],
    ['a link to a device', [special('reward.txt', 'link', '/dev/null')], 'RewardFileEmptyError'],
    ['a link in the folder', [special('reward.txt', 'link', 'a'), file('a', '0.5')], 'reward.txt 0.5'],
    ['a link with ./', [special('reward.txt', 'link', './a'), file('a', '0.5')], 'reward.txt 0.5'],
    [
      'a link to a link',
      [special('reward.txt', 'link', 'b'), special('b', 'link', 'a'), file('a', '1')],
      'reward.txt 1.0',
    ],
    ['a link to nothing', [special('reward.json', 'link', 'gone'), file('reward.txt', '1')], 'reward.txt 1.0'],
    ['a link to itself', [special('reward.json', 'link', 'reward.json')], 'RewardFileNotFoundError'],
    [
      'a link out, absolute',
      [special('reward.json', 'link', '/etc/passwd'), file('reward.txt', '1')],
      'VerifierOutputParseError',
    ],
    ['a link out, relative', [special('reward.txt', 'link', '../agent/x')], 'VerifierOutputParseError'],
    ['a link to the folder', [special('reward.txt', 'link', '.')], 'VerifierOutputParseError'],
    ['more than 1 MiB', [{ ...special('reward.txt', 'file'), size: maxRewardBytes + 1 }], 'VerifierOutputParseError'],
  ])('%s', (_name, entries, expected) => {
    const reading = readReward(entries);
    const first = reading.ok ? Object.values(reading.rewards ?? {})[0] : undefined;
    expect(reading.ok ? `${reading.file.name} ${first ? formatPython(first) : 'null'}` : reading.error).toBe(expected);
  });

  it('tells what else was there', () => {
    const reading = readReward([file('reward.txt', '0\n'), file('reward.json', '{"reward": 1}')]);
    expect(reading.others).toEqual([{ name: 'reward.txt', kind: 'file', size: 2, raw: '0\n' }]);
  });

  it('keeps 4 KiB of the text', () => {
    const reading = readReward([file('reward.txt', `1${' '.repeat(9000)}`)]);
    expect(reading.ok && reading.file.raw?.length).toBe(4096);
  });

  it('finds keys that stand twice', () => {
    expect(duplicateKeys([file('reward.json', '{"a": 1, "b": 2, "a": 3, "a": 4}')])).toEqual(['a']);
    expect(duplicateKeys([file('reward.json', '{"a": 1, "b": {"a": 2}}')])).toEqual([]);
    expect(duplicateKeys([file('reward.txt', '1')])).toEqual([]);
  });

  it.each<[VerifierEntry[], string]>([
    [[file('reward.txt', '1,0\n')], 'reward.txt holds no number but "1,0\\n".'],
    [[file('reward.txt', ' \n')], 'reward.txt holds only white space.'],
    [
      [file('reward.json', '{\n"reward": 1,\n}')],
      'reward.json is not valid JSON: a name in double quotes is expected in line 3.',
    ],
    [[file('reward.json', '{"reward": null}')], 'reward.json has a value for "reward" that is no number.'],
  ])('says what is wrong', (entries, message) => {
    const reading = readReward(entries);
    expect(reading.ok ? '' : reading.message).toBe(message);
  });
});
