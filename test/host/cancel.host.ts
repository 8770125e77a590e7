import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commands, Uri } from 'vscode';
import { activated, recordRuns, renderTree } from './extension-under-test';
import { runTests, until } from './suite';

// A task whose solution takes for ever, in a folder with a name of this run alone.
export async function run(): Promise<void> {
  const { testing } = await activated();
  const entry = testing.tasks.entries[0]!;
  const runs = recordRuns(testing.explorer);
  const containers = async (): Promise<string[]> => {
    const { stdout } = await promisify(execFile)('docker', ['ps', '-aq', '--filter', `name=${entry.task.dirName}`]);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const phase = (): string => {
    const state = testing.activity.of(entry.task.dir)?.get('oracle');
    return state?.kind === 'running' ? (state.phase ?? '') : '';
  };
  await runTests(
    [
      {
        name: 'Stop ends the run within a second and leaves no container',
        run: async () => {
          const running = commands.executeCommand('taskwright.gate.runOracle', Uri.file(entry.task.dir));
          await until('the agent', phase, (words) => words === 'agent at work', 90_000);
          assert.equal((await containers()).length, 1);
          assert.match(await renderTree(testing.tree), /\(sync~spin\) Oracle \| agent at work/);
          const stopped = performance.now();
          await commands.executeCommand('taskwright.task.stop');
          await running;
          assert.ok(performance.now() - stopped < 1_000, `the run ended after ${performance.now() - stopped} ms`);
          assert.deepEqual(
            runs[0]?.events.map((event) => event.split(' ')[0]),
            ['enqueued', 'started', 'skipped'],
          );
          assert.equal(testing.activity.running, false);
          await until('the end of its container', containers, (left) => left.length === 0, 20_000);
        },
      },
      {
        name: 'Stop works before anything was started',
        run: async () => {
          const running = commands.executeCommand('taskwright.gate.runOracle', Uri.file(entry.task.dir));
          await until('the run', () => testing.activity.running, Boolean);
          await commands.executeCommand('taskwright.task.stop');
          await running;
          assert.equal(runs.at(-1)?.ended, true);
          await until('no container', containers, (left) => left.length === 0, 20_000);
        },
      },
      {
        name: 'two requests follow each other, and each is stopped by itself',
        run: async () => {
          const first = commands.executeCommand('taskwright.gate.runOracle', Uri.file(entry.task.dir));
          await until('the agent', phase, (words) => words === 'agent at work', 90_000);
          const second = commands.executeCommand('taskwright.gate.runNop', Uri.file(entry.task.dir));
          await until(
            'the second request',
            () => testing.activity.of(entry.task.dir)?.get('nop')?.kind ?? '',
            (kind) => kind === 'queued',
          );
          await commands.executeCommand('taskwright.task.stop');
          await Promise.all([first, second]);
          assert.equal(testing.activity.running, false);
          await until('no container', containers, (left) => left.length === 0, 20_000);
        },
      },
    ],
    () => ({ activationMs: testing.milliseconds }),
  );
}
