import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFiles, sha256 } from '../../../src/node/files';

let dir: string;
const at = (name: string): string => path.join(dir, name);

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'taskwright-files-'));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('links are followed, and one that leads nowhere says so', async () => {
  writeFileSync(at('file'), 'abc');
  chmodSync(at('file'), 0o640);
  mkdirSync(at('folder'));
  symlinkSync('file', at('to-file'));
  symlinkSync('folder', at('to-folder'));
  symlinkSync('nowhere', at('dangling'));
  expect(await nodeFiles.stat(at('file'))).toEqual({ kind: 'file', isLink: false, size: 3, mode: 0o640 });
  expect(await nodeFiles.stat(at('to-file'))).toEqual({ kind: 'file', isLink: true, size: 3, mode: 0o640 });
  expect(await nodeFiles.stat(at('to-folder'))).toMatchObject({ kind: 'directory', isLink: true });
  expect(await nodeFiles.stat(at('dangling'))).toMatchObject({ kind: 'link', isLink: true });
  expect(await nodeFiles.stat(at('missing'))).toBeNull();
  expect(await nodeFiles.stat('a\0b')).toBeNull();
  expect(await nodeFiles.list(dir)).toEqual([
    { name: 'dangling', kind: 'link', isLink: true },
    { name: 'file', kind: 'file' },
    { name: 'folder', kind: 'directory' },
    { name: 'to-file', kind: 'file', isLink: true },
    { name: 'to-folder', kind: 'directory', isLink: true },
  ]);
});

test('names are sorted by code point', async () => {
  for (const name of ['🙂', '\ufff0', 'b', 'B', 'ä']) writeFileSync(at(name), '');
  expect((await nodeFiles.list(dir))?.map((entry) => entry.name)).toEqual(['B', 'b', 'ä', '\ufff0', '🙂']);
});

test('reading has a limit and a reason for each trouble', async () => {
  writeFileSync(at('file'), 'abc');
  execFileSync('mkfifo', [at('pipe')]);
  expect(await nodeFiles.read(at('file'), 3)).toEqual({ ok: true, bytes: new Uint8Array([97, 98, 99]) });
  expect(await nodeFiles.read(at('file'), 2)).toMatchObject({ ok: false, reason: 'too-large' });
  expect(await nodeFiles.read(dir, 9)).toMatchObject({ ok: false, reason: 'not-a-file' });
  // A pipe without a writer would block for ever.
  expect(await nodeFiles.read(at('pipe'), 9)).toMatchObject({ ok: false, reason: 'not-a-file' });
  expect(await nodeFiles.read(at('none'), 9)).toMatchObject({ ok: false, reason: 'missing' });
  expect(await nodeFiles.read(at('file/below'), 9)).toMatchObject({ ok: false, reason: 'missing' });
  // Files of /proc say that they are empty.
  expect(await nodeFiles.read('/proc/self/status', 10)).toMatchObject({ ok: false, reason: 'too-large' });
});

test('hashes are those of the bytes', async () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  writeFileSync(at('file'), 'abc');
  expect(await nodeFiles.sha256(at('file'))).toBe(expected);
  expect(sha256('abc')).toBe(expected);
  expect(sha256(new Uint8Array([97, 98, 99]))).toBe(expected);
  expect(await nodeFiles.sha256(dir)).toBeNull();
  expect(await nodeFiles.sha256(at('none'))).toBeNull();
});
