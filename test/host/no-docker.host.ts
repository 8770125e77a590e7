import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { activated, recordRuns, renderTree, textOf } from './extension-under-test';
import { runTests } from './suite';

// The setting names a socket that is not there.
export async function run(): Promise<void> {
  const { testing } = await activated();
  const runs = recordRuns(testing.explorer);
  await runTests(
    [
      {
        name: 'nobody asks for Docker before a run does',
        run: () => {
          assert.equal(testing.docker.state, 'unknown');
        },
      },
      {
        name: 'a run without Docker ends as an error that says so',
        run: async () => {
          await commands.executeCommand('taskwright.gate.runOracle', testing.tasks.entries[0]!.uri);
          const [log] = runs;
          assert.deepEqual(log?.events, ['enqueued order-totals#oracle', 'errored order-totals#oracle']);
          assert.match(textOf(log.messages[0]!.message), /nowhere\.sock/);
          assert.equal(log.ended, true);
          assert.equal(testing.docker.state, 'unreachable');
          assert.equal(testing.activity.running, false);
          const tree = await renderTree(testing.tree);
          assert.match(tree, /Oracle \| not proven: the container engine failed · just now/);
        },
      },
      {
        name: 'looking again finds it still missing',
        run: async () => {
          await commands.executeCommand('taskwright.docker.tryAgain');
          assert.equal(testing.docker.state, 'unreachable');
        },
      },
    ],
    () => ({ activationMs: testing.milliseconds }),
  );
}
