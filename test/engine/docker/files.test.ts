import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pack, type Header } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError, TransferError, type Image, type Sandbox, type SandboxEngine } from '../../../src/engine/sandbox';
import { packFiles, packFolder, PackError } from '../../../src/engine/tar';
import { readFirstFile, unpackInto, type UnpackReport } from '../../../src/engine/untar';
import { baseImage, connectForTest, folderOf, run, startForTest } from './support';

let engine: SandboxEngine;
let image: Image;
let sandbox: Sandbox;
const temporary: string[] = [];

beforeAll(async () => {
  engine = await connectForTest();
  image = await baseImage(engine);
  sandbox = await startForTest(engine, image, { logFolders: ['/logs/verifier'] });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  for (const path of temporary) await rm(path, { recursive: true, force: true });
});

async function temp(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'taskwright-test-'));
  temporary.push(dir);
  return dir;
}

type Entry = Partial<Header> & { name: string; content?: string };

function archive(entries: readonly Entry[]): Readable {
  const tar = pack();
  for (const { content, ...header } of entries) {
    if (content === undefined) tar.entry(header);
    else tar.entry(header, content);
  }
  tar.finalize();
  return Readable.from(tar as AsyncIterable<Buffer>, { objectMode: false });
}

const summary = (report: UnpackReport): string[] =>
  report.entries.map((one) => `${one.name} ${one.kind}${one.skipped === null ? '' : ` (${one.skipped})`}`);

describe('files of a task', () => {
  it('go in with modes and links, and come out again', async () => {
    const dir = await folderOf({ 'test.sh': '#!/bin/bash\n', 'deep/er/data.bin': 'x'.repeat(300_000), empty: '' });
    temporary.push(dir);
    await chmod(join(dir, 'test.sh'), 0o755);
    await chmod(join(dir, 'empty'), 0o600);
    await symlink('../../etc/passwd', join(dir, 'outside'));
    await symlink('deep', join(dir, 'inside'));
    await sandbox.put(packFolder(dir, { prefix: 'tests' }), '/');
    await sandbox.put(packFiles([{ name: 'tests/added ☺.txt', content: 'added', mode: 0o640 }]), '/');
    const listed = await run(sandbox, `cd /tests && find . -not -name . -printf '%y %m %U:%G %P %l\\n' | sort`);
    expect(listed.stdout.text.trim().split('\n')).toEqual([
      'd 755 0:0 deep ',
      'd 755 0:0 deep/er ',
      'f 600 0:0 empty ',
      'f 640 0:0 added ☺.txt ',
      'f 644 0:0 deep/er/data.bin ',
      'f 755 0:0 test.sh ',
      'l 777 0:0 inside deep',
      'l 777 0:0 outside ../../etc/passwd',
    ]);
    const out = await temp();
    const report = await unpackInto((await sandbox.get('/tests'))!, out, { strip: true, links: true });
    expect(summary(report).sort()).toEqual([
      '. directory',
      'added ☺.txt file',
      'deep directory',
      'deep/er directory',
      'deep/er/data.bin file',
      'empty file',
      'inside symlink',
      'outside symlink (link-outside)',
      'test.sh file',
    ]);
    expect((await readFile(join(out, 'deep/er/data.bin'))).length).toBe(300_000);
    expect(await readlink(join(out, 'inside'))).toBe('deep');
    expect((await lstat(join(out, 'test.sh'))).mode & 0o777).toBe(0o755);
    expect(await readdir(out)).not.toContain('outside');
  });

  it('that are odd are told, and are not made here', async () => {
    await run(sandbox, 'cd /logs/verifier && mkfifo pipe && mkdir reward.txt && ln -s /etc/shadow link && echo 1 > ok');
    const out = await temp();
    const report = await unpackInto((await sandbox.get('/logs/verifier'))!, out, { strip: true });
    expect(summary(report).sort()).toEqual([
      '. directory',
      'link symlink (kind)',
      'ok file',
      'pipe fifo (kind)',
      'reward.txt directory',
    ]);
    expect((await readdir(out)).sort()).toEqual(['ok', 'reward.txt']);
  });

  it('come out one at a time, up to a size', async () => {
    await run(sandbox, 'printf 0.5 > /logs/verifier/one');
    const read = async (limit: number): Promise<string | null> => {
      const bytes = await readFirstFile((await sandbox.get('/logs/verifier/one'))!, limit);
      return bytes === null ? null : Buffer.from(bytes).toString();
    };
    expect(await read(3)).toBe('0.5');
    expect(await read(2)).toBeNull();
    expect(await sandbox.get('/logs/verifier/none')).toBeNull();
  });

  it('cannot go where nothing is', async () => {
    const putting = sandbox.put(packFiles([{ name: 'a', content: 'a' }]), '/no/such/folder');
    await expect(putting).rejects.toThrow(TransferError);
    await expect(putting).rejects.toThrow('/no/such/folder');
    await expect(putting).rejects.not.toThrow(EngineError);
  });

  it('that cannot be read are named', async () => {
    const gone = join(await temp(), 'gone');
    await expect(sandbox.put(packFolder(gone), '/tmp')).rejects.toThrow(PackError);
    expect(await run(sandbox, 'echo still here')).toMatchObject({ code: 0 });
  });
});

describe('unpackInto', () => {
  it('writes nothing outside, through names, links or hard links', async () => {
    const outside = await folderOf({ 'victim.txt': 'untouched' });
    temporary.push(outside);
    const out = await temp();
    const report = await unpackInto(
      archive([
        { name: '../escape', content: 'x' },
        { name: '/absolute', content: 'x' },
        { name: 'a/../../escape', content: 'x' },
        { name: 'way', type: 'symlink', linkname: outside },
        { name: 'up', type: 'symlink', linkname: '..' },
        { name: 'self', type: 'symlink', linkname: 'sub' },
        { name: 'self/through', content: 'x' },
        { name: 'hard', type: 'link', linkname: `${outside}/victim.txt` },
        { name: 'hard2', type: 'link', linkname: '../victim.txt' },
        { name: 'fine', content: 'fine' },
        { name: 'twin', type: 'link', linkname: 'fine' },
        { name: 'device', type: 'character-device', devmajor: 1, devminor: 3 },
      ]),
      out,
      { links: true },
    );
    expect(summary(report)).toEqual([
      '../escape file (outside)',
      '/absolute file (outside)',
      'a/../../escape file (outside)',
      'way symlink (link-outside)',
      'up symlink (link-outside)',
      'self symlink',
      'self/through file (conflict)',
      'hard hardlink (link-outside)',
      'hard2 hardlink (link-outside)',
      'fine file',
      'twin hardlink',
      'device device (kind)',
    ]);
    expect((await readdir(out)).sort()).toEqual(['fine', 'self', 'twin']);
    expect(await readFile(join(out, 'twin'), 'utf8')).toBe('fine');
    expect(await readFile(join(outside, 'victim.txt'), 'utf8')).toBe('untouched');
  });

  it('does not follow a link that is already there', async () => {
    const outside = await folderOf({ 'victim.txt': 'untouched' });
    const out = await temp();
    temporary.push(outside);
    await symlink(outside, join(out, 'there'));
    await symlink(join(outside, 'victim.txt'), join(out, 'file'));
    const report = await unpackInto(
      archive([
        { name: 'there/new.txt', content: 'x' },
        { name: 'file', content: 'mine' },
      ]),
      out,
    );
    expect(summary(report)).toEqual(['there/new.txt file (conflict)', 'file file']);
    expect(await readdir(outside)).toEqual(['victim.txt']);
    expect(await readFile(join(outside, 'victim.txt'), 'utf8')).toBe('untouched');
    expect(await readFile(join(out, 'file'), 'utf8')).toBe('mine');
  });

  it('keeps its limits, and reads on after them', async () => {
    const out = await temp();
    const report = await unpackInto(
      archive([
        { name: 'big', content: 'x'.repeat(2000) },
        { name: 'small', content: 'x'.repeat(400) },
        { name: 'more', content: 'x'.repeat(700) },
        { name: 'tiny', content: 'x' },
        { name: 'last', content: 'x' },
      ]),
      out,
      { maxBytes: 1000, maxFileBytes: 1000, maxEntries: 4 },
    );
    expect(summary(report)).toEqual(['big file (too-large)', 'small file', 'more file (too-large)', 'tiny file']);
    expect(report).toMatchObject({ truncated: true, bytes: 401, failure: null });
    expect((await readdir(out)).sort()).toEqual(['small', 'tiny']);
  });

  it('fails on an archive that breaks off', async () => {
    const bytes = Buffer.concat(await archive([{ name: 'a', content: 'x'.repeat(5000) }]).toArray());
    const cut = Readable.from([bytes.subarray(0, 2000)], { objectMode: false });
    await expect(unpackInto(cut, await temp())).rejects.toThrow();
  });
});

it('packFolder leaves out what it is told to, and never enters it', async () => {
  const dir = await folderOf({ 'keep/a': '', 'drop/b': '', 'enter/c': '', 'enter/d': '' });
  temporary.push(dir);
  await mkdir(join(dir, 'none'));
  const out = await temp();
  const report = await unpackInto(
    packFolder(dir, { skip: (name) => (name === 'enter' ? 'enter' : name === 'drop' || name === 'enter/d') }),
    out,
  );
  expect(summary(report)).toEqual(['enter/c file', 'keep directory', 'keep/a file', 'none directory']);
});
