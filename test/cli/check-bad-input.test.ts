import { cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTaskFolder } from '../../src/core/model/task-reading';
import { judgeReading, type JudgedTask } from '../../src/core/rules/check';
import type { Files } from '../../src/core/files';
import { linesOf } from '../../src/core/text/lines';
import { nodeFiles } from '../../src/node/files';
import { loadGrammars } from '../../src/node/grammars';
import { syncFiles } from '../../src/node/sync-files';
import { temporaryFolder } from './call';

const template = resolve(import.meta.dirname, '../../media/template');
const grammars = await loadGrammars(createRequire(import.meta.url).resolve);

function newTask(change: (dir: string) => void = () => undefined): string {
  const dir = join(temporaryFolder(), 'order-totals');
  cpSync(template, dir, { recursive: true });
  change(dir);
  return dir;
}

function put(dir: string, file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), content);
}

/** Judges with rules that may not throw, and holds every place to the text that it points into. */
async function judge(dir: string, files: Files = nodeFiles): Promise<JudgedTask> {
  const reading = await readTaskFolder(files, dir);
  const judged = judgeReading(reading, {
    grammars,
    onTrouble: (ruleId, error) => {
      throw new Error(`${ruleId} threw`, { cause: error });
    },
  });
  for (const { file, range, ruleId } of judged.findings) {
    const text = reading.disk.texts.get(file)?.text ?? '';
    const lines = linesOf(text);
    const place = `${ruleId} ${file} ${JSON.stringify(range)}`;
    expect([place, lines.position(lines.offset(range.start))]).toEqual([place, range.start]);
    expect([place, lines.position(lines.offset(range.end))]).toEqual([place, range.end]);
  }
  return judged;
}

const texts = [
  'task.toml',
  'instruction.md',
  'environment/Dockerfile',
  'environment/docker-compose.yaml',
  'tests/test.sh',
  'tests/test_a.py',
  'solution/solve.sh',
  'rubric.json',
  'rubric.toml',
  '.dockerignore',
];

describe('check', () => {
  it.each(texts)('takes 100 MB for %s', async (file) => {
    const dir = newTask((task) => {
      put(task, file, '');
      truncateSync(join(task, file), 100 << 20);
    });
    const started = Date.now();
    await judge(dir);
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  it.each([
    ['bytes', Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919 + (at >> 3)) & 0xff)],
    ['no UTF-8', Uint8Array.from([0x61, 0xc3, 0x28, 0x0a, 0xff])],
    ['NULs', new Uint8Array(3000)],
    ['one line of a megabyte', 'a'.repeat((1 << 20) - 1)],
    ['a megabyte of quotes', '"'.repeat(200_000)],
    ['ten thousand open brackets', '('.repeat(10_000)],
    ['ten thousand square brackets', `a = ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['ten thousand braces', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['deep indentation', Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['deep quotations', `${'> '.repeat(5_000)}a`],
    ['emoji, CJK, tabs and CRLF', '\ufeffFROM 🌊\r\n\techo "本語 $(cat /tests/x)" | tee 🐝\r\nassert "é" == x\r\n'],
    ['lone carriage returns', 'set -e\rexit 1\rassert True\r'],
  ])('takes %s in every file', async (_what, content) => {
    const dir = newTask((task) => {
      for (const file of texts) if (file !== 'task.toml') put(task, file, content);
    });
    await judge(dir);
    put(dir, 'task.toml', content);
    const { harbor } = await judge(dir);
    expect(harbor.outcome).toBe('refused');
  });

  it('follows no loop of links', async () => {
    const dir = newTask((task) => {
      symlinkSync('..', join(task, 'environment/up'));
      symlinkSync('.', join(task, 'tests/here'));
      symlinkSync('b', join(task, 'a'));
      symlinkSync('a', join(task, 'b'));
      rmSync(join(task, 'solution'), { recursive: true });
      symlinkSync('.', join(task, 'solution'));
    });
    const { harbor } = await judge(dir);
    expect(harbor.outcome).toBe('loads');
  });

  it('reads nothing outside of the task', async () => {
    const outside = temporaryFolder();
    put(outside, 'secret/key.py', 'import outside_secret\n');
    const dir = newTask((task) => {
      symlinkSync(join(outside, 'secret/key.py'), join(task, 'tests/test_key.py'));
      symlinkSync('../../../../../../../../etc/passwd', join(task, 'tests/passwd'));
      symlinkSync(join(outside, 'secret'), join(task, 'environment/secret'));
      symlinkSync('test_key.py', join(task, 'tests/test_two.py'));
      symlinkSync('../environment/secret/key.py', join(task, 'tests/test_three.py'));
    });
    const { disk } = await readTaskFolder(nodeFiles, dir);
    const read = [...disk.texts].filter(([, { text }]) => text?.includes('outside_secret') === true);
    expect(read).toEqual([]);
    for (const file of ['tests/test_key.py', 'tests/passwd', 'tests/test_two.py', 'tests/test_three.py']) {
      expect([file, disk.texts.get(file)?.text]).toEqual([file, null]);
    }
    await judge(dir);
  });

  it('sees what is behind a folder that is a link, as Harbor does', async () => {
    const outside = temporaryFolder();
    const dir = newTask((task) => {
      cpSync(join(task, 'tests'), join(outside, 'tests'), { recursive: true });
      rmSync(join(task, 'tests'), { recursive: true });
      symlinkSync(join(outside, 'tests'), join(task, 'tests'));
    });
    const { harbor, findings } = await judge(dir);
    expect(harbor.outcome).toBe('loads');
    expect(findings.map(({ ruleId }) => ruleId)).not.toContain('structure-missing-file');
  });

  it('says what it left out of a task with too many files', async () => {
    const dir = newTask((task) => {
      for (let at = 0; at < 5_100; at++) put(task, `environment/data/${at}.txt`, '');
    });
    expect((await judge(dir, syncFiles())).limit).toContain('5000');
  });

  it.each<[string, (dir: string, path: string) => void]>([
    [
      'is deleted',
      (dir) => {
        rmSync(dir, { recursive: true, force: true });
      },
    ],
    [
      'changes',
      (_dir, path) => {
        rmSync(path, { recursive: true, force: true });
        mkdirSync(path);
      },
    ],
  ])('takes a task that %s while it is read', async (_what, change) => {
    for (const method of ['stat', 'list', 'read'] as const) {
      for (const when of [1, 3, 8]) {
        const dir = newTask();
        let calls = 0;
        const disturb = (path: string): void => {
          if (++calls === when && path !== dir) change(dir, path);
        };
        const files: Files = {
          ...nodeFiles,
          stat: (path) => {
            if (method === 'stat') disturb(path);
            return nodeFiles.stat(path);
          },
          list: (path) => {
            if (method === 'list') disturb(path);
            return nodeFiles.list(path);
          },
          read: (path, most) => {
            if (method === 'read') disturb(path);
            return nodeFiles.read(path, most);
          },
        };
        await judge(dir, files);
      }
    }
  });
});
