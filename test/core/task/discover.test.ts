import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Files } from '../../../src/core/files';
import { discoverTasks } from '../../../src/core/task/discover';
import type { DiscoverOptions } from '../../../src/core/task/find';
import { readTask } from '../../../src/core/task/read';
import { nodeFiles } from '../../../src/node/files';
import type { Tree } from '../memory-files';
import { memoryFiles, soundConfig, taskTree } from '../memory-files';

async function shown(files: Files, dir: string, options?: DiscoverOptions): Promise<string[]> {
  const { kind, tasks, others, message } = await discoverTasks(files, dir, options);
  return [
    `${kind}${message === null ? '' : `: ${message}`}`,
    ...tasks.map(
      (task) => `${task.dir} ${task.harbor.outcome}${task.harbor.reason === null ? '' : `: ${task.harbor.reason}`}`,
    ),
    ...others.map((other) => `${other.dir} - ${other.reason}`),
  ];
}

const see = (tree: Tree, dir: string, options?: DiscoverOptions): Promise<string[]> =>
  shown(memoryFiles(tree), dir, options);

describe('a path', () => {
  test('that is a task', async () => {
    expect(await see(taskTree('/t'), '/t')).toEqual(['task', '/t loads']);
  });

  test('that is a task.toml is judged alone', async () => {
    const { kind, tasks } = await discoverTasks(memoryFiles({ '/t/task.toml': soundConfig }), '/t/task.toml');
    expect([kind, tasks[0]?.name, tasks[0]?.harbor.outcome]).toEqual(['file', 'acme/sound', 'loads']);
    expect(await see({ '/task.toml': 'a =' }, '/task.toml')).toEqual([
      'file',
      '/task.toml refused: task.toml is not valid (line 1: The value is missing): Harbor refuses it.',
    ]);
  });

  test.each<[string, Tree, string]>([
    ['nothing', {}, 'none: Nothing is at /x.'],
    ['a file', { '/x': 'hi' }, 'none: /x is a file; a task is a folder with a task.toml.'],
    ['an empty folder', { '/x': null }, 'none: The folder /x is empty; a task needs at least a task.toml.'],
    ['a folder without tasks', { '/x/src/a.c': '' }, 'none: No task was found in /x.'],
    [
      'a task without task.toml',
      taskTree('/x', { 'task.toml': undefined }),
      'none: /x looks like a task, but has no task.toml.',
    ],
  ])('that is %s', async (_, tree, expected) => {
    expect((await see(tree, '/x'))[0]).toBe(expected);
  });
});

describe('a dataset', () => {
  test('says of each folder what Harbor does with it, and one broken task stops no other', async () => {
    const tree = {
      ...taskTree('/d/good'),
      ...taskTree('/d/bad-toml', { 'task.toml': 'cpus =\n' }),
      ...taskTree('/d/bad-value', { 'task.toml': '[environment]\ncpus = "many"\n' }),
      ...taskTree('/d/not-text', { 'task.toml': new Uint8Array([0xff, 0xfe]) }),
      ...taskTree('/d/no-env', { 'environment/Dockerfile': undefined }),
      ...taskTree('/d/no-tests', { 'tests/test.sh': undefined }),
      ...taskTree('/d/no-toml', { 'task.toml': undefined }),
      ...taskTree('/d/group/deep'),
      ...taskTree('/d/good/environment/nested'),
      ...taskTree('/d/node_modules/pack'),
      ...taskTree('/d/.hidden/pack'),
      ...taskTree('/d/jobs/job/copy'),
      '/d/jobs/job/config.json': '{}',
      '/d/jobs/job/result.json': '{}',
      '/d/README.md': '',
    };
    const dropped = 'Harbor leaves it out of the dataset without a message';
    expect(await see(tree, '/d')).toEqual([
      'dataset',
      `/d/bad-toml dropped: task.toml is not valid (line 1: The value is missing): ${dropped}.`,
      `/d/bad-value dropped: task.toml is not valid (line 2: environment.cpus must be a whole number): ${dropped}.`,
      '/d/good loads',
      '/d/group/deep loads',
      `/d/no-env dropped: environment/ is missing: ${dropped}; only a job that names the task by its path would run it.`,
      `/d/no-tests dropped: tests/test.sh is missing: ${dropped}.`,
      `/d/not-text dropped: task.toml is not UTF-8 text: ${dropped}.`,
      '/d/no-toml - It looks like a task, but has no task.toml: Harbor does not see it.',
    ]);
  });

  test('a single folder that Harbor does not take is refused, not dropped', async () => {
    const task = await readTask(memoryFiles(taskTree('/t', { 'instruction.md': undefined })), '/t');
    expect(task.harbor).toEqual({
      outcome: 'refused',
      reason: 'instruction.md is missing: Harbor does not take this folder for a task.',
    });
  });

  test('a limit on folders is said', async () => {
    const tree = { ...taskTree('/d/a'), ...taskTree('/d/b'), ...taskTree('/d/c') };
    expect(await see(tree, '/d', { maxFolders: 2 })).toEqual([
      'dataset: Only 2 folders were searched for tasks; open or name a smaller folder to see the rest.',
      '/d/a loads',
      '/d/b loads',
    ]);
  });

  test('links to tasks count, links to folders of tasks do not loop', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'taskwright-discover-'));
    try {
      for (const [name, content] of Object.entries(taskTree(path.join(dir, 'data/one')))) {
        mkdirSync(path.dirname(name), { recursive: true });
        writeFileSync(name, content as string);
      }
      symlinkSync('..', path.join(dir, 'data/loop'));
      symlinkSync('one', path.join(dir, 'data/two'));
      symlinkSync('nowhere', path.join(dir, 'data/three'));
      expect(await shown(nodeFiles, dir)).toEqual(['dataset', `${dir}/data/one loads`, `${dir}/data/two loads`]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe('the layout of a task', () => {
  test('single-step, for Linux and Windows', async () => {
    const linux = await readTask(memoryFiles(taskTree('/t')), '/t');
    expect(linux.layout).toEqual({
      os: 'linux',
      environmentDir: 'environment',
      dockerfile: 'environment/Dockerfile',
      composeFile: null,
      instruction: 'instruction.md',
      testScript: 'tests/test.sh',
      testsDir: 'tests',
      solutionDir: 'solution',
      solveScript: 'solution/solve.sh',
      steps: [],
    });
    const windows = await readTask(
      memoryFiles(taskTree('/t', { 'task.toml': `${soundConfig}os = "windows"\n`, 'tests/test.bat': 'rem\r\n' })),
      '/t',
    );
    expect(windows.layout).toMatchObject({ os: 'windows', testScript: 'tests/test.bat', solveScript: null });
    expect(windows.harbor.outcome).toBe('loads');
  });

  test('multi-step, with a fallback at the root', async () => {
    const tree = taskTree('/t', {
      'task.toml': `${soundConfig}[[steps]]\nname = "one"\n[[steps]]\nname = "../steps/two"\n`,
      'steps/one/instruction.md': 'One.',
      'steps/one/tests/test.sh': '#!/bin/bash\nexit\n',
      'steps/two/instruction.md': 'Two.',
    });
    const task = await readTask(memoryFiles(tree), '/t');
    expect(task.harbor.outcome).toBe('loads');
    expect(task.layout.steps).toMatchObject([
      { name: 'one', dir: 'steps/one', testScript: 'steps/one/tests/test.sh', solveScript: null },
      { name: '../steps/two', dir: 'steps/two', testScript: null },
    ]);
  });

  test('a step with a separate verifier needs no test script', async () => {
    const of = async (mode: string): Promise<string> => {
      const toml = `${soundConfig}[[steps]]\nname = "one"\n[steps.verifier]\nenvironment_mode = "${mode}"\n`;
      const changes = { 'task.toml': toml, 'steps/one/instruction.md': 'One.', 'tests/test.sh': undefined };
      return (await readTask(memoryFiles(taskTree('/t', changes)), '/t')).harbor.outcome;
    };
    expect([await of('separate'), await of('shared')]).toEqual(['loads', 'refused']);
  });

  test('a step whose name leads out of the task is not followed', async () => {
    const tree = {
      ...taskTree('/t', { 'task.toml': '[[steps]]\nname = "../../../etc"\n' }),
      '/etc/instruction.md': 'x',
    };
    const task = await readTask(memoryFiles(tree), '/t');
    expect(task.harbor.reason).toContain('is missing');
    expect(task.layout.steps[0]?.instruction).toBeNull();
  });
});
