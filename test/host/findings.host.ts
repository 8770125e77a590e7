import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TextEditor } from 'vscode';
import {
  commands,
  ConfigurationTarget,
  env,
  LanguageStatusSeverity,
  languages,
  MarkdownString,
  TabInputWebview,
  TreeItem,
  Uri,
  window,
  workspace,
  type CodeLens,
} from 'vscode';
import type { FindingNode } from '../../src/host/tree/finding-nodes';
import type { TreeNode } from '../../src/host/tree/nodes';
import { activated, renderTree } from './extension-under-test';
import { runTests, until } from './suite';

// What the language server finds, in every surface of the editor (scripts/host-workspaces.mjs, flawedDataset).
export async function run(): Promise<void> {
  const { testing } = await activated();
  const { tree, findings, tasks } = testing;
  const root = workspace.workspaceFolders![0]!.uri.fsPath;
  const flawed = join(root, 'tasks', 'flawed');
  const plain = join(root, 'tasks', 'plain');
  const atFirst = await renderTree(tree);

  const ids = (dir: string): string[] => findings.of(dir)?.findings.map(({ ruleId }) => ruleId) ?? ['unknown'];
  const known = (dir: string, what: string, holds: (ids: readonly string[]) => boolean): Promise<string[]> =>
    until(what, () => ids(dir), holds, 60_000);
  /** Every row below the findings of a task. */
  const rows = (dir: string): TreeNode[] => {
    const all: TreeNode[] = [];
    const visit = (node: TreeNode): void => {
      all.push(node);
      for (const child of tree.getChildren(node)) visit(child);
    };
    visit(tree.findingsOf(tasks.find(dir)!));
    return all;
  };
  const rowOf = (ruleId: string): FindingNode => {
    const found = rows(flawed).find((node) => node.kind === 'finding' && node.finding.ruleId === ruleId);
    assert.ok(found?.kind === 'finding', `no row for ${ruleId} among ${ids(flawed).join(' ')}`);
    return found;
  };
  const words = (node: TreeNode): string => {
    const { label, description } = tree.getTreeItem(node);
    return `${typeof label === 'string' ? label : ''} | ${typeof description === 'string' ? description : ''}`;
  };
  const lenses = async (): Promise<string[]> => {
    const uri = Uri.file(join(flawed, 'task.toml'));
    const found = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', uri);
    return found.map(({ command, range }) => `${range.start.line}: ${command?.title ?? ''}`);
  };
  const serverProcess = (): number | null => {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const [parent] = /(?<=\) \S )\d+/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        if (Number(parent) === process.pid && line.includes('dist/server.js')) return Number(name);
      } catch {
        // gone meanwhile
      }
    }
    return null;
  };

  await runTests(
    [
      {
        name: 'the tree says that it is being checked while the server has not answered',
        run: () => {
          assert.match(atFirst, /\(loading~spin\) Findings \| checking…/);
          assert.match(atFirst, /\(package\) flawed \| not run yet · checking…/);
        },
      },
      {
        name: 'a task says how many of which severity, and lists them by file, the worst first',
        run: async () => {
          await known(flawed, 'findings', (found) => found.includes('docker-missing-source'));
          const { counts } = findings.of(flawed)!;
          assert.ok(counts.error > 0 && counts.warning > 0, JSON.stringify(counts));
          const node = tree.nodeOf(tasks.find(flawed)!);
          assert.match(words(node), /^flawed \| not run yet · 1 error, \d+ warnings$/);
          const [first, ...groups] = rows(flawed).filter(({ kind }) => kind !== 'finding');
          assert.match(words(first!), /^Findings \| 1 error, \d+ warnings/);
          assert.equal(tree.getTreeItem(first!).iconPath !== undefined, true);
          assert.deepEqual(
            groups.map((group) => words(group).replace(/\d.*/, 'N')),
            ['Dockerfile | environment', 'task.toml | ', 'Tamper resistance | N'],
          );
          await known(plain, 'no findings', (found) => found.length === 0);
          assert.equal(words(tree.findingsOf(tasks.find(plain)!)), 'Findings | none');
          assert.equal(words(tree.nodeOf(tasks.find(plain)!)), 'plain | not run yet');
        },
      },
      {
        name: 'what is said of tamper resistance is one line a task',
        run: () => {
          const group = rows(flawed).find((node) => node.kind === 'findingGroup' && node.file === null)!;
          const below = tree.getChildren(group).map((node) => (node.kind === 'finding' ? node.finding.ruleId : ''));
          assert.deepEqual(below.sort(), ['config-shared-verifier-root-agent', 'verifier-stale-reward']);
        },
      },
      {
        name: 'the tree says what the Problems panel says',
        run: async () => {
          const shown = (): string[] =>
            languages
              .getDiagnostics()
              .filter(([uri]) => uri.fsPath.startsWith(flawed))
              .flatMap(([uri, all]) =>
                all
                  .filter(({ source }) => source === 'taskwright')
                  .map(({ code, range: { start } }) => {
                    const id = typeof code === 'object' ? code.value : code;
                    return `${uri.fsPath.slice(flawed.length + 1)}:${start.line} ${id ?? ''}`;
                  }),
              )
              .sort();
          const told = findings
            .of(flawed)!
            .findings.map(({ file, range: { start }, ruleId }) => `${file}:${start.line} ${ruleId}`)
            .sort();
          assert.deepEqual(await until('problems', shown, (seen) => seen.length === told.length, 60_000), told);
        },
      },
      {
        name: 'a click opens the file at the range',
        run: async () => {
          const node = rowOf('docker-missing-source');
          const { command } = tree.getTreeItem(node);
          await commands.executeCommand(command!.command, ...(command!.arguments as unknown[]));
          const editor = await until(
            'the editor',
            () => window.activeTextEditor,
            (one): one is TextEditor => one?.document.fileName === join(flawed, 'environment', 'Dockerfile'),
          );
          const { start } = node.finding.range;
          assert.deepEqual(editor!.selection.start.line, start.line);
          assert.equal(editor!.document.getText(editor!.selection), 'answers.csv');
        },
      },
      {
        name: 'a finding says on hover why it matters, what mends it, and links the page of its rule',
        run: () => {
          const node = rowOf('config-deprecated-key');
          const { tooltip } = tree.resolveTreeItem(new TreeItem('x'), node);
          assert.ok(tooltip instanceof MarkdownString);
          const { finding } = node;
          assert.ok(tooltip.value.includes(`Fix: ${finding.fixes[0]!.title.replace('_', '\\_')}`), tooltip.value);
          assert.ok(tooltip.value.includes('(command:taskwright.rule.open?'), tooltip.value);
          assert.deepEqual(tooltip.isTrusted, { enabledCommands: ['taskwright.rule.open'] });
          const label = tree.getTreeItem(node).accessibilityInformation?.label ?? '';
          assert.equal(label, `Info: ${finding.message} task.toml, line ${finding.range.start.line + 1}`);
        },
      },
      {
        name: 'the first line of task.toml tells of gates and findings, where the setting lets it',
        run: async () => {
          const uri = Uri.file(join(flawed, 'task.toml'));
          await window.showTextDocument(uri);
          const count = findings.of(flawed)!.findings.length;
          const expected = ['0: $(run-all) Run Gates', `0: ${count} findings`];
          assert.deepEqual(await until('lenses', lenses, (found) => found.length === 2), expected);
          const settings = workspace.getConfiguration('taskwright', uri);
          await settings.update('codeLens.enabled', false, ConfigurationTarget.WorkspaceFolder);
          await until('no lens', lenses, (found) => found.length === 0);
          await settings.update('codeLens.enabled', undefined, ConfigurationTarget.WorkspaceFolder);
          assert.deepEqual(await until('lenses', lenses, (found) => found.length === 2), expected);
        },
      },
      {
        name: 'the language status of a task file tells of findings and of Docker',
        run: async () => {
          await window.showTextDocument(Uri.file(join(flawed, 'instruction.md')));
          const [found, docker] = testing.status.items;
          await until(
            'findings',
            () => found!.text,
            (text) => text.startsWith('1 error, '),
          );
          assert.equal(found!.severity, LanguageStatusSeverity.Error);
          assert.equal(found!.command?.command, 'taskwright.findings.show');
          assert.equal(docker!.text, 'Docker');
          await window.showTextDocument(Uri.file(join(plain, 'task.toml')));
          await until(
            'none',
            () => found!.text,
            (text) => text === 'No findings',
          );
          await commands.executeCommand('workbench.action.closeAllEditors');
          await until(
            'no file',
            () => found!.selector,
            (selector) => Array.isArray(selector) && selector.length === 0,
          );
        },
      },
      {
        name: 'typing changes the findings of the tree, before anything is saved',
        run: async () => {
          const document = await workspace.openTextDocument(join(plain, 'task.toml'));
          const editor = await window.showTextDocument(document);
          await editor.edit((edit) => {
            edit.insert(document.positionAt(document.getText().length), 'memry_mb = 1\n');
          });
          await known(plain, 'the misspelt key', (found) => found.includes('config-unknown-key'));
          assert.equal(document.isDirty, true);
          await commands.executeCommand('workbench.action.files.revert');
          assert.equal(document.isDirty, false, 'reverted');
          await known(plain, 'none', (found) => found.length === 0);
        },
      },
      {
        name: 'Check Task reads a task anew, and shows what it found in the tree',
        run: async () => {
          const file = join(plain, 'environment', 'Dockerfile');
          const { selection } = tree.view;
          await commands.executeCommand('taskwright.task.check', Uri.file(plain));
          assert.deepEqual(tree.view.selection, selection, 'nothing to show');
          // The check does not wait for a file event.
          await appendFile(file, 'COPY missing.csv /app/missing.csv\n');
          await commands.executeCommand('taskwright.task.check', Uri.file(plain));
          assert.equal(ids(plain).includes('docker-missing-source'), true, ids(plain).join());
          await until(
            'the row',
            () => tree.view.selection.map(({ id }) => id),
            (selected) => selected[0] === tree.findingsOf(tasks.find(plain)!).id,
          );
          await writeFile(file, (await readFile(file, 'utf8')).replace('COPY missing.csv /app/missing.csv\n', ''));
          await commands.executeCommand('taskwright.task.check', Uri.file(plain));
          assert.deepEqual(ids(plain), []);
        },
      },
      {
        name: 'Check All Tasks checks them all, on rows of datasets too',
        run: async () => {
          await commands.executeCommand('taskwright.task.checkAll');
          const dataset = tree.getChildren()[0]!;
          assert.equal(dataset.kind, 'dataset');
          await commands.executeCommand('taskwright.task.check', dataset);
          assert.ok(ids(flawed).length > 3);
        },
      },
      {
        name: 'Fix applies the preferred fix to the text as it is now, and saves nothing',
        run: async () => {
          const node = rowOf('config-deprecated-key');
          const document = await workspace.openTextDocument(join(flawed, 'task.toml'));
          const editor = await window.showTextDocument(document);
          // The finding moves; its row may not have.
          await editor.edit((edit) => {
            edit.insert(document.positionAt(0), '# one\n# two\n');
          });
          await commands.executeCommand('taskwright.finding.fix', node);
          assert.match(document.getText(), /^memory_mb = 512$/m);
          assert.doesNotMatch(document.getText(), /^memory = /m);
          assert.equal(document.isDirty, true);
          await known(flawed, 'mended', (found) => !found.includes('config-deprecated-key'));
          await commands.executeCommand('taskwright.finding.fix', node);
          assert.equal(document.getText().match(/^memory_mb/gm)?.length, 1, 'what is gone is not mended again');
          await window.showTextDocument(document);
          await commands.executeCommand('workbench.action.files.revert');
          await known(flawed, 'as before', (found) => found.includes('config-deprecated-key'));
        },
      },
      {
        name: 'Copy takes place, rule and message along',
        run: async () => {
          const node = rowOf('docker-missing-source');
          await commands.executeCommand('taskwright.finding.copy', node);
          const { line, character } = node.finding.range.start;
          assert.equal(
            await env.clipboard.readText(),
            `tasks/flawed/environment/Dockerfile:${line + 1}:${character + 1} error docker-missing-source: ${node.finding.message}`,
          );
        },
      },
      {
        name: 'Open Rule shows the page of the rule as it reads, and no other file',
        run: async () => {
          const tabs = (): string[] =>
            window.tabGroups.all
              .flatMap((group) => group.tabs)
              .map(({ label, input }) => `${input instanceof TabInputWebview ? 'page' : 'text'} ${label}`);
          await commands.executeCommand('taskwright.rule.open', rowOf('docker-missing-source'));
          await until('the page', tabs, (labels) => labels.join().includes('page Preview docker-missing-source.md'));
          await commands.executeCommand('taskwright.rule.open', 'config-unknown-key');
          await until('the other page', tabs, (labels) => labels.join().includes('page Preview config-unknown-key.md'));
          const before = tabs();
          for (const nonsense of ['../../package', '..%2fREADME', 'no-such-rule', '', null, 7])
            await commands.executeCommand('taskwright.rule.open', nonsense);
          assert.deepEqual(tabs(), before);
          await commands.executeCommand('workbench.action.closeAllEditors');
        },
      },
      {
        name: 'commands about findings take nonsense without harm',
        run: async () => {
          for (const nonsense of [null, 42, 'x', {}, { kind: 'finding', id: 'x', entry: {} }, Uri.file('/nowhere')]) {
            for (const id of ['task.check', 'findings.show', 'finding.fix', 'finding.allow', 'finding.copy'])
              await commands.executeCommand(`taskwright.${id}`, nonsense);
          }
        },
      },
      {
        name: 'a server that ends is started again; one that ends over and over is shown, and restarts on request',
        run: async () => {
          for (let times = 0; times < 5; times++) {
            const pid = await until('the server', serverProcess, (found) => found !== null, 60_000);
            await until(
              'running',
              () => findings.server,
              (state) => state === 'running',
            );
            execFileSync('kill', ['-9', String(pid)]);
            await until('its end', serverProcess, (found) => found !== pid, 60_000);
          }
          await until(
            'stopped',
            () => findings.server,
            (state) => state === 'stopped',
          );
          assert.match(await renderTree(tree), /Findings \| .*the language server has stopped/);
          const item = tree.getTreeItem(tree.findingsOf(tasks.find(flawed)!));
          assert.equal(item.contextValue, 'findings stopped');
          const { items } = testing.status;
          await window.showTextDocument(Uri.file(join(flawed, 'task.toml')));
          await until(
            'the status',
            () => items[0]!.text,
            (text) => text === 'Language server stopped',
          );
          assert.equal(items[0]!.command?.command, 'taskwright.server.restart');
          await commands.executeCommand('taskwright.server.restart');
          await until(
            'running',
            () => findings.server,
            (state) => state === 'running',
            60_000,
          );
          await commands.executeCommand('taskwright.task.check', Uri.file(flawed));
          assert.ok(ids(flawed).includes('docker-missing-source'));
          assert.doesNotMatch(await renderTree(tree), /has stopped/);
        },
      },
    ],
    () => ({ activationMs: testing.milliseconds }),
  );
}
