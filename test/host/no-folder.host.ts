import assert from 'node:assert/strict';
import { activated, renderTree } from './extension-under-test';
import { runTests } from './suite';

export async function run(): Promise<void> {
  const api = await activated();
  await runTests(
    [
      {
        name: 'a window without a folder has an empty tree and no tasks',
        run: async () => {
          assert.equal(await renderTree(api.testing.tree), '');
          assert.deepEqual(await api.listTasks(), []);
        },
      },
    ],
    () => ({ activationMs: api.testing.milliseconds }),
  );
}
