import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, copyTask, useBundle, useWorkspace, type Ended } from './process';

const cli = useBundle();
const work = useWorkspace('sound', 'silent', 'two-keys', 'unreadable');

const run = (...args: readonly string[]): Promise<Ended> => call(cli.path, ['run', ...args], work.dir);

/** Names of the trials in a job's folder. */
function trials(job: string): readonly string[] {
  return readdirSync(join(work.dir, 'jobs', job)).filter((name) => name.includes('__'));
}

describe('a job judges nothing', () => {
  test('a reward of 0 is a result: exit 0', async () => {
    const ended = await run('sound', '--agent', 'nop', '-k', '2', '--job-name', 'nops');
    expect(ended.stdout).toContain('2 trials: 2 with a reward, mean 0.000');
    expect(ended.stdout).toContain('job jobs/nops');
    expect(trials('nops')).toHaveLength(2);
    expect(ended.code).toBe(0);
  });

  test('a trial without one is not: exit 1', async () => {
    const ended = await run('silent', '--agent', 'nop');
    expect(ended.stdout).toContain('1 trial: 0 with a reward, 1 without');
    expect(ended.stdout).toContain('no-reward');
    expect(ended.code).toBe(1);
  });

  test('rewards of several names are a result', async () => {
    const ended = await run('two-keys', '--agent', 'nop');
    expect(ended.stdout).toContain('say which one counts with --reward-key');
    expect(ended.code).toBe(0);
  });

  test('what an agent earned before its time ran out counts', async () => {
    const config = join(copyTask('sound', join(work.dir, 'hasty')), 'task.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('300.0', '2.0'));
    const ended = await run('hasty/sound', '--agent', 'command', '--command', 'echo 42 > answer.txt; sleep 300');
    expect(ended.stdout).toContain('command  reward 1 (reward.txt)  AgentTimeoutError');
    expect(ended.code).toBe(0);
  });

  test('a command acts in the working directory, and is told what to do', async () => {
    const ended = await run(
      'sound',
      '--agent',
      'command',
      '--command',
      'grep -q 42 && pwd > where && echo 42 > answer.txt',
    );
    expect(ended.stdout).toContain('command  reward 1 (reward.txt)');
    expect(ended.code).toBe(0);
  });

  test('what cannot be read of an agent’s account is said', async () => {
    const ended = await run('sound', '--agent', 'command', '--command', 'echo "{bogus" > /logs/agent/trajectory.json');
    expect(ended.stdout).toContain('trajectory.json is no JSON object.');
    expect(ended.code).toBe(0);
  });

  test('a task that does not load is left out, said, and no result', async () => {
    const ended = await run('sound', 'unreadable', '--agent', 'nop');
    expect(ended.stderr).toContain('unreadable is left out: task.toml is not valid');
    expect(ended.stdout).toContain('1 trial: 1 with a reward');
    expect(ended.code).toBe(1);
  });
});

describe('going on with a job', () => {
  test('keeps what is finished and makes up for what is not', async () => {
    const args = ['sound', '--agent', 'nop', '-k', '2', '--job-name', 'again'];
    expect((await run(...args)).code).toBe(0);
    const [kept, lost] = trials('again');
    const before = readFileSync(join(work.dir, 'jobs/again', kept!, 'result.json'), 'utf8');
    rmSync(join(work.dir, 'jobs/again', lost!, 'result.json'));
    const ended = await run(...args, '--resume');
    expect(ended.stdout).toContain('2 trials: 2 with a reward');
    expect(readFileSync(join(work.dir, 'jobs/again', kept!, 'result.json'), 'utf8')).toBe(before);
    expect(trials('again')).toHaveLength(2);
    expect(existsSync(join(work.dir, 'jobs/again', lost!))).toBe(false);
  });

  test('a name that is taken gets a suffix otherwise', async () => {
    expect((await run('sound', '--agent', 'nop', '--job-name', 'taken')).code).toBe(0);
    const ended = await run('sound', '--agent', 'nop', '--job-name', 'taken');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/job jobs\/taken.+/);
  });
});

describe('what could not be run ends with 2', () => {
  test.each([
    ['a command without its agent', ['sound', '--command', 'true'], '--agent command'],
    ['an agent without its command', ['sound', '--agent', 'command'], '--command'],
    ['an agent that is none', ['sound', '--agent', 'human'], 'Allowed choices'],
    ['a resumed job without a name', ['sound', '--resume'], '--job-name'],
    ['a job that is not there', ['sound', '--resume', '--job-name', 'nowhere'], 'no job to resume'],
    ['only tasks that do not load', ['unreadable'], 'none of the tasks loads'],
    ['nothing there', ['missing'], 'missing'],
  ])('%s', async (_what, args, says) => {
    const ended = await run(...args);
    expect(ended.stderr).toContain(says);
    expect(ended.stdout).toBe('');
    expect(ended.code).toBe(2);
  });
});

test('that no engine answers is said once', async () => {
  const ended = await run('sound', '--docker-host', 'unix:///nowhere/docker.sock');
  expect(ended.stderr.match(/no socket is there/g)).toHaveLength(1);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
});

test('every command says what it takes, and nothing is an error without being told', async () => {
  const top = await call(cli.path, ['--help'], work.dir);
  expect(top.code).toBe(0);
  const names = [...top.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
  expect(names).toEqual(expect.arrayContaining(['gate', 'run', 'check', 'new', 'doctor']));
  for (const name of names) {
    const help = await call(cli.path, [name, '--help'], work.dir);
    expect([name, help.code, help.stdout.startsWith('Usage: taskwright')]).toEqual([name, 0, true]);
  }
  expect(await call(cli.path, ['--version'], work.dir)).toMatchObject({ code: 0, stdout: '0.1.0\n' });
  expect(await call(cli.path, [], work.dir)).toMatchObject({ code: 2, stdout: '' });
  expect(await call(cli.path, ['report'], work.dir)).toMatchObject({ code: 2, stdout: '' });
});
