import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CodeActionKind,
  commands,
  type Diagnostic,
  languages,
  Position,
  Range,
  Uri,
  window,
  workspace,
  type CodeAction,
  type CompletionList,
  type DocumentLink,
  type DocumentSymbol,
  type Hover,
  type InlayHint,
  type MarkdownString,
  type TextEdit,
  type TextEditor,
} from 'vscode';
import { activated } from './extension-under-test';
import { runTests, until } from './suite';

function words(items: readonly Diagnostic[]): string[] {
  return items.map(({ range: { start, end }, code, source }) => {
    const id = typeof code === 'object' ? code.value : code;
    return `${start.line}:${start.character}-${end.line}:${end.character} ${source ?? ''} ${id ?? ''}`;
  });
}

async function edit(editor: TextEditor, range: Range, text: string): Promise<void> {
  assert.equal(
    await editor.edit((builder) => {
      builder.replace(range, text);
    }),
    true,
  );
}

/** The range of a text in the document. */
function rangeOf(editor: TextEditor, text: string): Range {
  const at = editor.document.getText().indexOf(text);
  assert.ok(at >= 0, `${text} is not in the document`);
  return new Range(editor.document.positionAt(at), editor.document.positionAt(at + text.length));
}

// A sound task (scripts/host-workspaces.mjs) and what the language server does in its files.
export async function run(): Promise<void> {
  const { testing } = await activated();
  const root = workspace.workspaceFolders![0]!.uri.fsPath;
  const dir = join(root, 'order-totals');
  const config = Uri.file(join(dir, 'task.toml'));
  const editor = await window.showTextDocument(config);
  const { document } = editor;
  const original = document.getText();
  const reset = (): Promise<void> =>
    edit(editor, new Range(new Position(0, 0), document.positionAt(document.getText().length)), original);
  const diagnostics = (uri = config): Diagnostic[] =>
    languages.getDiagnostics(uri).filter(({ source }) => source === 'taskwright');

  await runTests([
    {
      name: 'task.toml has the language TOML',
      run: () => {
        assert.equal(document.languageId, 'toml');
      },
    },
    {
      name: 'a wrong value has its squiggle, at the value, with a link to the page of its rule',
      run: async () => {
        await edit(editor, rangeOf(editor, 'cpus = 1'), 'cpus = "x"');
        const value = rangeOf(editor, '"x"');
        const found = await until(
          'the diagnostic',
          () => diagnostics(),
          (items) => items.some(({ code }) => typeof code === 'object' && code.value === 'config-invalid-value'),
        );
        const wrong = found.find(({ code }) => typeof code === 'object' && code.value === 'config-invalid-value')!;
        assert.deepEqual(wrong.range, value);
        const { target } = wrong.code as { target: Uri };
        assert.equal(target.toString(true), 'command:taskwright.rule.open?["config-invalid-value"]');
        await until(
          'the tree',
          () => testing.findings.of(dir)?.findings.map(({ ruleId }) => ruleId) ?? [],
          (ids) => ids.includes('config-invalid-value'),
        );
        await reset();
        await until(
          'no diagnostic',
          () => words(diagnostics()),
          (items) => !items.join().includes('config-invalid-value'),
        );
      },
    },
    {
      name: 'a key says what it does when one stays on it',
      run: async () => {
        const at = rangeOf(editor, 'memory_mb').start;
        const hovers = await until(
          'the hover',
          async () => commands.executeCommand<Hover[]>('vscode.executeHoverProvider', config, at),
          (found) => found.length > 0,
        );
        const text = hovers
          .flatMap(({ contents }) => contents.map((content) => (content as MarkdownString).value))
          .join('\n');
        assert.match(text, /`memory_mb`.*integer \(MiB\)/);
        assert.match(text, /Absent: as much as the host has/);
      },
    },
    {
      name: 'keys that are missing are offered, and bring their hole',
      run: async () => {
        const table = rangeOf(editor, '[environment]\n');
        await edit(editor, new Range(table.end, table.end), 'work\n');
        const list = await commands.executeCommand<CompletionList>(
          'vscode.executeCompletionItemProvider',
          config,
          table.end.translate(0, 4),
        );
        const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
        assert.ok(labels.includes('workdir'), labels.join(' '));
        assert.equal(labels.includes('cpus'), false);
        await reset();
      },
    },
    {
      name: 'a quick fix mends the file, and letting a finding pass is offered last',
      run: async () => {
        await edit(editor, rangeOf(editor, 'cpus = 1'), 'cpu = 1');
        const found = await until(
          'the diagnostic',
          () => diagnostics(),
          (items) => words(items).join().includes('config-unknown-key'),
        );
        const { range } = found.find((item) => words([item]).join().includes('config-unknown-key'))!;
        const actions = await commands.executeCommand<CodeAction[]>(
          'vscode.executeCodeActionProvider',
          config,
          range,
          CodeActionKind.QuickFix.value,
        );
        assert.equal(actions[0]?.title, 'Rename to cpus');
        assert.match(actions.at(-1)?.title ?? '', /^Allow it here, with a reason/);
        assert.equal(await workspace.applyEdit(actions[0].edit!), true);
        assert.equal(document.getText(), original);
        await until(
          'no diagnostic',
          () => words(diagnostics()),
          (items) => !items.join().includes('config-unknown-key'),
        );
      },
    },
    {
      name: 'a path in a script leads to the file that it names',
      run: async () => {
        const script = Uri.file(join(dir, 'tests', 'test.sh'));
        await window.showTextDocument(script);
        const links = await until(
          'links',
          async () => commands.executeCommand<DocumentLink[]>('vscode.executeLinkProvider', script, 10),
          (items) => items.some(({ target }) => target?.path.endsWith('/tests/verify.py') === true),
        );
        const { target } = links.find((link) => link.target?.path.endsWith('/tests/verify.py') === true)!;
        await commands.executeCommand('vscode.open', target);
        assert.equal(window.activeTextEditor?.document.uri.fsPath, join(dir, 'tests', 'verify.py'));
      },
    },
    {
      name: 'the outline has tables and their keys, and formatting keeps the rest',
      run: async () => {
        const symbols = await commands.executeCommand<DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', config);
        assert.ok(symbols.some(({ name, children }) => name === '[agent]' && children.length === 2));
        const edits = await commands.executeCommand<TextEdit[] | undefined>(
          'vscode.executeFormatDocumentProvider',
          config,
          { tabSize: 2, insertSpaces: true },
        );
        assert.deepEqual(edits ?? [], []);
        const hints = await commands.executeCommand<InlayHint[]>(
          'vscode.executeInlayHintProvider',
          config,
          new Range(0, 0, document.lineCount, 0),
        );
        assert.ok(hints.length > 0);
      },
    },
    {
      name: 'a server that crashes is started again',
      run: async () => {
        const server = (): string[] =>
          execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
            .split('\n')
            .map((row) => row.trim().split(/\s+/))
            .filter(
              ([, parent, ...args]) => parent === String(process.pid) && args.join(' ').includes('dist/server.js'),
            )
            .map(([pid]) => pid!);
        const [before] = await until('the server', server, (found) => found.length === 1);
        process.kill(Number(before), 'SIGKILL');
        await until('another server', server, (found) => found.length === 1 && found[0] !== before);
        const again = await window.showTextDocument(config);
        const at = rangeOf(again, 'memory_mb').start;
        await until(
          'the hover',
          async () => commands.executeCommand<Hover[]>('vscode.executeHoverProvider', config, at),
          (found) => found.length > 0,
        );
      },
    },
    {
      name: 'findings of files that are not open come in the background',
      run: async () => {
        const other = join(root, 'other');
        await workspace.fs.copy(Uri.file(dir), Uri.file(other));
        await writeFile(join(other, 'tests', 'test.sh'), '#!/bin/bash\n');
        const script = Uri.file(join(other, 'tests', 'test.sh'));
        await until(
          'diagnostics of test.sh',
          () => words(diagnostics(script)),
          (items) => items.join().includes('structure-empty-file'),
          60_000,
        );
        await workspace.fs.delete(Uri.file(other), { recursive: true });
        await until(
          'none',
          () => words(diagnostics(script)),
          (items) => items.length === 0,
          60_000,
        );
      },
    },
  ]);
}
