import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CodeAction, Diagnostic, SnippetTextEdit, TextEdit } from 'vscode-languageserver/node';
import { isSafeFix } from '../../src/core/rules/safe-fix';
import { readDocument } from '../../src/core/task/document';
import { applyEdits } from '../../src/core/text/edits';
import { readToml } from '../../src/core/text/toml';
import { memoryFiles, soundConfig, taskTree, type Tree } from '../core/memory-files';
import { startClient, type Client } from './client';

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});

const config = '/w/a/task.toml';

async function start(tree: Tree, path: string, text: string): Promise<Client> {
  const client = await startClient(memoryFiles(tree), {
    capabilities: { workspace: { configuration: true, workspaceEdit: { snippetEditSupport: true } } },
  });
  clients.push(client);
  await client.open(path, text);
  return client;
}

async function actions(client: Client, path: string, rule: string, only?: string): Promise<CodeAction[]> {
  const report = await client.pull(path);
  const items: Diagnostic[] = report.kind === 'full' ? report.items : [];
  const diagnostics = items.filter(({ code }) => code === rule);
  return client.connection.sendRequest('textDocument/codeAction', {
    textDocument: { uri: `file://${path}` },
    range: diagnostics[0]?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    context: { diagnostics, ...(only !== undefined && { only: [only] }) },
  });
}

/** The text of a file after an action; a reason is given where one is asked for. */
function applied(action: CodeAction, path: string, text: string): string {
  const edits = (action.edit?.documentChanges ?? []).flatMap((change): (TextEdit | SnippetTextEdit)[] =>
    'edits' in change && change.textDocument.uri === `file://${path}` ? (change.edits as never) : [],
  );
  const plain = edits.map((edit) => ({
    range: edit.range,
    newText: 'snippet' in edit ? edit.snippet.value.replace('$1', 'it is meant').replace(/\\(.)/g, '$1') : edit.newText,
  }));
  return applyEdits(text, plain)!;
}

describe('quick fixes', () => {
  it.each([
    ['a misspelt key', 'cpus = 1', 'cpu = 1', 'config-unknown-key', 'cpus = 1'],
    ['an old key', 'memory_mb = 512', 'memory = "4G"', 'config-deprecated-key', 'memory_mb = 4096'],
    ['a size with the wrong unit', 'memory_mb = 512', 'memory = "4GB"', 'config-invalid-value', 'memory_mb = 4096'],
  ])('mend %s, the preferred one first', async (_what, before, written, rule, after) => {
    const text = soundConfig.replace(before, written);
    const client = await start(taskTree('/w/a'), config, text);
    const [first] = await actions(client, config, rule);
    expect(first).toMatchObject({ kind: 'quickfix', isPreferred: true, diagnostics: [{ code: rule }] });
    const mended = applied(first!, config, text);
    expect(mended).toContain(after);
    expect(readToml(mended).ok).toBe(true);
  });

  it('make a file that is missing', async () => {
    const client = await start(taskTree('/w/a', { 'tests/test.sh': undefined }), config, soundConfig);
    const all = await actions(client, config, 'structure-missing-file');
    expect(all[0]?.edit?.documentChanges).toMatchObject([
      { kind: 'create', uri: 'file:///w/a/tests/test.sh' },
      { textDocument: { uri: 'file:///w/a/tests/test.sh' } },
    ]);
  });

  it('stand at the right place with emoji, CRLF and a byte-order mark that the editor hides', async () => {
    const text = '# 😀 網\r\n[environment]\r\n\tcpu = 1 # 😀\r\n';
    const client = await start(taskTree('/w/a', { 'task.toml': `# 😀\r\n` }), config, text);
    const [first] = await actions(client, config, 'config-unknown-key');
    expect(applied(first!, config, text)).toBe('# 😀 網\r\n[environment]\r\n\tcpus = 1 # 😀\r\n');
    const marked = await start(taskTree('/w/a', { 'task.toml': `\uFEFF${text}` }), config, text);
    const titles = (await actions(marked, config, 'config-syntax')).map(({ title }) => title);
    expect(titles.join()).not.toContain('byte-order');
  });
});

describe('letting a finding pass', () => {
  it('is the last that is offered: a comment above, with a place for the reason', async () => {
    const text = soundConfig.replace('cpus = 1', '  cpu = 1');
    const client = await start(taskTree('/w/a'), config, text);
    const all = await actions(client, config, 'config-unknown-key');
    expect(all.at(-1)?.title).toBe('Allow it here, with a reason (config-unknown-key)');
    const mended = applied(all.at(-1)!, config, text);
    expect(mended).toContain('  # taskwright: allow config-unknown-key — it is meant\n  cpu = 1');
    await client.type(config, 0, text.length, mended);
    expect(await client.problems(config)).not.toContain('config-unknown-key');
  });

  it('goes to taskwright.toml where the agent would see it, and makes that file', async () => {
    const tree = { ...taskTree('/w/a', { 'instruction.md': '' }), '/w/.git': null };
    const client = await start(tree, '/w/a/instruction.md', '');
    const all = await actions(client, '/w/a/instruction.md', 'structure-empty-file');
    const allow = all.find(
      ({ title }) => title === 'Allow it in taskwright.toml, with a reason (structure-empty-file)',
    )!;
    expect(allow.edit?.documentChanges?.[0]).toMatchObject({ kind: 'create', uri: 'file:///w/taskwright.toml' });
    expect(applied(allow, '/w/taskwright.toml', '')).toBe(
      '[[allow]]\nrule = "structure-empty-file"\npath = "/a/instruction.md"\nreason = "it is meant"\n',
    );
  });

  it('takes effect from there', async () => {
    const allow = '[[allow]]\nrule = "structure-empty-file"\npath = "/a/instruction.md"\nreason = "it is meant"\n';
    const tree = { ...taskTree('/w/a', { 'instruction.md': '' }), '/w/taskwright.toml': allow };
    const client = await start(tree, '/w/a/instruction.md', '');
    expect(await client.problems('/w/a/instruction.md')).not.toContain('structure-empty-file');
  });
});

describe('source.fixAll.taskwright', () => {
  it('makes what cannot change the meaning, and leaves the rest', async () => {
    const text = soundConfig
      .replace('[task]', 'version = "1.4"\n[task]')
      .replace('memory_mb = 512', 'memory = "512M"\nworkdri = "/x"');
    const client = await start(taskTree('/w/a'), config, text);
    const all = await actions(client, config, 'config-deprecated-key', 'source.fixAll.taskwright');
    expect(all.map(({ kind }) => kind)).toEqual(['source.fixAll.taskwright']);
    const mended = applied(all[0]!, config, text);
    expect(mended).toContain('schema_version = "1.4"');
    expect(mended).toContain('memory_mb = 512\nworkdri = "/x"');
    expect(await actions(client, config, 'config-deprecated-key')).not.toContainEqual(
      expect.objectContaining({ kind: 'source.fixAll.taskwright' }),
    );
  });

  it('is what the configuration says before and after, alike', () => {
    const file = join(import.meta.dirname, '../conformance/task-toml.jsonl');
    let safe = 0;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue;
      const { toml } = JSON.parse(line) as { toml?: unknown };
      if (typeof toml !== 'string') continue;
      const document = readDocument(toml);
      for (const problem of document.problems) {
        for (const fix of problem.fixes ?? []) {
          const edits = fix.edits.map((edit) => ({ file: 'task.toml', ...edit }));
          if (!isSafeFix({ ...fix, edits }, document)) continue;
          safe++;
          expect(readDocument(applyEdits(toml, edits)!).config).toEqual(document.config);
        }
      }
    }
    expect(safe).toBeGreaterThan(5);
  });
});
