import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, env, extensions, Uri, window, workspace, type CodeLens } from 'vscode';
import { activated, recordRuns, renderTests, renderTree, textOf } from './extension-under-test';
import { runTests, until } from './suite';

/** Which rules there are and what they say is not this suite's business. */
function withoutRules(text: string): string {
  const kept: string[] = [];
  let depth: number | null = null;
  for (const line of text.split('\n')) {
    const own = /^ */.exec(line)![0].length;
    if (depth !== null && own > depth) continue;
    depth = /\) Findings\b/.test(line) ? own : null;
    kept.push(
      line
        .replace(/\(\S+\) Findings .*/, 'Findings')
        .replace(/ · [\d, a-z]+$/, '')
        .replace(/(dropped: | ! ).*/, '$1(reason)'),
    );
  }
  return kept.join('\n');
}

// A dataset with sound, wrong, broken and half tasks (scripts/host-workspaces.mjs): what is shown of it, and its gates
// really run.
export async function run(): Promise<void> {
  const api = await activated();
  const { testing } = api;
  const { explorer, tree, tasks } = testing;
  const root = workspace.workspaceFolders![0]!.uri.fsPath;
  const sound = join(root, 'tasks', 'sound');
  const wrong = join(root, 'tasks', 'wrong');
  const runs = recordRuns(explorer);
  const row = (name: string, text: string): string =>
    text.split('\n').find((line) =>
      line
        .trim()
        .replace(/^\(\S+\) /, '')
        .startsWith(name),
    ) ?? '';

  await runTests(
    [
      {
        name: 'every command of the manifest is registered, and no other of ours',
        run: async () => {
          const manifest = extensions.getExtension('taskwright.taskwright')!.packageJSON as {
            contributes: { commands: { command: string }[]; views: Record<string, { id: string }[]> };
          };
          const declared = manifest.contributes.commands.map(({ command }) => command).sort();
          const views = Object.values(manifest.contributes.views).flat();
          const ofViews = (id: string): boolean =>
            views.some((view) => id.startsWith(`${view.id}.`) && !declared.includes(id));
          const registered = (await commands.getCommands(true)).filter(
            (id) => id.startsWith('taskwright.') && !ofViews(id),
          );
          assert.deepEqual(registered.sort(), declared);
        },
      },
      {
        name: 'the tree shows tasks, their parts, and why folders are no tasks',
        run: async () => {
          const text = await until(
            'the tree',
            () => renderTree(tree),
            (seen) => seen.includes('wrong') && !seen.includes('checking…'),
            60_000,
          );
          const expected = await readFile(
            join(process.env.TASKWRIGHT_REPOSITORY ?? '', 'test/golden/host-tree.txt'),
            'utf8',
          );
          assert.equal(`${withoutRules(text)}\n`, expected);
        },
      },
      {
        name: 'the Test Explorer lists the same tasks, the unreadable ones with their error',
        run: async () => {
          const expected = await readFile(
            join(process.env.TASKWRIGHT_REPOSITORY ?? '', 'test/golden/host-tests.txt'),
            'utf8',
          );
          assert.equal(`${withoutRules(renderTests(explorer.controller.items))}\n`, expected);
        },
      },
      {
        name: 'item ids are the folder, the task and the gate',
        run: () => {
          const entry = tasks.find(sound)!;
          const folder = workspace.workspaceFolders![0]!.uri.toString();
          const item = explorer.items.gate(entry, 'oracle')!;
          assert.equal(item.id, `${folder}#tasks/sound#oracle`);
          assert.equal(item.uri?.fsPath, join(sound, 'solution', 'solve.sh'));
          const parent = item.parent!;
          assert.equal(parent.id, `${folder}#tasks/sound`);
          assert.equal(parent.range!.start.line, 2);
        },
      },
      {
        name: 'lenses stand above task.toml, solve.sh and test.sh',
        run: async () => {
          const titles = async (...names: string[]): Promise<string[]> => {
            const uri = Uri.file(join(sound, ...names));
            await window.showTextDocument(uri);
            return until(
              `lenses of ${names.join('/')}`,
              async () =>
                (await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri)).map(
                  ({ command, range }) => `${range.start.line}: ${command?.title ?? ''}`,
                ),
              (found) => found.length > 0,
            );
          };
          assert.equal((await titles('task.toml'))[0], '0: $(run-all) Run Gates');
          assert.deepEqual(await titles('solution', 'solve.sh'), ['0: $(play) Run Oracle']);
          assert.deepEqual(await titles('tests', 'test.sh'), ['0: $(run-all) Run Gates']);
        },
      },
      {
        name: 'all gates of a sound task really run and pass, as one test run',
        run: async () => {
          const document = await workspace.openTextDocument(join(sound, 'instruction.md'));
          const editor = await window.showTextDocument(document);
          await editor.edit((edit) => {
            edit.insert(document.positionAt(document.getText().length), '\n');
          });
          assert.equal(document.isDirty, true);
          await commands.executeCommand('taskwright.task.runGates', Uri.file(sound));
          assert.equal(document.isDirty, false, 'dirty files are saved first');
          assert.equal(runs.length, 1);
          const { events, ended } = runs[0]!;
          assert.equal(ended, true);
          assert.deepEqual(
            events.slice(0, 3),
            ['oracle', 'nop', 'cheat'].map((gate) => `enqueued tasks/sound#${gate}`),
          );
          for (const gate of ['oracle', 'nop', 'cheat']) {
            const own = events.filter((event) => event.endsWith(`tasks/sound#${gate}`));
            assert.deepEqual(
              own,
              ['enqueued', 'started', 'passed'].map((word) => `${word} tasks/sound#${gate}`),
            );
          }
          const strategies = events.filter((event) => event.startsWith('passed tasks/sound#cheat/'));
          assert.ok(strategies.includes('passed tasks/sound#cheat/reward-json'), events.join('\n'));
          assert.equal(testing.docker.state, 'reachable');
          const text = runs[0]!.output.join('');
          assert.match(text, /^bench\/sound: content sha256:[0-9a-f]{64}\r\n/);
          assert.match(text, /Container engine \d/);
          assert.doesNotMatch(text, /[^\r]\n/, 'every line ends as a terminal wants it');
        },
      },
      {
        name: 'verdicts, rewards and the receipt are shown in the tree',
        run: async () => {
          const text = await until(
            'the receipt',
            () => renderTree(tree),
            () => testing.verdicts.of(sound).receipt !== null,
          );
          assert.match(row('sound', text), /all gates passed/);
          assert.match(row('Oracle', text), /\(testing-passed-icon\) Oracle \| passed · reward 1 · just now/);
          assert.match(row('Nop', text), /\(testing-passed-icon\) Nop \| passed · reward 0 · just now/);
          assert.match(row('Cheats', text), /\(testing-passed-icon\) Cheats \| passed · \d+ resisted · just now/);
          assert.match(text, /\(testing-passed-icon\) reward-json \| resisted · [\d.]+ s/);
          assert.equal(existsSync(testing.verdicts.of(sound).receipt!), true);
        },
      },
      {
        name: 'a changed input makes the verdict stale, and says which',
        run: async () => {
          const file = join(sound, 'tests', 'orders.csv');
          const before = await readFile(file);
          await appendFile(file, '\n');
          await until(
            'the stale verdict',
            () => renderTree(tree),
            (text) => row('Oracle', text).includes('(stale)'),
          );
          const stale = testing.verdicts.of(sound).gates.get('oracle')!.stale!;
          assert.deepEqual(stale, [{ name: 'tests/orders.csv', change: 'changed' }]);
          const uri = Uri.file(join(sound, 'task.toml'));
          await window.showTextDocument(uri);
          const shown = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri);
          const titles = shown.map(({ command }) => command?.title);
          assert.ok(titles.includes('oracle 1, nop 0, cheats passed (stale)'), titles.join(' | '));
          await writeFile(file, before);
          await until(
            'the fresh verdict',
            () => renderTree(tree),
            (text) => !text.includes('(stale)'),
          );
        },
      },
      {
        name: 'a wrong solution fails at the line of the test that says so',
        run: async () => {
          await commands.executeCommand('taskwright.gate.runOracle', Uri.file(wrong));
          const log = runs.at(-1)!;
          assert.deepEqual(
            log.events,
            ['enqueued', 'started', 'failed'].map((word) => `${word} tasks/wrong#oracle`),
          );
          const [words, comparison] = log.messages;
          assert.match(textOf(words!.message), /FAILED \(failures=1\)/);
          const { message } = comparison!;
          assert.equal(message.expectedOutput, 'reward 1 or more');
          assert.equal(message.actualOutput, 'reward 0');
          const location = message.location!;
          assert.equal(location.uri.fsPath, join(wrong, 'tests', 'verify.py'));
          const line = (await readFile(location.uri.fsPath, 'utf8')).split('\n')[location.range.start.line];
          assert.match(line ?? '', /assertEqual|self\.fail/);
          assert.match(row('wrong', await renderTree(tree)), /Oracle failed/);
          assert.equal(tree.view.badge?.value, 1);
        },
      },
      {
        name: 'the verifier output of that run opens, and its command can be repeated',
        run: async () => {
          const test = explorer.items.gate(tasks.find(wrong)!, 'oracle')!;
          await commands.executeCommand('taskwright.trial.openVerifierOutput', { test, message: {} });
          await until(
            'the output',
            () => window.activeTextEditor?.document.fileName ?? '',
            (name) => name.endsWith('test-stdout.txt'),
          );
          await commands.executeCommand('taskwright.gate.copyReproduction', { test, message: {} });
          assert.equal(await env.clipboard.readText(), 'taskwright gate tasks/wrong --gates oracle');
        },
      },
      {
        name: 'the API lists the tasks',
        run: async () => {
          const listed = await api.listTasks();
          assert.deepEqual(
            listed.map(({ dir, outcome }) => `${dir.slice(root.length + 1)} ${outcome}`),
            ['tasks/broken dropped', 'tasks/dropped dropped', 'tasks/sound loads', 'tasks/wrong loads'],
          );
        },
      },
      {
        name: 'commands take nonsense without harm',
        run: async () => {
          for (const nonsense of [
            null,
            42,
            'x',
            {},
            { kind: 'task', id: 'x' },
            { test: { id: 'nowhere' } },
            Uri.file('/nowhere'),
          ]) {
            for (const id of [
              'task.runGates',
              'gate.runCheat',
              'task.open',
              'task.copyPath',
              'receipt.open',
              'trial.reveal',
              'task.show',
            ])
              await commands.executeCommand(`taskwright.${id}`, nonsense);
          }
          assert.equal(runs.length, 2);
        },
      },
    ],
    () => ({ activationMs: testing.milliseconds }),
  );
}
