import { afterEach, describe, expect, it } from 'vitest';
import { CancellationTokenSource, WorkspaceDiagnosticRequest } from 'vscode-languageserver/node';
import type { CompletionItem, Diagnostic, Hover } from 'vscode-languageserver/node';
import type { Tree } from '../core/memory-files';
import { memoryFiles, soundConfig, taskTree } from '../core/memory-files';
import { startClient, type Client } from './client';

const clients: Client[] = [];
async function start(tree: Tree, ...rest: Parameters<typeof startClient> extends [unknown, ...infer R] ? R : never) {
  const client = await startClient(memoryFiles(tree), ...rest);
  clients.push(client);
  return client;
}
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});

const config = '/w/a/task.toml';
const broken = soundConfig.replace('cpus = 1', 'cpus = "x"');

describe('diagnostics of a file', () => {
  it('are those of the open text, not of the disk', async () => {
    const client = await start(taskTree('/w/a'));
    await client.open(config, broken);
    expect(await client.problems(config)).toMatch(/^10:7-10:10 error config-invalid-value: .*cpus/m);
    await client.type(config, broken.indexOf('"x"'), broken.indexOf('"x"') + 3, '2');
    expect(await client.problems(config)).not.toContain('error');
  });

  it('have the rule as their code, with its page, and who says it', async () => {
    const client = await start(taskTree('/w/a'), { options: { rulePage: 'file:///docs/rules/{id}.md' } });
    await client.open(config, broken);
    const report = await client.pull(config);
    expect((report as { items: Diagnostic[] }).items.find(({ severity }) => severity === 1)).toMatchObject({
      code: 'config-invalid-value',
      codeDescription: { href: 'file:///docs/rules/config-invalid-value.md' },
      source: 'taskwright',
    });
  });

  it('are unchanged as long as they say the same', async () => {
    const client = await start(taskTree('/w/a'));
    await client.open(config, broken);
    const first = await client.pull(config);
    const again = await client.pull(config, first.resultId);
    expect(again).toEqual({ kind: 'unchanged', resultId: first.resultId });
    await client.type(config, 0, 0, '\n');
    expect((await client.pull(config, first.resultId)).kind).toBe('full');
  });

  it('follow from every open file of the task', async () => {
    const client = await start(taskTree('/w/a', { 'instruction.md': '' }));
    await client.open(config, soundConfig);
    await client.open('/w/a/instruction.md', '');
    expect(await client.problems('/w/a/instruction.md')).toContain('structure-empty-file');
    await client.type('/w/a/instruction.md', 0, 0, 'Do it.\n');
    expect(await client.problems('/w/a/instruction.md')).not.toContain('structure-empty-file');
    await client.close('/w/a/instruction.md');
    expect(await client.problems('/w/a/instruction.md')).toContain('structure-empty-file');
  });

  it('stand at the right place where the editor hides a byte-order mark', async () => {
    const client = await start(taskTree('/w/a', { 'task.toml': `\uFEFF${soundConfig}` }));
    await client.open(config, soundConfig);
    expect(await client.problems(config)).toMatch(/^0:0-0:1 error config-syntax/);
  });

  it('leave syntax errors to another extension for TOML', async () => {
    const client = await start(taskTree('/w/a'), { options: { otherToml: true } });
    await client.open(config, '[agent]\nuser = = 1');
    expect(await client.problems(config)).not.toContain('config-syntax');
  });

  it('are none for a file of no task', async () => {
    const client = await start({ ...taskTree('/w/a'), '/w/notes.md': 'x' });
    await client.open('/w/notes.md', 'x');
    expect(await client.problems('/w/notes.md')).toBe('');
  });

  it('follow the settings of the resource', async () => {
    const client = await start(taskTree('/w/a'));
    client.settings = { rules: { 'config-invalid-value': 'hint', 'no-such-rule': 'error' } };
    await client.open(config, broken);
    expect(await client.problems(config)).toContain('hint config-invalid-value');
    client.settings = { rules: { 'config-invalid-value': 'off' } };
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    expect(await client.problems(config)).not.toContain('config-invalid-value');
  });

  it('are asked for anew after a change on disk, once for several', async () => {
    const tree = { ...taskTree('/w/a') };
    const client = await start(tree);
    await client.open(config, soundConfig);
    expect(await client.problems(config)).not.toContain('structure-missing-file');
    delete tree['/w/a/tests/test.sh'];
    await client.changed('/w/a/tests/test.sh', 3);
    await client.changed('/w/a/tests/test.sh', 3);
    await client.until(() => client.refreshes > 0);
    expect(client.refreshes).toBe(1);
    expect(await client.problems(config)).toContain('structure-missing-file');
  });
});

describe('diagnostics of the workspace', () => {
  const three: Tree = {
    ...taskTree('/w/fine'),
    ...taskTree('/w/bad', { 'task.toml': broken }),
    ...taskTree('/w/worse', { 'task.toml': broken, 'tests/test.sh': undefined }),
  };
  const summary = (items: readonly { uri: string; items?: readonly Diagnostic[] }[]): string =>
    items
      .map(
        ({ uri, items: found }) => `${uri.replace('file:///w/', '')} ${found?.some(({ severity }) => severity === 1)}`,
      )
      .join('\n');

  it('cover tasks that are not open, errors first', async () => {
    const client = await start(three);
    const { items } = await client.pullWorkspace();
    expect(summary(items as never)).toMatch(/^(bad\/task.toml true\nworse\/task.toml true\n)/);
  });

  it('are sent in parts where the client takes them, and wait for news', async () => {
    const tree = { ...three };
    const client = await start(tree);
    const parts: string[] = [];
    client.connection.onProgress(WorkspaceDiagnosticRequest.partialResult, 'p', (part) => {
      parts.push(summary(part.items));
    });
    const ask = (previous: { uri: string; value: string }[]): Promise<{ items: { uri: string; resultId: string }[] }> =>
      client.connection.sendRequest('workspace/diagnostic', { previousResultIds: previous, partialResultToken: 'p' });
    await ask([]);
    expect(parts.join('\n')).toContain('worse/task.toml true');

    const { items } = await client.pullWorkspace();
    const known = items.map(({ uri, resultId }) => ({ uri, value: resultId! }));
    const held = ask(known);
    tree['/w/bad/task.toml'] = soundConfig;
    await client.changed('/w/bad/task.toml');
    const news = await held;
    expect(summary(news.items as never)).toContain('bad/task.toml false');
  });

  it('tell whoever counts what was found in each task, once', async () => {
    const client = await start(three);
    await client.pullWorkspace();
    await client.pullWorkspace();
    await client.until(() => client.findings.length >= 3);
    const counts = client.findings.map(({ taskDir, counts: { error } }) => `${taskDir} ${error > 0}`);
    expect(counts.sort()).toEqual(['/w/bad true', '/w/fine false', '/w/worse true']);
  });

  it('are of the tasks that the editor names, where it does', async () => {
    const client = await start(three, { options: { sendsTasks: true } });
    expect((await client.pullWorkspace()).items).toEqual([]);
    await client.connection.sendNotification('taskwright/tasks', { dirs: ['/w/bad'] });
    const { items } = await client.pullWorkspace();
    expect(summary(items as never)).toBe('bad/task.toml true');
    await client.connection.sendNotification('taskwright/tasks', { dirs: [] });
    const after = await client.pullWorkspace({ '/w/bad/task.toml': items[0]!.resultId! });
    expect(after.items).toMatchObject([{ kind: 'full', items: [] }]);
  });
});

it('registers the files of tasks where the client can be told later', async () => {
  const dynamicRegistration = true;
  const client = await start(taskTree('/w/a'), {
    capabilities: {
      textDocument: {
        synchronization: { dynamicRegistration },
        diagnostic: { dynamicRegistration },
        codeAction: { dynamicRegistration },
        documentLink: { dynamicRegistration },
      },
      workspace: { didChangeWatchedFiles: { dynamicRegistration } },
    },
  });
  await client.until(() => client.registered.some(({ method }) => method === 'textDocument/diagnostic'));
  const { options } = client.registered.find(({ method }) => method === 'textDocument/diagnostic')!;
  expect(options).toMatchObject({
    interFileDependencies: true,
    workspaceDiagnostics: true,
    documentSelector: [{ scheme: 'file' }],
  });
});

it('completes and explains in an open task.toml', async () => {
  const client = await start(taskTree('/w/a'));
  await client.open(config, `${soundConfig}work`);
  const at = { textDocument: { uri: `file://${config}` }, position: { line: 12, character: 4 } };
  const items = await client.connection.sendRequest<CompletionItem[]>('textDocument/completion', at);
  const item = items.find(({ label }) => label === 'workdir')!;
  expect(item).toMatchObject({ insertTextFormat: 2, textEdit: { newText: 'workdir = "$1"' } });
  const hover = await client.connection.sendRequest<Hover>('textDocument/hover', {
    ...at,
    position: { line: 10, character: 1 },
  });
  expect(hover.contents).toMatchObject({
    kind: 'markdown',
    value: expect.stringContaining('Cores the container may use') as unknown,
  });
});

it('answers a request that was taken back with that', async () => {
  const client = await start(taskTree('/w/a'));
  await client.open(config, soundConfig);
  const source = new CancellationTokenSource();
  const answer = client.connection.sendRequest(
    'textDocument/diagnostic',
    { textDocument: { uri: `file://${config}` } },
    source.token,
  );
  source.cancel();
  await expect(answer).rejects.toMatchObject({ code: -32800 });
});

it('outlines, folds, links, hints and formats an open task.toml', async () => {
  const client = await start(taskTree('/w/a'));
  await client.open(config, '# https://a.example\n[agent]\nuser="x"');
  const textDocument = { uri: `file://${config}` };
  const ask = (method: string, more: object = {}): Promise<unknown> =>
    client.connection.sendRequest(`textDocument/${method}`, { textDocument, ...more });
  expect(await ask('documentSymbol')).toMatchObject([{ name: '[agent]', children: [{ name: 'user', detail: '"x"' }] }]);
  expect(await ask('foldingRange')).toEqual([{ startLine: 1, endLine: 2 }]);
  expect(await ask('documentLink')).toMatchObject([{ target: 'https://a.example' }]);
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  expect(await ask('inlayHint', { range })).toMatchObject([
    { label: 'no time limit', position: { line: 1, character: 7 } },
  ]);
  const options = { tabSize: 2, insertSpaces: true };
  expect(await ask('formatting', { options })).toMatchObject([{ newText: 'user = "x"\n' }]);
});

it('leaves folding and formatting to another extension for TOML', async () => {
  const client = await start(taskTree('/w/a'), { options: { otherToml: true } });
  expect(client.capabilities.foldingRangeProvider).toBeUndefined();
  expect(client.capabilities.documentFormattingProvider).toBeUndefined();
  expect(client.capabilities.hoverProvider).toBe(true);
});
