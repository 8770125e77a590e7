import assert from 'node:assert/strict';
import { mkdir, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace } from 'vscode';
import { activated, renderTree } from './extension-under-test';
import { runTests, until } from './suite';

// A folder without a task: the view says so, and notices the first one.
export async function run(): Promise<void> {
  const { testing } = await activated();
  await runTests(
    [
      {
        name: 'a folder without a task has an empty tree',
        run: async () => {
          assert.equal(await renderTree(testing.tree), '');
          assert.equal(testing.explorer.controller.items.size, 0);
          assert.equal(testing.docker.state, 'unknown');
        },
      },
      {
        name: 'a task that appears is noticed',
        run: async () => {
          const dir = join(workspace.workspaceFolders![0]!.uri.fsPath, 'tasks', 'late');
          await mkdir(dir, { recursive: true });
          await writeFile(join(dir, 'task.toml'), 'schema_version = "1.4"\n');
          await until(
            'the new task',
            () => testing.tasks.entries.map(({ path }) => path),
            (paths) => paths.includes('tasks/late'),
          );
          await rm(join(dir, '..'), { recursive: true });
          await until(
            'its end',
            () => testing.tasks.entries.length,
            (count) => count === 0,
          );
        },
      },
    ],
    () => ({ activationMs: testing.milliseconds }),
  );
}
