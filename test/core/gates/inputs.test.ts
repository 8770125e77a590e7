import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readGateInputs } from '../../../src/core/gates/inputs';
import { defaultGateSettings } from '../../../src/core/gates/settings';
import { nodeFiles, sha256 } from '../../../src/node/files';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'taskwright-inputs-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text = path): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function inputs(): Promise<{ readonly files: readonly string[]; readonly authors: readonly string[] }> {
  const workspace = { root, taskPath: 'sets/task', note: null };
  const read = await readGateInputs(nodeFiles, join(root, 'sets/task'), workspace, defaultGateSettings);
  expect(read.settings).toEqual(defaultGateSettings);
  return { files: Object.keys(read.files), authors: Object.keys(read.authors) };
}

describe('what a verdict rests on', () => {
  test("the files of the task's package, by name and content", async () => {
    for (const file of ['task.toml', 'instruction.md', 'environment/Dockerfile', 'tests/test.sh', 'solution/a/b.txt'])
      write(`sets/task/${file}`);
    for (const other of [
      'notes.txt',
      'jobs/x/result.json',
      'tests/__pycache__/a.pyc',
      'tests/.DS_Store',
      'variants.md',
    ])
      write(`sets/task/${other}`);
    expect((await inputs()).files).toEqual([
      'environment/Dockerfile',
      'instruction.md',
      'solution/a/b.txt',
      'task.toml',
      'tests/test.sh',
    ]);
    const workspace = { root, taskPath: 'sets/task', note: null };
    const read = await readGateInputs(nodeFiles, join(root, 'sets/task'), workspace, defaultGateSettings);
    expect(read.files['task.toml']).toBe(sha256('sets/task/task.toml'));
  });

  test("the task's own .gitignore decides, where there is one", async () => {
    write('sets/task/.gitignore', 'data/\n*.log\n');
    for (const file of ['tests/test.sh', 'tests/a.log', 'environment/data/x', 'tests/a.pyc'])
      write(`sets/task/${file}`);
    expect((await inputs()).files).toEqual(['tests/a.pyc', 'tests/test.sh']);
  });

  test("an author's entries, from the first place that exists", async () => {
    write('sets/task/cheats/mine.sh');
    write('sets/task/variants/other/solve.sh');
    expect((await inputs()).authors).toEqual(['cheats/mine.sh', 'variants/other/solve.sh']);
    write('.taskwright/cheats/sets/task/kept.sh');
    expect((await inputs()).authors).toEqual(['cheats/kept.sh', 'variants/other/solve.sh']);
  });

  test('a link that leads nowhere, or in a circle, ends', async () => {
    write('sets/task/tests/test.sh');
    symlinkSync('/nonexistent', join(root, 'sets/task/tests/gone'));
    symlinkSync('..', join(root, 'sets/task/tests/up'));
    symlinkSync('.', join(root, 'sets/task/tests/here'));
    const { files } = await inputs();
    expect(files).toContain('tests/test.sh');
    expect(files).not.toContain('tests/gone');
  });
});
