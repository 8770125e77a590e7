import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentId, packageDigest, taskChecksum } from '../../../src/core/task/hashes';
import { nodeFiles, sha256 } from '../../../src/node/files';

let dir: string;

// The expected values were computed in Python: the checksum by the package `dirhash`, the others by hashlib.
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'taskwright-hash-'));
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  };
  write('task.toml', 'schema_version = "1.4"\n');
  write('instruction.md', 'Do it.\n');
  write('notes.txt', 'n');
  write('.git/HEAD', 'gg');
  write('environment/Dockerfile', 'FROM scratch\n');
  write('environment/sub/Ünïcode.txt', 'data');
  // By code point the emoji comes last, by UTF-16 unit first.
  write('environment/🙂.txt', 'x');
  write('environment/\ufff0.txt', 'y');
  write('tests/test.sh', '#!/bin/bash\n');
  write('tests/__pycache__/a.pyc', 'junk');
  write('solution/solve.sh', '#!/bin/bash\n');
  mkdirSync(path.join(dir, 'empty/inner'), { recursive: true });
  symlinkSync('../instruction.md', path.join(dir, 'environment/link.md'));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('the checksum is over all files, links followed, without empty folders', async () => {
  expect(await taskChecksum(nodeFiles, dir, sha256)).toBe(
    '8299405723da2025beb6eb9c3b217d89278de1b38e85f8c26f3e56c9ca40a841',
  );
});

test('the package digest leaves out what is not published', async () => {
  const usual = 'sha256:4ef6c79bbf01705d736ad5007a1e17074209dd41af83fc57007ed65617eabb20';
  expect(await packageDigest(nodeFiles, dir, sha256)).toBe(usual);
  writeFileSync(path.join(dir, 'notes.txt'), 'changed');
  expect(await packageDigest(nodeFiles, dir, sha256)).toBe(usual);
  writeFileSync(path.join(dir, '.gitignore'), '# nothing is ignored\n');
  expect(await packageDigest(nodeFiles, dir, sha256)).not.toBe(usual);
  writeFileSync(path.join(dir, '.gitignore'), '__PYCACHE__/\n');
  expect(await packageDigest(nodeFiles, dir, sha256)).not.toBe(usual);
  writeFileSync(path.join(dir, '.gitignore'), '__pycache__/\n');
  expect(await packageDigest(nodeFiles, dir, sha256)).toBe(usual);
});

test('the environment id is over the build context without links, else over a name', async () => {
  const fallback = { dockerImage: 'img', dirName: 'x' };
  expect(await environmentId(nodeFiles, dir, fallback, sha256)).toBe('fc9916aeec277ec86a778af9cae20f42');
  rmSync(path.join(dir, 'environment'), { recursive: true });
  expect(await environmentId(nodeFiles, dir, fallback, sha256)).toBe('b29814cf5792e684cd75d6a7fce7a67a');
});

test('a circle of links and a missing folder give no checksum', async () => {
  symlinkSync('..', path.join(dir, 'empty/up'));
  expect(await taskChecksum(nodeFiles, dir, sha256)).toBeNull();
  expect(await taskChecksum(nodeFiles, path.join(dir, 'nowhere'), sha256)).toBeNull();
});
