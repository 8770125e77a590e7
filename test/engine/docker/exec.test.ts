import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Image, Sandbox, SandboxEngine } from '../../../src/engine/sandbox';
import { baseImage, bash, connectForTest, folderOf, NEVER, run, startForTest, until } from './support';

let engine: SandboxEngine;
let image: Image;
let sandbox: Sandbox;
let temp: string;

beforeAll(async () => {
  engine = await connectForTest();
  image = await baseImage(engine);
  sandbox = await startForTest(engine, image, { env: { FROM_START: 'start', BOTH: 'start' } });
  temp = await mkdtemp(join(tmpdir(), 'taskwright-test-'));
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(temp, { recursive: true, force: true });
});

/** What runs in the container beside its keep-alive and the asking shell. */
async function processes(of: Sandbox = sandbox): Promise<string[]> {
  const listed = await run(of, 'ps -eo pid=,ppid=,args=');
  return listed.stdout.text
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/^\d+ +\d+ +/, ''))
    .filter((line) => !/^(ps -eo|bash -c ps -eo|sh -c sleep infinity|sleep infinity)/.test(line));
}

describe('a command', () => {
  it('gives its exit code, both streams apart, and whole characters', async () => {
    const seen: [string, string][] = [];
    // Each byte of the character is written alone.
    const exit = await run(
      sandbox,
      `python3 -u -c "
import os, time
for byte in 'é☺🙂'.encode():
    os.write(1, bytes([byte])); time.sleep(0.02)
os.write(2, b'err')
"; exit 3`,
      { onOutput: (text, stream) => seen.push([stream, text]) },
    );
    expect(exit).toMatchObject({
      code: 3,
      ended: 'exited',
      outOfMemory: false,
      stdout: { text: 'é☺🙂', bytes: 9, omitted: 0 },
      stderr: { text: 'err', bytes: 3, omitted: 0 },
    });
    expect(exit.notStarted).toBeUndefined();
    const pieces = seen.filter(([stream]) => stream === 'stdout').map(([, text]) => text);
    expect(pieces.join('')).toBe('é☺🙂');
    expect(pieces.every((text) => /^[é☺🙂]*$/u.test(text))).toBe(true);
  });

  it('has the environment, user and folder it was given', async () => {
    const exit = await run(
      sandbox,
      bash('echo "$FROM_START|$BOTH|$(id -un)|$PWD"; read -r x || echo "no input"', {
        user: 'nobody',
        cwd: '/tmp',
        env: { BOTH: 'quo"te $x\nline' },
      }),
    );
    expect(exit.stdout.text).toBe('start|quo"te $x\nline|nobody|/tmp\nno input\n');
    expect((await run(sandbox, bash('id -u', { user: 4711 }))).stdout.text).toBe('4711\n');
  });

  it.each([
    ['program', bash('true'), { argv: ['no-such-program'] }],
    ['user', bash('true'), { user: 'no-such-user' }],
    ['folder', bash('true'), { cwd: '/no/such/folder' }],
  ])('that cannot start for want of its %s says so', async (_what, command, over) => {
    const exit = await run(sandbox, { ...command, ...over });
    expect(exit.ended).toBe('exited');
    expect([126, 127]).toContain(exit.code);
    expect(exit.notStarted).toMatch(/no-such|no such/);
  });

  it('that a service outlives ends nevertheless, and the service runs on', async () => {
    const exit = await run(sandbox, 'sleep 701 & setsid sleep 702 >/dev/null 2>&1 & echo started');
    expect(exit).toMatchObject({ code: 0, ended: 'exited', stdout: { text: 'started\n' } });
    expect(await processes()).toEqual(expect.arrayContaining(['sleep 701', 'sleep 702']));
    expect(await sandbox.hasProcesses(exit.mark)).toBe(true);
    await sandbox.endProcesses(exit.mark);
    expect(await processes()).toEqual([]);
    expect(await sandbox.hasProcesses(exit.mark)).toBe(false);
  });

  it('that closed its own streams is waited for', async () => {
    const exit = await run(sandbox, 'exec >&- 2>&-; sleep 1.5; exit 4');
    expect(exit).toMatchObject({ code: 4, ended: 'exited' });
    expect(exit.durationSec).toBeGreaterThan(1.4);
  });
});

describe('a command that is ended', () => {
  it('by its limit keeps its output and leaves no process, detached ones included, but what was there before', async () => {
    const service = await run(sandbox, 'setsid sleep 700 >/dev/null 2>&1 &');
    const exit = await run(
      sandbox,
      `echo before
       trap '' TERM INT
       nohup sleep 711 >/dev/null 2>&1 &
       setsid sleep 712 &
       (setsid bash -c 'sleep 713 & exec sleep 714' &)
       env -i setsid sleep 715 &
       (env -i bash -c 'env -i setsid sleep 716 &' &)
       su nobody -s /bin/bash -c 'env -i setsid sleep 717 & sleep 718' &
       python3 -c 'import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(719)
    os._exit(0)' &
       sleep 720`,
      { limitSec: 1.5 },
    );
    expect(exit).toMatchObject({ code: null, ended: 'limit', stdout: { text: 'before\n' } });
    expect(exit.durationSec).toBeLessThan(2.5);
    expect(await processes()).toEqual(['sleep 700']);
    await sandbox.endProcesses(service.mark);
    expect(await processes()).toEqual([]);
  });

  it('as another user leaves no process either', async () => {
    const exit = await run(sandbox, bash('setsid sleep 721 & env -i sleep 722', { user: 'nobody' }), { limitSec: 1 });
    expect(exit.ended).toBe('limit');
    expect(await processes()).toEqual([]);
  });

  it('by silence is not ended while it speaks', async () => {
    const exit = await run(sandbox, 'for i in 1 2 3 4 5; do echo $i; sleep 0.4; done; sleep 730', {
      idleLimitSec: 1.2,
    });
    expect(exit).toMatchObject({ code: null, ended: 'idle', stdout: { text: '1\n2\n3\n4\n5\n' } });
    expect(await processes()).toEqual([]);
  });

  it('by a cancel is ended at once', async () => {
    const abort = new AbortController();
    const running = run(sandbox, 'echo up; sleep 740', {
      signal: abort.signal,
      onOutput: () => {
        abort.abort();
      },
    });
    expect(await running).toMatchObject({ ended: 'cancelled', stdout: { text: 'up\n' } });
    expect(await processes()).toEqual([]);
    expect(await run(sandbox, 'echo no', { signal: abort.signal })).toMatchObject({ ended: 'cancelled', code: null });
  });
});

describe('an image without bash or tools', () => {
  it('has its commands ended all the same', async () => {
    const contextDir = await folderOf({
      Dockerfile:
        'FROM python:3.13-slim\nRUN rm -f /bin/bash /usr/bin/bash /usr/bin/tr /usr/bin/grep /usr/bin/ps /usr/bin/cat\n',
    });
    const built = await engine.prepareImage(
      { kind: 'build', contextDir, dockerfile: 'Dockerfile' },
      { signal: NEVER, limitSec: 60 },
    );
    if (!built.ok) throw new Error(built.message);
    const bare = await startForTest(engine, built.image);
    expect((await run(bare, 'true')).notStarted).toContain('bash');
    const command = { ...bash(''), argv: ['sh', '-c', 'setsid sleep 751 & env -i setsid sleep 752 & sleep 753'] };
    const exit = await run(bare, command, { limitSec: 1 });
    expect(exit.ended).toBe('limit');
    expect(await bare.hasProcesses(exit.mark)).toBe(false);
    // The container was not killed for it.
    expect(
      await run(bare, {
        ...command,
        argv: ['sh', '-c', 'for p in /proc/[0-9]*; do read -r l < $p/stat; case $l in *sleep*) echo "$l"; esac; done'],
      }),
    ).toMatchObject({ ended: 'exited', stdout: { text: expect.stringMatching(/^\d+ \(sleep\) [^\n]*\n$/) as string } });
    await bare[Symbol.asyncDispose]();
    await built.release();
    await rm(contextDir, { recursive: true, force: true });
  });
});

describe('much output', () => {
  it('of 200 MB neither hangs nor fills the memory, and goes to a file up to its limit', async () => {
    const spillFile = join(temp, 'spill.log');
    globalThis.gc?.();
    let peak = 0;
    const before = process.memoryUsage().rss;
    const exit = await run(sandbox, 'echo first; head -c 200000000 /dev/zero | tr "\\0" x; echo; echo last', {
      keepBytes: 10_000,
      spillFile,
      spillLimitBytes: 50_000_000,
      onOutput: () => {
        peak = Math.max(peak, process.memoryUsage.rss());
      },
    });
    expect(exit).toMatchObject({ code: 0, ended: 'exited', stdout: { bytes: 200_000_012 } });
    expect(exit.stdout.text.startsWith('first\nxxx')).toBe(true);
    expect(exit.stdout.text.endsWith('xxx\nlast\n')).toBe(true);
    expect(exit.stdout.text.length).toBeLessThan(10_200);
    expect(exit.stdout.omitted).toBe(200_000_012 - 10_000);
    expect(exit.spillFailure).toContain('50000000');
    expect((await stat(spillFile)).size).toBeLessThan(50_001_000);
    expect((peak - before) / 1e6).toBeLessThan(120);
  });

  it('is in the file whole and in order when it fits', async () => {
    const spillFile = join(temp, 'whole.log');
    const exit = await run(sandbox, 'seq 1 200000', { keepBytes: 100, spillFile });
    expect(exit.spillFailure).toBeUndefined();
    const wanted = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(await readFile(spillFile, 'utf8')).toBe(wanted);
  });

  it('goes on when the file cannot be written', async () => {
    const exit = await run(sandbox, 'echo on', { spillFile: join(temp, 'no', 'such', 'folder') });
    expect(exit).toMatchObject({ code: 0, stdout: { text: 'on\n' } });
    expect(exit.spillFailure).toContain('ENOENT');
  });
});

describe('memory', () => {
  it('that runs out is reported for the command it happened to, each time, and for no other', async () => {
    const small = await startForTest(engine, image, { memoryMb: 64 });
    const hog = 'python3 -c "x = bytearray(300 * 1024 * 1024)"; echo "code $?"';
    expect(await run(small, hog)).toMatchObject({ ended: 'exited', outOfMemory: true, stdout: { text: 'code 137\n' } });
    expect(await run(small, 'echo fine')).toMatchObject({ code: 0, outOfMemory: false });
    expect(await run(small, hog)).toMatchObject({ ended: 'exited', outOfMemory: true });
    await small[Symbol.asyncDispose]();
  });
});

describe('a container that is gone', () => {
  it('ends a command that runs in it, and any later one', async () => {
    const doomed = await startForTest(engine, image);
    let up = false;
    const running = run(doomed, 'echo up; sleep 760', { onOutput: () => (up = true) });
    await until('the command runs', () => up);
    await doomed[Symbol.asyncDispose]();
    await doomed[Symbol.asyncDispose]();
    expect(await running).toMatchObject({ ended: 'container-gone', code: null, stdout: { text: 'up\n' } });
    expect(await run(doomed, 'true')).toMatchObject({ ended: 'container-gone', code: null });
    expect(await doomed.get('/etc/hostname')).toBeNull();
    expect(await doomed.hasProcesses('x')).toBe(false);
  });

  it('is what a command ends with that leaves room for no other process', async () => {
    const full = await startForTest(engine, image, { pidsLimit: 12 });
    const exit = await run(full, 'for i in 1 2 3 4 5 6 7 8 9; do sleep 770 & done; echo full; sleep 771', {
      limitSec: 2,
    });
    expect(exit.ended).toBe('limit');
    // Either its processes could be ended one by one, or the container was: nothing of it runs on.
    expect(await full.hasProcesses(exit.mark)).toBe(false);
    await full[Symbol.asyncDispose]();
  });
});
