import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildStep, ImageOptions, ImageResult, SandboxEngine } from '../../../src/engine/sandbox';
import { BASE, connectForTest, folderOf, NEVER, run, startForTest, until } from './support';

let engine: SandboxEngine;
const folders: string[] = [];

beforeAll(async () => {
  engine = await connectForTest();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await folderOf(files);
  folders.push(dir);
  return dir;
}

function prepare(contextDir: string, over: Partial<ImageOptions> = {}): Promise<ImageResult> {
  return engine.prepareImage(
    { kind: 'build', contextDir, dockerfile: 'Dockerfile' },
    { signal: NEVER, limitSec: 90, ...over },
  );
}

async function mustPrepare(contextDir: string, over: Partial<ImageOptions> = {}) {
  const result = await prepare(contextDir, over);
  if (!result.ok) throw new Error(result.message);
  return result;
}

async function mustFail(contextDir: string, over: Partial<ImageOptions> = {}) {
  const result = await prepare(contextDir, over);
  if (result.ok) {
    await result.release();
    throw new Error('The build was expected to fail.');
  }
  return result;
}

function tags(): string[] {
  const list = execFileSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}'], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.startsWith('taskwright-run/') && line.includes(`.${process.pid}.`));
}

/** Stands before the engine, and is told of each request before the engine is. */
async function proxyTo(endpoint: string, before: (path: string) => void): Promise<{ host: string; close(): void }> {
  const target = endpoint.replace(/^unix:\/\//, '');
  const server = createServer((incoming, answer) => {
    before(incoming.url ?? '');
    const { method, url: path, headers } = incoming;
    const onward = request({ socketPath: target, method, path, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  const socket = join(await folder({}), 'proxy.sock');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    host: `unix://${socket}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The command lines of the machine's processes: a build's container runs as one of them on a local engine. */
function isRunning(text: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').startsWith(text);
    } catch {
      return false;
    }
  });
}

describe('a build', () => {
  it('tells its steps and output, here-documents included, and leaves no tag after its release', async () => {
    const nonce = randomUUID();
    const dir = await folder({
      Dockerfile: `FROM ${BASE}\nWORKDIR /app\nENV GREETING=hello\nRUN <<EOF\necho "out ${nonce} ✓"\nEOF\nCOPY a.txt ./\nUSER nobody\n`,
      'a.txt': 'a',
    });
    const steps: BuildStep[] = [];
    let output = '';
    const built = await mustPrepare(dir, {
      onStep: (step) => steps.push(step),
      onOutput: (text) => (output += text),
    });
    expect(steps.map((step) => `${step.index}/${step.total} ${step.name.split(' ')[0]!}`).sort()).toEqual([
      '1/4 FROM',
      '2/4 WORKDIR',
      '3/4 RUN',
      '4/4 COPY',
    ]);
    expect(output).toContain(`out ${nonce} ✓`);
    expect(built.image).toMatchObject({ workdir: '/app', user: 'nobody', os: 'linux' });
    expect(built.image.env).toContain('GREETING=hello');
    expect(built.image.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(tags()).toHaveLength(1);
    await built.release();
    expect(tags()).toEqual([]);

    // From the builder's cache the same image comes back, soon: receipts rely on its id.
    const again = await mustPrepare(dir);
    expect(again.image.id).toBe(built.image.id);
    await again.release();
  });

  it('is shared by those who want the same, and lasts until the last lets go', async () => {
    const nonce = randomUUID();
    const dir = await folder({ Dockerfile: `FROM ${BASE}\nRUN echo ran ${nonce} && sleep 1\n` });
    let runs = 0;
    const onOutput = (text: string): void => {
      if (text.includes(`ran ${nonce}`)) runs += 1;
    };
    const [first, second] = await Promise.all([mustPrepare(dir, { onOutput }), mustPrepare(dir)]);
    expect(runs).toBe(1);
    expect(second.image.id).toBe(first.image.id);
    expect(tags()).toHaveLength(1);
    await first.release();
    await first.release();
    expect(tags()).toHaveLength(1);
    const third = await mustPrepare(dir);
    await second.release();
    expect(tags()).toHaveLength(1);
    await third.release();
    expect(tags()).toEqual([]);
  });

  it('is made again when its image goes with the tag of an equal one', async () => {
    const dir = await folder({ Dockerfile: `FROM ${BASE}\nLABEL nonce=${randomUUID()}\n` });
    let taken = 0;
    // The engine drops an image with its last tag, which may be another task's, just before this one's is set.
    const proxy = await proxyTo(engine.info.endpoint, (path) => {
      const tag = /\/images\/(taskwright-run\/[^/]+)\/json/.exec(path)?.[1];
      if (tag === undefined || taken === 2) return;
      taken += 1;
      execFileSync('docker', ['-H', engine.info.endpoint, 'rmi', decodeURIComponent(tag)], { stdio: 'ignore' });
    });
    const own = await connectForTest({ host: proxy.host });
    try {
      const built = await own.prepareImage(
        { kind: 'build', contextDir: dir, dockerfile: 'Dockerfile' },
        { signal: NEVER, limitSec: 90 },
      );
      expect(built.ok ? 'built' : built.message).toBe('built');
      expect(taken).toBe(2);
      expect(tags()).toHaveLength(1);
      if (built.ok) await built.release();
      expect(tags()).toEqual([]);
    } finally {
      await own[Symbol.asyncDispose]();
      proxy.close();
    }
  });

  it('is not shared with a changed context', async () => {
    const dir = await folder({ Dockerfile: `FROM ${BASE}\nCOPY a.txt /\n`, 'a.txt': randomUUID() });
    const first = await mustPrepare(dir);
    await writeFile(join(dir, 'a.txt'), randomUUID());
    const second = await mustPrepare(dir);
    expect(second.image.id).not.toBe(first.image.id);
    await first.release();
    await second.release();
  });

  it('sends what .dockerignore leaves, with links, modes and the Dockerfile', async () => {
    const dir = await folder({
      Dockerfile: `FROM ${BASE}\nCOPY . /ctx/\n`,
      '.dockerignore': '# left out\n*.log\nsecret\n.dockerignore\n!secret/public.txt\n',
      'keep.txt': 'k',
      'no.log': 'l',
      'secret/private.txt': 'p',
      'secret/public.txt': 'q',
      'a name with "quotes" 🙂.sh': '#!/bin/sh\n',
    });
    await chmod(join(dir, 'a name with "quotes" 🙂.sh'), 0o751);
    await symlink('keep.txt', join(dir, 'link'));
    await symlink('/etc/passwd', join(dir, 'outside'));
    const built = await mustPrepare(dir);
    const sandbox = await startForTest(engine, built.image);
    const listed = await run(sandbox, `cd /ctx && find . -not -name . -printf '%y %m %U %P %l\\n' | sort`);
    expect(listed.stdout.text.trim().split('\n')).toEqual([
      'd 755 0 secret ',
      'f 644 0 Dockerfile ',
      'f 644 0 keep.txt ',
      'f 644 0 secret/public.txt ',
      'f 751 0 a name with "quotes" 🙂.sh ',
      'l 777 0 link keep.txt',
      'l 777 0 outside /etc/passwd',
    ]);
    await sandbox[Symbol.asyncDispose]();
    await built.release();
  });

  it('prefers an ignore file of the Dockerfile’s own name', async () => {
    const dir = await folder({
      Dockerfile: `FROM ${BASE}\nCOPY . /ctx/\nRUN ls /ctx > /list\n`,
      'Dockerfile.dockerignore': 'b.txt\n',
      '.dockerignore': 'a.txt\n',
      'a.txt': 'a',
      'b.txt': 'b',
    });
    const built = await mustPrepare(dir);
    const sandbox = await startForTest(engine, built.image);
    expect((await run(sandbox, 'cat /list')).stdout.text).toContain('a.txt');
    expect((await run(sandbox, 'cat /list')).stdout.text).not.toContain('b.txt');
    await sandbox[Symbol.asyncDispose]();
    await built.release();
  });
});

describe('a build that fails', () => {
  it('names the line of the instruction and gives its last output', async () => {
    const dir = await folder({
      Dockerfile: `# head\nFROM ${BASE} AS one\nRUN echo fine\nFROM one\nENV A=1\nRUN echo first \\\n  # why\n  && echo last words >&2 \\\n  && exit 7\nRUN true\n`,
    });
    const result = await mustFail(dir);
    expect(result).toMatchObject({ reason: 'build-failed', line: 5 });
    expect(result.message).toContain('Dockerfile, line 6');
    expect(result.message).toContain('exit code 7');
    expect(result.output).toContain('last words');
  });

  it('names the line of a here-document', async () => {
    const dir = await folder({ Dockerfile: `FROM ${BASE}\nRUN <<EOF\nset -e\nfalse\nEOF\nRUN true\n` });
    expect(await mustFail(dir)).toMatchObject({ reason: 'build-failed', line: 1 });
  });

  it.each([
    ['a word that is no instruction', `FROM ${BASE}\n\nRUNN x\n`, 2, 'RUNN'],
    [
      'a file that is not in the context',
      `FROM ${BASE}\nCOPY nowhere.txt /\n`,
      1,
      '"/nowhere.txt" is not in the build context',
    ],
    ['a base image that cannot be had', `ARG X\nFROM nowhere.invalid/none:1\n`, 1, 'nowhere.invalid/none:1'],
    [
      'a stage that cannot be had',
      `FROM ${BASE}\nCOPY --from=nowhere.invalid/other /a /\n`,
      1,
      'nowhere.invalid/other',
    ],
    [
      'a syntax line that asks a registry',
      `# syntax=nowhere.invalid/dockerfile:1\nFROM ${BASE}\n`,
      0,
      'Remove the line',
    ],
  ])('says what is wrong with %s', async (_what, text, line, words) => {
    const result = await mustFail(await folder({ Dockerfile: text }));
    expect(result).toMatchObject({ reason: 'build-failed', line });
    expect(result.message).toContain(words);
  });

  it('names a Dockerfile that is not there', async () => {
    const dir = await folder({});
    const result = await mustFail(dir);
    expect(result).toMatchObject({ reason: 'build-failed', line: null });
    expect(result.message).toContain(join(dir, 'Dockerfile'));
  });

  it('refuses a here-document where only the older builder is there, which would skip it', async () => {
    const old = await connectForTest();
    Object.assign(old.info, { buildKit: false });
    const source = { kind: 'build', dockerfile: 'Dockerfile' } as const;
    const bad = await folder({ Dockerfile: `FROM ${BASE}\nRUN <<EOF\nexit 1\nEOF\n` });
    expect(await old.prepareImage({ ...source, contextDir: bad }, { signal: NEVER, limitSec: 60 })).toMatchObject({
      ok: false,
      line: 1,
    });
    const steps: string[] = [];
    const failing = await folder({ Dockerfile: `FROM ${BASE}\nENV A=1\nRUN echo words && exit 3\n` });
    const failed = await old.prepareImage(
      { ...source, contextDir: failing },
      { signal: NEVER, limitSec: 60, onStep: (step) => steps.push(`${step.index}/${step.total}`) },
    );
    expect(failed).toMatchObject({ ok: false, reason: 'build-failed', line: 2 });
    expect(failed.ok ? '' : failed.output).toContain('words');
    expect(steps).toEqual(['1/3', '2/3', '3/3']);
    await old[Symbol.asyncDispose]();
  });
});

describe('a build that is ended', () => {
  // Unlike any other on this machine, so that it can be told from them.
  const seconds = (): string => `3${Math.floor(Math.random() * 1e6)}`;

  it('by a cancel stops in the engine, and leaves nothing', async () => {
    const sleep = seconds();
    const dir = await folder({ Dockerfile: `FROM ${BASE}\nRUN ["sleep", "${sleep}"]\n` });
    const abort = new AbortController();
    const building = prepare(dir, { signal: abort.signal });
    await until('the step runs', () => isRunning(`sleep ${sleep}`));
    const began = performance.now();
    abort.abort();
    expect(await building).toMatchObject({ ok: false, reason: 'cancelled' });
    expect(performance.now() - began).toBeLessThan(5000);
    await until('the step has ended', () => !isRunning(`sleep ${sleep}`), 10_000);
    expect(tags()).toEqual([]);
  });

  it('by its limit says where it was', async () => {
    const sleep = seconds();
    const dir = await folder({ Dockerfile: `FROM ${BASE}\nRUN ["sleep", "${sleep}"]\n` });
    const result = await mustFail(dir, { limitSec: 1.5 });
    expect(result.reason).toBe('timeout');
    expect(result.message).toContain('2/2');
    await until('the step has ended', () => !isRunning(`sleep ${sleep}`), 10_000);
  });

  it('by one caller goes on for the other', async () => {
    const nonce = randomUUID();
    const dir = await folder({ Dockerfile: `FROM ${BASE}\nRUN echo ${nonce} && sleep 2\n` });
    const abort = new AbortController();
    let began = false;
    const given = prepare(dir, { signal: abort.signal, onOutput: () => (began = true) });
    const kept = mustPrepare(dir);
    await until('the step runs', () => began);
    abort.abort();
    expect(await given).toMatchObject({ ok: false, reason: 'cancelled' });
    const built = await kept;
    expect(tags()).toHaveLength(1);
    await built.release();
  });
});

describe('an image by name', () => {
  it('is taken from the engine when it is there, and stays', async () => {
    const result = await engine.prepareImage({ kind: 'image', reference: BASE }, { signal: NEVER, limitSec: 30 });
    if (!result.ok) throw new Error(result.message);
    await result.release();
    expect(execFileSync('docker', ['images', '-q', BASE], { encoding: 'utf8' }).trim()).not.toBe('');
  });

  it('that cannot be pulled is named, with what to do', async () => {
    const reference = 'nowhere.invalid/none';
    const result = await engine.prepareImage({ kind: 'image', reference }, { signal: NEVER, limitSec: 60 });
    expect(result).toMatchObject({ ok: false, reason: 'pull-failed' });
    expect(result.ok ? '' : result.message).toContain(`docker pull ${reference}`);
  });
});

it('a context file that cannot be read is named', async () => {
  // A folder of the context that vanishes while it is sent is the one such trouble that also root can have.
  const dir = await folder({ Dockerfile: `FROM ${BASE}\nCOPY . /x\n` });
  await mkdir(join(dir, 'sub'));
  const { packContext } = await import('../../../src/engine/docker/build-context');
  const tar = packContext({
    dir: join(dir, 'gone'),
    dockerfile: 'Dockerfile',
    dockerfileText: '',
    skip: () => false,
    fingerprint: '',
  });
  await expect(tar.toArray()).rejects.toThrow(`"${join(dir, 'gone')}" cannot be read`);
});
