import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TrialRecord } from '../../../src/core/results/record';
import type { SandboxEngine } from '../../../src/engine/sandbox';
import { connect, json, open, outcome, Scratch } from './support';

/** A verifier, what comes of it, and a part of what the person is told. */
type Row = readonly [name: string, testScript: string, outcome: string, told: string | null];

const sh = (body: string): string => `#!/bin/bash\n${body}\n`;
const at = '/logs/verifier';

const rows: readonly Row[] = [
  ['nothing', sh('echo looking; exit 3'), 'RewardFileNotFoundError', 'test.sh ended with code 3. Its last output:\nlooking'],
  ['silence', sh('true'), 'RewardFileNotFoundError', 'test.sh ended with code 0. It printed nothing.'],
  ['nan', sh(`echo nan > ${at}/reward.txt`), 'reward=NaN', null],
  ['an empty file', sh(`: > ${at}/reward.txt`), 'RewardFileEmptyError', 'reward.txt is empty.'],
  ['a comma', sh(`echo 1,0 > ${at}/reward.txt`), 'VerifierOutputParseError', 'holds no number but "1,0\\n"'],
  ['both files', sh(`echo 0 > ${at}/reward.txt; echo '{"reward": 1}' > ${at}/reward.json`), 'reward=1', null],
  ['a folder', sh(`mkdir ${at}/reward.txt`), 'IsADirectoryError', 'reward.txt is a folder'],
  ['a FIFO', sh(`mkfifo ${at}/reward.txt`), 'RewardFileEmptyError', null],
  ['a link to a device', sh(`ln -s /dev/null ${at}/reward.txt`), 'RewardFileEmptyError', null],
  ['a link out', sh(`ln -s /etc/hostname ${at}/reward.txt`), 'VerifierOutputParseError', 'leads out of the verifier'],
  ['a link inside', sh(`echo 0.5 > ${at}/x; ln -s x ${at}/reward.txt`), 'reward=0.5', null],
  ['a hard link', sh(`echo 0.5 > ${at}/x; ln ${at}/x ${at}/reward.txt`), 'reward=0.5', null],
  ['several keys', sh(`echo '{"a": 1, "b": 0.5, "a": 2}' > ${at}/reward.json`), 'a=2 b=0.5', null],
  ['a failing script with a reward', sh(`echo 1 > ${at}/reward.txt; exit 1`), 'reward=1', null],
  ['a process left behind', sh(`sleep 300 & echo 1 > ${at}/reward.txt`), 'reward=1', null],
  ['CRLF', `#!/bin/bash\r\necho 1 > ${at}/reward.txt\r\n`, 'RewardFileNotFoundError', 'Windows line ends (CRLF)'],
  ['CRLF below a shebang', `#!/bin/bash\necho 1 > ${at}/reward.txt\r\n`, 'RewardFileNotFoundError', 'Windows line ends (CRLF)'],
  ['no shebang', `echo 1 > ${at}/reward.txt\n`, 'reward=1', null],
  ['a lost interpreter', `#!/usr/bin/nothing\n`, 'RewardFileNotFoundError', '"/usr/bin/nothing"'],
];

let engine: SandboxEngine;
let scratch: Scratch;
let records: readonly TrialRecord[];
beforeAll(async () => {
  engine = await connect();
  scratch = await Scratch.make();
  const { job } = await open(engine, scratch, { maxConcurrent: 4 });
  records = await Promise.all(
    rows.map(async ([name, script]) => {
      const task = await scratch.task({ 'tests/test.sh': script }, name);
      return job.run({ task, agent: { kind: 'nop' }, attempt: 1 });
    }),
  );
  await job.close();
});
afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

it.each(rows.map((row, index) => [row[0], index] as const))('a verifier that leaves %s', async (_name, index) => {
  const [, , expected, told] = rows[index]!;
  const record = records[index]!;
  expect(outcome(record)).toBe(expected);
  const isError = expected.endsWith("Error");
  expect(record.exception?.type ?? null).toBe(isError ? expected : null);
  if (told !== null) expect(record.exception?.message).toContain(told);
  // Whatever happened, the files are whole.
  const result = await json(record.dir!, 'result.json');
  expect(result.finished_at).toEqual(expect.any(String));
  const facts = await json(record.dir!, 'taskwright.json');
  expect(facts.version).toBe(1);
  if (isError) expect(await readFile(join(record.dir!, 'exception.txt'), 'utf8')).toContain(expected);
});

it('keeps nan out of the file that Harbor reads, and in the one of our own', async () => {
  const record = records[rows.findIndex(([name]) => name === 'nan')]!;
  expect(await json(record.dir!, 'result.json')).toMatchObject({ verifier_result: { rewards: null } });
  expect(await json(record.dir!, 'taskwright.json')).toMatchObject({
    reward: { key: 'reward', value: 'nan', file: 'reward.txt', raw: 'nan\n', bothFiles: false },
  });
});

it('tells of both files, of keys that stand twice, and of links that stayed behind', async () => {
  const facts = async (name: string): Promise<Record<string, unknown>> =>
    json(records[rows.findIndex((row) => row[0] === name)]!.dir!, 'taskwright.json');
  expect(await facts('both files')).toMatchObject({
    reward: { bothFiles: true, file: 'reward.json' },
    record: { reading: { others: [{ name: 'reward.txt', raw: '0\n' }] } },
  });
  expect(await facts('several keys')).toMatchObject({ reward: { key: null, duplicateKeys: ['a'] } });
  expect(await facts('a link out')).toMatchObject({
    notCopied: [{ path: 'verifier/reward.txt', kind: 'symlink', target: '/etc/hostname' }],
  });
});

it('needs no executable bit, and never reads what a link in tests/ points at', async () => {
  const task = await scratch.task(
    { 'tests/test.sh': sh(`cat /tests/secret /tests/own > ${at}/seen 2>&1; [ -x /tests/test.sh ] && echo 1 > ${at}/reward.txt`) },
    'links',
  );
  await writeFile(join(scratch.dir, 'secret.txt'), 'of the host');
  await symlink(join(scratch.dir, 'secret.txt'), join(task.dir, 'tests', 'secret'));
  await writeFile(join(task.dir, 'tests', 'real'), 'of the task\n');
  await symlink('real', join(task.dir, 'tests', 'own'));
  const { job } = await open(engine, scratch);
  const record = await job.run({ task, agent: { kind: 'nop' }, attempt: 1 });
  await job.close();
  expect(outcome(record)).toBe('reward=1');
  const seen = await readFile(join(record.dir!, 'verifier', 'seen'), 'utf8');
  expect(seen).toContain('of the task');
  expect(seen).not.toContain('of the host');
});

it('takes 200 MB of output, and hands on a part of it while it comes', async () => {
  const task = await scratch.task(
    { 'tests/test.sh': sh(`echo begun; head -c 200000000 /dev/zero | tr '\\0' x; sleep 1.5; echo 1 > ${at}/reward.txt`) },
    'loud',
  );
  const { job, events } = await open(engine, scratch, { streamOutput: true });
  const record = await job.run({ task, agent: { kind: 'nop' }, attempt: 1 });
  await job.close();
  expect(outcome(record)).toBe('reward=1');
  const text = events.map((event) => (event.type === 'output' && event.phase === 'verifier' ? event.text : '')).join('');
  expect(text.startsWith('begun\nxxx')).toBe(true);
  expect(text.length).toBeGreaterThan(1_000_000);
  expect(text.length).toBeLessThan(6_000_000);
  expect(text.endsWith('\n… more in test-stdout.txt\n')).toBe(true);
  const { size } = await stat(join(record.dir!, 'verifier/test-stdout.txt'));
  expect(size).toBe(200_000_006);
});
