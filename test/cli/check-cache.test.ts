import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder } from '../../src/node/cache-folder';
import { contentCache, trimContentCache } from '../../src/node/content-cache';
import { temporaryFolder } from './call';
import { call, useBundle } from './process';

const template = resolve(import.meta.dirname, '../../media/template');
const bundle = useBundle();

interface World {
  readonly cwd: string;
  readonly task: string;
  readonly cache: string;
  readonly check: (...args: string[]) => Promise<string>;
}

function world(): World {
  const cwd = temporaryFolder();
  const task = join(cwd, 'tasks/order-totals');
  mkdirSync(join(cwd, 'tasks'));
  cpSync(template, task, { recursive: true });
  const cache = join(cwd, 'cache');
  const check = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await call(bundle.path, ['check', task, '--format', 'json', ...args], cwd, {
      XDG_CACHE_HOME: cache,
    });
    if (stderr !== '') throw new Error(stderr);
    return stdout;
  };
  return { cwd, task, cache, check };
}

function entries(cache: string): readonly string[] {
  const root = join(cache, 'taskwright/check');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('the cache of check', () => {
  it('gives the same again, and is found by nothing but the same content', async () => {
    const { check, cache } = world();
    const first = await check();
    expect(entries(cache).length).toBe(1);
    // What is kept is what is shown: a forged verdict, with a right digest, appears.
    const [entry = ''] = entries(cache);
    const stored = readFileSync(entry, 'utf8').split('\n')[1] ?? '';
    const forged = stored.replace('"limit":null', '"limit":null,"x":1').replace('local/order-totals', 'local/forged');
    contentCache(join(cache, 'taskwright/check')).put(keyOf(entry), forged);
    expect(await check()).toBe(first.replace('local/order-totals', 'local/forged'));
    expect(await check('--no-cache')).toBe(first);
  });

  it.each<[string, (task: string) => void, string]>([
    [
      'a content of the same size and time',
      (task) => {
        const file = join(task, 'task.toml');
        const { atime, mtime } = statSync(file);
        writeFileSync(file, readFileSync(file, 'utf8').replace('cpus = 1', 'cpus = X'));
        utimesSync(file, atime, mtime);
      },
      'config-syntax',
    ],
    [
      'a file that is gone',
      (task) => {
        rmSync(join(task, 'tests/test.sh'));
      },
      'structure-missing-file',
    ],
    [
      'a name',
      (task) => {
        renameSync(join(task, 'solution/solve.sh'), join(task, 'solution/solved.sh'));
      },
      'structure-missing-solution',
    ],
    [
      'a new file',
      (task) => {
        mkdirSync(join(task, 'steps/one'), { recursive: true });
        writeFileSync(join(task, 'steps/one/instruction.md'), 'Do.\n');
      },
      'structure-steps-mismatch',
    ],
  ])('sees %s', async (_what, change, ruleId) => {
    const { check, task } = world();
    expect(await check()).not.toContain(ruleId);
    change(task);
    expect(await check()).toContain(ruleId);
  });

  it.each<[string, (task: string) => void]>([
    [
      'a mode',
      (task) => {
        chmodSync(join(task, 'solution/solve.sh'), 0o600);
      },
    ],
    [
      'the target of a link',
      (task) => {
        rmSync(join(task, 'link'));
        symlinkSync('instruction.md', join(task, 'link'));
      },
    ],
    [
      'a folder in place of a file',
      (task) => {
        rmSync(join(task, 'empty'));
        mkdirSync(join(task, 'empty'));
      },
    ],
    [
      'the size of a file that is too large to read',
      (task) => {
        writeFileSync(join(task, 'large'), 'x'.repeat((1 << 20) + 2));
      },
    ],
  ])('judges again after a change of %s', async (_what, change) => {
    const { check, task, cache } = world();
    symlinkSync('task.toml', join(task, 'link'));
    writeFileSync(join(task, 'empty'), '');
    writeFileSync(join(task, 'large'), 'x'.repeat((1 << 20) + 1));
    await check();
    change(task);
    await check();
    expect(entries(cache).length).toBe(2);
  });

  it('takes a spoilt entry for none', async () => {
    const { check, cache } = world();
    const first = await check();
    for (const spoil of [
      (text: string) => text.slice(0, -3),
      () => '',
      (text: string) => text.replace('local', 'loc4l'),
    ]) {
      for (const entry of entries(cache)) writeFileSync(entry, spoil(readFileSync(entry, 'utf8')));
      expect(await check()).toBe(first);
    }
  });

  it('is not needed', async () => {
    const { check, cache } = world();
    writeFileSync(cache, 'a file where the folder should be');
    expect(JSON.parse(await check())).toMatchObject({ summary: { tasks: 1 } });
  });

  it('keeps what was used last', () => {
    const folder = temporaryFolder();
    const cache = contentCache(folder);
    ['aa11', 'bb22', 'cc33'].forEach((key, at) => {
      cache.put(key, key.repeat(100));
      utimesSync(join(folder, key.slice(0, 2), key.slice(2)), at + 1, at + 1);
    });
    expect(cache.get('aa11')).toBe('aa11'.repeat(100));
    trimContentCache(folder, 900);
    expect(['aa11', 'bb22', 'cc33'].map((key) => cache.get(key) !== null)).toEqual([true, false, true]);
  });

  it('is where the system keeps such things', () => {
    const at = (platform: NodeJS.Platform, env: Record<string, string>): string | null =>
      cacheFolder(platform, env, '/home/ida');
    expect(at('linux', {})).toBe('/home/ida/.cache/taskwright');
    expect(at('linux', { XDG_CACHE_HOME: '/var/c' })).toBe('/var/c/taskwright');
    expect(at('linux', { XDG_CACHE_HOME: 'relative' })).toBe('/home/ida/.cache/taskwright');
    expect(at('darwin', {})).toBe('/home/ida/Library/Caches/taskwright');
    expect(at('win32', {})).toBe(null);
  });
});

function keyOf(entry: string): string {
  return entry.split('/').slice(-2).join('');
}
