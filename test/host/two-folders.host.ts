import assert from 'node:assert/strict';
import { commands, Uri } from 'vscode';
import { activated, recordRuns, renderTests, renderTree } from './extension-under-test';
import { runTests, until } from './suite';

// Two workspace folders, one inside the other: each task is shown once, by the inner one.
export async function run(): Promise<void> {
  const { testing } = await activated();
  await runTests(
    [
      {
        name: 'each folder has a level of its own, and the inner one owns what lies in it',
        run: async () => {
          const text = await until(
            'both are checked',
            () => renderTree(testing.tree),
            (seen) => !seen.includes('checking…'),
            60_000,
          );
          const rows = text
            .split('\n')
            .filter((row) => /\((root-folder|library|package)\)/.test(row))
            .map((row) => row.replace(/ · [\d, a-z]+$/, ''));
          assert.deepEqual(rows, [
            '(root-folder) outer',
            '  (package) first | not run yet',
            '(root-folder) inner',
            '  (package) second | not run yet',
          ]);
          const tests = renderTests(testing.explorer.controller.items)
            .split('\n')
            .filter((row) => !row.includes('@'));
          assert.deepEqual(tests, ['outer', '  first', 'inner', '  second']);
        },
      },
      {
        name: 'a gate of the inner task runs in its own folder',
        run: async () => {
          const runs = recordRuns(testing.explorer);
          const second = testing.tasks.entries.find(({ path }) => path === 'second')!;
          await commands.executeCommand('taskwright.gate.runNop', Uri.file(second.task.dir));
          assert.deepEqual(runs[0]?.events, ['enqueued second#nop', 'started second#nop', 'passed second#nop']);
          assert.equal(testing.verdicts.of(second.task.dir).receipt?.startsWith(second.folder.uri.fsPath), true);
        },
      },
    ],
    () => ({ activationMs: testing.milliseconds }),
  );
}
