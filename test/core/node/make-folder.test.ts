import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolders } from '../../../src/node/make-folder';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'taskwright-test-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe('a folder and those above it', () => {
  it('are made, and made again without harm, by many at once', async () => {
    const deep = path.join(dir, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => makeFolders(deep)));
    await makeFolders(deep);
    expect((await stat(deep)).isDirectory()).toBe(true);
  });

  it('are not made where a file, or a link that leads nowhere, is in the way', async () => {
    await writeFile(path.join(dir, 'file'), '');
    await expect(makeFolders(path.join(dir, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolders(path.join(dir, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await symlink(path.join(dir, 'nowhere'), path.join(dir, 'link'));
    await expect(makeFolders(path.join(dir, 'link'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(existsSync('/proc/self'))(
    'end with an error where no folder can be made',
    async () => {
      await expect(makeFolders('/proc/jobs/one')).rejects.toMatchObject({ code: 'ENOENT' });
    },
    5_000,
  );
});
