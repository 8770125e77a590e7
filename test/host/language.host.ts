import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  commands,
  type Diagnostic,
  languages,
  Position,
  Range,
  Uri,
  window,
  workspace,
  type CompletionList,
  type Hover,
  type MarkdownString,
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
        assert.equal(target.path.endsWith('/docs/rules/config-invalid-value.md'), true, target.toString());
        await workspace.fs.stat(target);
        await until(
          'the tree',
          () => testing.tasks.find(dir)?.task.findings.map(({ ruleId }) => ruleId) ?? [],
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
