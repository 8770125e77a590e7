import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import { activated, recordRuns, renderTree } from './extension-under-test';
import { runTests, until } from './suite';

// Nobody trusts this folder: everything can be read, nothing runs.
export async function run(): Promise<void> {
  const { testing } = await activated();
  await runTests(
    [
      {
        name: 'an untrusted task can be read',
        run: async () => {
          assert.equal(workspace.isTrusted, false);
          assert.match(await renderTree(testing.tree), /\(package\) order-totals \| not run yet/);
        },
      },
      {
        name: 'an untrusted task is checked',
        run: async () => {
          const [entry] = testing.tasks.entries;
          await until(
            'findings',
            () => testing.findings.of(entry!.task.dir),
            (found) => found !== null,
            60_000,
          );
          await writeFile(join(entry!.task.dir, 'tests', 'test.sh'), '');
          await commands.executeCommand('taskwright.task.check', entry!.uri);
          const ids = testing.findings.of(entry!.task.dir)!.findings.map(({ ruleId }) => ruleId);
          assert.ok(ids.includes('structure-empty-file'), ids.join(' '));
        },
      },
      {
        name: 'an untrusted task does not run, whoever asks',
        run: async () => {
          const runs = recordRuns(testing.explorer);
          await commands.executeCommand('taskwright.task.runAllGates');
          await testing.explorer.runGates(testing.tasks.entries, null);
          assert.equal(runs.length, 0);
          assert.equal(testing.activity.running, false);
          assert.equal(testing.docker.state, 'unknown');
        },
      },
    ],
    () => ({ activationMs: testing.milliseconds }),
  );
}
