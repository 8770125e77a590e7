import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GateDocument } from '../../src/core/gates/document';
import { copyTask, call, leftOf, start, startForked, useBundle, useWorkspace, type Ended } from './process';

const cli = useBundle();
const work = useWorkspace(
  'sound',
  'half-reward',
  'always-rewarded',
  'silent',
  'comma',
  'two-keys',
  'no-solution',
  'no-image',
  'several-steps',
  'unreadable',
  'reward-taken',
  'own-entries',
);

/** Without a marker above it, as nothing was run here before. */
const alone = useWorkspace();

const gate = (args: readonly string[], cwd = work.dir): Promise<Ended> => call(cli.path, ['gate', ...args], cwd);

function documentOf(ended: Ended): GateDocument {
  return JSON.parse(ended.stdout) as GateDocument;
}

/** One line a task: `sound: oracle passed, nop passed`. */
function verdicts(document: GateDocument): readonly string[] {
  return document.tasks.map(({ path, gates }) => {
    const told = gates.map(({ gate, verdict, reason }) => `${gate} ${verdict}${reason === null ? '' : ` (${reason})`}`);
    return `${path}: ${told.join(', ')}`;
  });
}

describe('a sound task', () => {
  test('passes all gates, with the shape of the contract and a receipt', async () => {
    const ended = await gate(['sound', '--format', 'json']);
    const document = documentOf(ended);
    expect(ended.stderr).not.toContain('error');
    expect(verdicts(document)).toEqual(['sound: oracle passed, nop passed, cheat passed']);
    expect(ended.code).toBe(0);
    expect(document.summary).toEqual({ tasks: 1, passed: 3, failed: 0, notProven: 0 });
    const [task] = document.tasks;
    expect(Object.keys(document)).toEqual(['version', 'tasks', 'summary']);
    expect(Object.keys(task!)).toEqual(['path', 'name', 'gates', 'receipt']);
    expect(task!.receipt).toBe('.taskwright/receipts/sound.json');
    const [oracle, nop, cheat] = task!.gates;
    expect(oracle).toMatchObject({
      gate: 'oracle',
      reason: null,
      message: null,
      reward: { key: 'reward', value: 1, file: 'reward.txt', raw: '1\n' },
    });
    expect(nop).toMatchObject({ reward: { key: 'reward', value: 0, file: 'reward.txt', raw: '0\n' } });
    expect(Object.keys(oracle!)).toEqual(['gate', 'verdict', 'reason', 'message', 'reward', 'attempts']);
    for (const attempt of [...oracle!.attempts, ...nop!.attempts]) {
      expect(Object.keys(attempt)).toEqual(['trial', 'reward', 'exception', 'durationSec']);
      expect(attempt.exception).toBeNull();
      expect(attempt.durationSec).toBeGreaterThan(0);
      expect(existsSync(join(work.dir, attempt.trial!, 'result.json'))).toBe(true);
    }
    expect(cheat!.strategy).toBeNull();
    const ran = cheat!.attempts.filter(({ outcome }) => outcome !== 'n/a');
    expect(ran.length).toBeGreaterThan(3);
    expect(new Set(ran.map(({ outcome }) => outcome))).toEqual(new Set(['resisted']));
    for (const attempt of ran)
      expect(Object.keys(attempt)).toEqual(['trial', 'strategy', 'outcome', 'reward', 'exception', 'durationSec']);
    const receipt = JSON.parse(readFileSync(join(work.dir, task!.receipt!), 'utf8')) as { gates: object };
    expect(Object.keys(receipt.gates)).toEqual(['cheat', 'nop', 'oracle']);
    // Nothing of ours is ever written into a task.
    expect(existsSync(join(work.dir, 'sound/.taskwright'))).toBe(false);
    const outcome = JSON.parse(readFileSync(join(work.dir, ran[0]!.trial!, 'taskwright.json'), 'utf8')) as {
      record: { cheat: { outcome: string } };
    };
    expect(outcome.record.cheat.outcome).toBe('resisted');
  });

  test('with attempts, a threshold out of reach, and only the gate asked for', async () => {
    const ended = await gate(['sound', '--gates', 'oracle', '-k', '2', '--pass-threshold', '2', '--format', 'json']);
    expect(verdicts(documentOf(ended))).toEqual(['sound: oracle failed (reward-too-low)']);
    expect(documentOf(ended).tasks[0]!.gates[0]!.attempts).toHaveLength(2);
    expect(ended.code).toBe(1);
  });

  test('from inside the task, the parent folder takes jobs and receipts, and the tool says so', async () => {
    const dir = alone.dir;
    const task = copyTask('sound', dir);
    const ended = await gate(['--gates', 'nop', '--format', 'json'], task);
    expect(ended.code).toBe(0);
    expect(existsSync(join(dir, '.taskwright/receipts/sound.json'))).toBe(true);
    expect(existsSync(join(dir, 'jobs'))).toBe(true);
    expect(existsSync(join(task, 'jobs'))).toBe(false);
    expect(ended.stderr).toContain('nothing is written into a task');
    expect(documentOf(ended).tasks[0]!.receipt).toContain('.taskwright/receipts/sound.json');
  });
});

test('every trait gives its verdict, and none stops the others', async () => {
  const running = start(
    cli.path,
    [
      'gate',
      'half-reward',
      'always-rewarded',
      'silent',
      'comma',
      'two-keys',
      'no-solution',
      'no-image',
      'several-steps',
      'unreadable',
      '--format',
      'json',
    ],
    work.dir,
  );
  const ended = await running.ended;
  expect(verdicts(documentOf(ended))).toEqual([
    'half-reward: oracle failed (reward-too-low), nop passed, cheat not-proven (blocked)',
    'always-rewarded: oracle passed, nop failed (nop-rewarded), cheat not-proven (blocked)',
    'silent: oracle passed, nop not-proven (no-reward), cheat not-proven (blocked)',
    'comma: oracle not-proven (bad-reward), nop not-proven (bad-reward), cheat not-proven (blocked)',
    'two-keys: oracle not-proven (bad-reward), nop not-proven (bad-reward), cheat not-proven (blocked)',
    'no-solution: oracle not-proven (blocked), nop passed, cheat not-proven (blocked)',
    'no-image: oracle not-proven (build-failed), nop not-proven (build-failed), cheat not-proven (blocked)',
    'several-steps: oracle not-proven (unsupported), nop not-proven (unsupported), cheat not-proven (blocked)',
    'unreadable: oracle not-proven (not-loadable), nop not-proven (not-loadable), cheat not-proven (not-loadable)',
  ]);
  expect(ended.code).toBe(1);
  for (const task of documentOf(ended).tasks)
    for (const { verdict, message } of task.gates)
      if (verdict !== 'passed') expect(message).toMatch(new RegExp(`^${task.name}: .+\\.$`, 's'));
  expect(await leftOf(running.child.pid!)).toEqual([]);
});

describe('cheats', () => {
  test('a hit tells what was planted, what to change, and leaves a script', async () => {
    const ended = await gate(['reward-taken', '--gates', 'cheat', '--strategy', 'reward-json', '--format', 'json']);
    const [result] = documentOf(ended).tasks[0]!.gates;
    expect([result!.verdict, result!.reason, result!.strategy]).toEqual(['failed', 'cheat-rewarded', 'reward-json']);
    expect(result!.reward).toMatchObject({ value: 1, file: 'reward.json' });
    const told = result!.attempts[0]!.explanation!;
    expect(told.planted.join()).toContain('/logs/verifier/reward.json');
    expect(told.whatToChange).toContain('tests/test.sh');
    expect(readFileSync(join(work.dir, told.reproduction!), 'utf8')).toMatch(/^#!\/bin\/sh/);
    // One cheat of many proves nothing about the gate.
    const receipt = join(work.dir, '.taskwright/receipts/reward-taken.json');
    expect(Object.keys((JSON.parse(readFileSync(receipt, 'utf8')) as { gates: object }).gates)).toEqual([
      'nop',
      'oracle',
    ]);
    expect(ended.code).toBe(1);
  });

  test("an author's cheat that is rewarded, and a right variant that is refused", async () => {
    const cheats = await gate([
      'own-entries',
      '--gates',
      'cheat',
      '--format',
      'json',
      '--strategy',
      'author:all-numbers',
      '--strategy',
      'author:off-by-one',
    ]);
    const [cheat] = documentOf(cheats).tasks[0]!.gates;
    expect([cheat!.verdict, cheat!.reason, cheat!.strategy]).toEqual([
      'failed',
      'cheat-rewarded',
      'author:all-numbers',
    ]);
    expect(cheat!.message).toContain('42, and nothing else');
    expect(cheat!.attempts.map(({ strategy, outcome }) => `${strategy ?? ''} ${outcome ?? ''}`)).toEqual([
      'author:all-numbers hit',
      'author:off-by-one resisted',
    ]);
    const variants = await gate([
      'own-entries',
      '--gates',
      'cheat',
      '--format',
      'json',
      '--strategy',
      'variant:by-sum',
    ]);
    const [variant] = documentOf(variants).tasks[0]!.gates;
    expect([variant!.verdict, variant!.reason, variant!.strategy]).toEqual([
      'failed',
      'variant-rejected',
      'variant:by-sum',
    ]);
  });
});

describe('what could not be run ends with 2', () => {
  test.each([
    ['an unknown option', ['--nope'], 'unknown option'],
    ['a gate that is none', ['--gates', 'oracles'], 'There is no gate'],
    ['no attempts', ['-k', '0'], 'whole number from 1'],
    ['a threshold that is no number', ['--pass-threshold', 'nan'], 'finite number'],
    ['a form that is none', ['--format', 'xml'], 'Allowed choices'],
    ['a cheat that is none', ['sound', '--strategy', 'nope'], 'there is no cheat'],
    ['cheats without their gate', ['sound', '--gates', 'nop', '--strategy', 'reward-json'], '--gates leaves out'],
    ['nothing there', ['missing'], 'missing'],
    ['a file', ['sound/instruction.md'], 'is a file'],
    ['no engine', ['sound', '--docker-host', 'unix:///nonexistent/docker.sock'], '/nonexistent/docker.sock'],
    ['a jobs folder that cannot be', ['sound', '--jobs-dir', 'sound/task.toml/jobs'], 'jobs'],
  ])('%s', async (_what, args, says) => {
    const ended = await gate(args);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    expect(ended.stdout).toBe('');
    expect(ended.code).toBe(2);
  });

  test('an empty folder is never all well', async () => {
    mkdirSync(join(work.dir, 'empty'));
    const ended = await gate(['empty', '--format', 'json']);
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      version: 1,
      tasks: [],
      summary: { tasks: 0, passed: 0 },
      error: { message: expect.stringContaining('empty') as string },
    });
  });
});

test('a path with spaces, quotes and an emoji', async () => {
  const odd = 'odd \'"$(name) 🦉';
  cpSync(join(work.dir, 'sound'), join(work.dir, odd), { recursive: true });
  const ended = await gate([odd, '--gates', 'oracle,nop', '--format', 'json']);
  expect(verdicts(documentOf(ended))).toEqual([`${odd}: oracle passed, nop passed`]);
  expect(existsSync(join(work.dir, '.taskwright/receipts', `${odd}.json`))).toBe(true);
});

test('a task that changes while its gates run keeps no receipt', async () => {
  const task = copyTask('sound', join(work.dir, 'changing'));
  const args = ['gate', 'changing', '--gates', 'nop', '--format', 'json'];
  const running = startForked(cli.path, args, work.dir, (event) => {
    if (event.type === 'trial-started') writeFileSync(join(task, 'instruction.md'), 'Write 43.\n');
  });
  const ended = await running.ended;
  expect(documentOf(ended).tasks[0]!.receipt).toBeNull();
  expect(ended.stderr).toContain('was changed while its gates ran');
});
