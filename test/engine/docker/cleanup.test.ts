import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDead, ownerOfThisProcess, parseOwner, formatOwner } from '../../../src/engine/docker/owner';
import { ownerOfTag, imageTag } from '../../../src/engine/docker/labels';
import type { Image, SandboxEngine } from '../../../src/engine/sandbox';
import { runChild } from './children/run';
import { BASE, baseImage, bash, connectForTest, folderOf, NEVER, run, specOf, startForTest, until } from './support';

let engine: SandboxEngine;
let image: Image;

beforeAll(async () => {
  engine = await connectForTest();
  image = await baseImage(engine);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
});

function docker(...args: string[]): string[] {
  return execFileSync('docker', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

/** Everything on the engine that a process of this id made. */
function madeBy(pid: number): string[] {
  const owned = (lines: readonly string[]): string[] => lines.filter((line) => line.includes(`.${pid}.`));
  const label = '{{.Label "taskwright.owner"}}';
  return [
    ...owned(docker('ps', '-a', '--filter', 'label=taskwright.run', '--format', `container {{.ID}} ${label}`)),
    ...owned(docker('network', 'ls', '--filter', 'label=taskwright.run', '--format', `network {{.Name}} ${label}`)),
    ...owned(docker('volume', 'ls', '--filter', 'label=taskwright.run', '--format', `volume {{.Name}} ${label}`)),
    ...owned(docker('images', '--format', 'image {{.Repository}}:{{.Tag}}')),
  ];
}

const kinds = (made: readonly string[]): string[] => made.map((line) => line.split(' ')[0] ?? '').sort();

describe('what a run made', () => {
  it('goes with the engine’s connection, even in the middle of things', async () => {
    const own = await connectForTest();
    const contextDir = await folderOf({ Dockerfile: `FROM ${BASE}\nRUN echo ${Date.now()}\n` });
    const before = madeBy(process.pid);
    const built = await own.prepareImage(
      { kind: 'build', contextDir, dockerfile: 'Dockerfile' },
      { signal: NEVER, limitSec: 60 },
    );
    if (!built.ok) throw new Error(built.message);
    const sandbox = await startForTest(own, built.image, { network: 'public', logFolders: ['/logs/agent'] });
    let up = false;
    const running = run(sandbox, 'echo up; sleep 800', { onOutput: () => (up = true) });
    await until('the command runs', () => up);
    expect(kinds(madeBy(process.pid)).filter((kind) => kind !== 'image')).toEqual(
      expect.arrayContaining(['container', 'network', 'volume']),
    );
    const starting = own.start(specOf(image));
    await own[Symbol.asyncDispose]();
    expect((await running).ended).toBe('container-gone');
    await starting;
    expect(madeBy(process.pid)).toEqual(before);
    expect(await own.start(specOf(image))).toMatchObject({ ok: false, reason: 'cancelled' });
    await rm(contextDir, { recursive: true, force: true });
  });

  it('goes when a start is cancelled, at any moment of it', async () => {
    const before = madeBy(process.pid).filter((line) => line.startsWith('container'));
    for (const waitMs of [0, 5, 30, 80, 150]) {
      const abort = new AbortController();
      const starting = engine.start(specOf(image, { signal: abort.signal }));
      setTimeout(() => {
        abort.abort();
      }, waitMs);
      const started = await starting;
      if (started.ok) await started.sandbox[Symbol.asyncDispose]();
      else expect(started.reason).toBe('cancelled');
    }
    expect(madeBy(process.pid).filter((line) => line.startsWith('container'))).toEqual(before);
  });

  it('is removed at a later start when its process was killed, and not while it lives', async () => {
    const contextDir = await folderOf({ Dockerfile: `FROM ${BASE}\nRUN echo left ${Date.now()}\n` });
    const child = await runChild('leave-behind', [contextDir]);
    try {
      await child.said;
      const pid = child.process.pid ?? 0;
      expect(kinds(madeBy(pid))).toEqual(['container', 'image', 'network', 'volume']);
      await engine.reap();
      expect(kinds(madeBy(pid))).toEqual(['container', 'image', 'network', 'volume']);
      const closed = new Promise((resolve) => child.process.once('close', resolve));
      child.process.kill('SIGKILL');
      await closed;
      const removed = await engine.reap();
      expect(madeBy(pid)).toEqual([]);
      expect(removed.containers).toBeGreaterThanOrEqual(1);
      expect(removed.images).toBeGreaterThanOrEqual(1);
    } finally {
      child.process.kill('SIGKILL');
      await rm(contextDir, { recursive: true, force: true });
    }
  });
});

describe('an owner', () => {
  it('is dead when its process is gone or is another by now, and on another machine after a day', async () => {
    const here = await ownerOfThisProcess('machine');
    expect(parseOwner(formatOwner(here))).toEqual(here);
    expect(ownerOfTag(imageTag({ id: 'abcd1234', owner: here }, 'f'.repeat(64), 3))).toEqual({
      owner: here,
      run: 'abcd1234',
    });
    expect(await isDead(here, here, 1e9)).toBe(false);
    expect(await isDead({ ...here, pid: 1 }, here, 1e9)).toBe(true);
    expect(await isDead({ ...here, startedAt: here.startedAt - 100 }, here, 0)).toBe(true);
    expect(await isDead({ ...here, pid: 2 ** 30 }, here, 0)).toBe(true);
    const elsewhere = await ownerOfThisProcess('other');
    expect(elsewhere.host).not.toBe(here.host);
    expect(await isDead(elsewhere, here, 3600)).toBe(false);
    expect(await isDead(elsewhere, here, 25 * 3600)).toBe(true);
  });
});

describe('a container', () => {
  it('has its limits, its folders for logs, and no network or the one outside', async () => {
    const closed = await startForTest(engine, image, {
      cpus: 0.5,
      memoryMb: 128,
      pidsLimit: 99,
      logFolders: ['/logs/agent', '/logs/verifier'],
    });
    const [inspected] = JSON.parse(docker('inspect', closed.id).join('\n')) as [
      {
        HostConfig: Record<string, unknown>;
        Mounts: { Type: string; Destination: string }[];
        Config: { Cmd: string[] };
      },
    ];
    expect(inspected.HostConfig).toMatchObject({
      NanoCpus: 500_000_000,
      Memory: 128 * 1024 * 1024,
      PidsLimit: 99,
      NetworkMode: 'none',
      Privileged: false,
      CapAdd: null,
      Binds: null,
    });
    expect(inspected.Config.Cmd).toEqual(['sh', '-c', 'sleep infinity']);
    expect(inspected.Mounts.map((mount) => `${mount.Type} ${mount.Destination}`).sort()).toEqual([
      'volume /logs/agent',
      'volume /logs/verifier',
    ]);
    const look = await run(
      closed,
      bash('stat -c "%a %F" /logs/agent; rmdir /logs/agent; ls /sys/class/net; touch /logs/verifier/x && echo wrote', {
        user: 'nobody',
      }),
    );
    expect(look.stdout.text).toBe('777 directory\nlo\nwrote\n');
    const open = await startForTest(engine, image, { network: 'public' });
    const other = await startForTest(engine, image, { network: 'public' });
    const address = (await run(other, 'hostname -i; python3 -m http.server 8000 >/dev/null 2>&1 &')).stdout.text.trim();
    expect((await run(open, 'ls /sys/class/net')).stdout.text).toContain('eth0');
    // Trials beside each other cannot reach one another.
    const reach = `python3 -c "import socket; socket.create_connection(('${address}', 8000), 2)"`;
    await until('the server answers', async () => (await run(other, reach)).code === 0);
    expect((await run(open, reach)).code).not.toBe(0);
    await Promise.all([closed, open, other].map((one) => one[Symbol.asyncDispose]()));
  });

  it.each([
    ['a working directory that is not there', `FROM ${BASE}\n`, { workdir: '/nowhere' }, '/nowhere'],
    ['an entrypoint that ends', `FROM ${BASE}\nENTRYPOINT ["sh","-c","echo no thanks; exit 5"]\n`, {}, 'no thanks'],
    ['one that ends soon', `FROM ${BASE}\nENTRYPOINT ["sh","-c","sleep 0.2; echo not for me"]\n`, {}, 'not for me'],
    ['an image without a shell', `FROM ${BASE}\nRUN rm -f /bin/sh /usr/bin/sh\n`, {}, 'has no "sh"'],
    [
      'a health check that fails',
      `FROM ${BASE}\nHEALTHCHECK --interval=1s --retries=1 CMD echo ill; false\n`,
      {},
      'ill',
    ],
    ['too little memory', `FROM ${BASE}\n`, { memoryMb: 1 }, 'memory_mb'],
    ['too many CPUs', `FROM ${BASE}\n`, { cpus: 5000 }, 'cpus'],
  ])('that cannot start for %s says so and is gone', async (_what, Dockerfile, over, words) => {
    const contextDir = await folderOf({ Dockerfile });
    const built = await engine.prepareImage(
      { kind: 'build', contextDir, dockerfile: 'Dockerfile' },
      { signal: NEVER, limitSec: 60 },
    );
    if (!built.ok) throw new Error(built.message);
    const started = await engine.start(specOf(built.image, over));
    if (started.ok) await started.sandbox[Symbol.asyncDispose]();
    expect(started).toMatchObject({ ok: false, reason: 'start-failed' });
    expect(started.ok ? '' : started.message).toContain(words);
    await built.release();
    await rm(contextDir, { recursive: true, force: true });
    expect(madeBy(process.pid).filter((line) => !line.startsWith('network'))).toEqual([]);
  });
});
