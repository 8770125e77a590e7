import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from '../../../src/node/atomic-write';

describe('an atomic write', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'taskwright-atomic-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('makes the folder, sets the mode and leaves nothing beside the file', async () => {
    await writeFileAtomic(join(dir, 'a/b.sh'), '🌊\n', 0o755);
    expect(readFileSync(join(dir, 'a/b.sh'), 'utf8')).toBe('🌊\n');
    expect(statSync(join(dir, 'a/b.sh')).mode & 0o700).toBe(0o700);
    expect(readdirSync(join(dir, 'a'))).toEqual(['b.sh']);
  });

  it('takes the place of a file', async () => {
    writeFileSync(join(dir, 'x'), 'long old content');
    await writeFileAtomic(join(dir, 'x'), new Uint8Array([110]));
    expect(readFileSync(join(dir, 'x'), 'utf8')).toBe('n');
  });

  it('leaves what was there, and nothing else, when it cannot', async () => {
    mkdirSync(join(dir, 'x/y'), { recursive: true });
    await expect(writeFileAtomic(join(dir, 'x'), 'new')).rejects.toThrow();
    expect(readdirSync(dir)).toEqual(['x']);
  });
});
