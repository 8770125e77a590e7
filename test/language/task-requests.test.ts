import { afterEach, describe, expect, it } from 'vitest';
import type { AllowEdit, TaskFindings } from '../../src/protocol/language';
import type { Tree } from '../core/memory-files';
import { memoryFiles, soundConfig, taskTree } from '../core/memory-files';
import { startClient, type Client } from './client';

let client: Client | null = null;
/** Resolves to a client of files that the test may change. */
async function start(tree: Record<string, Tree[string]>): Promise<Client> {
  client = await startClient(memoryFiles(tree), { options: { sendsTasks: true } });
  return client;
}
afterEach(async () => {
  await client?.end();
  client = null;
});

const ids = ({ findings }: TaskFindings): string[] => findings.map(({ ruleId }) => ruleId);
const check = ({ connection }: Client, taskDir: string): Promise<TaskFindings> =>
  connection.sendRequest('taskwright/check', { taskDir });
const allow = ({ connection }: Client, { taskDir, findings }: TaskFindings, ruleId: string, reason: string) => {
  const finding = findings.find((one) => one.ruleId === ruleId)!;
  const { fingerprint, range } = finding;
  const request = { taskDir, fingerprint, line: range.start.line, reason };
  return connection.sendRequest<AllowEdit | null>('taskwright/allow', request);
};

describe('a check of a task', () => {
  it('reads the disk anew, without being told that anything has changed', async () => {
    const tree: Record<string, Tree[string]> = { ...taskTree('/w/a') };
    const own = await start(tree);
    expect(ids(await check(own, '/w/a'))).not.toContain('structure-empty-file');
    tree['/w/a/tests/test.sh'] = '';
    expect(ids(await check(own, '/w/a'))).toContain('structure-empty-file');
  });

  it('judges the open texts, and counts what it found', async () => {
    const own = await start({ ...taskTree('/w/a') });
    await own.open('/w/a/task.toml', soundConfig.replace('cpus = 1', 'cpus = "x"'));
    const found = await check(own, '/w/a');
    expect(ids(found)).toContain('config-invalid-value');
    expect(found.counts.error).toBe(1);
  });

  it('puts what is said of a missing file where there is a place for it', async () => {
    const own = await start({ ...taskTree('/w/a', { 'tests/test.sh': undefined }) });
    const { findings } = await check(own, '/w/a');
    expect(findings.filter(({ ruleId }) => ruleId === 'structure-missing-file').map(({ file }) => file)).toEqual([
      'task.toml',
    ]);
  });
});

describe('an allowance', () => {
  it('is a comment above the place, with the reason on one line', async () => {
    const own = await start({ ...taskTree('/w/a', { 'task.toml': soundConfig.replace('cpus = 1', 'cpuz = 1') }) });
    const found = await check(own, '/w/a');
    const edit = await allow(own, found, 'config-unknown-key', 'Read by\nour "own" tool');
    expect(edit).toEqual({
      file: '/w/a/task.toml',
      range: expect.objectContaining({ start: { line: 10, character: 0 } }) as unknown,
      newText: '# taskwright: allow config-unknown-key — Read by our "own" tool\n',
    });
  });

  it('is an entry of taskwright.toml where the agent would read a comment', async () => {
    const own = await start({ ...taskTree('/w/a', { 'instruction.md': '' }) });
    const found = await check(own, '/w/a');
    const edit = await allow(own, found, 'structure-empty-file', 'It is "asked" for');
    expect(edit?.file).toMatch(/taskwright\.toml$/);
    expect(edit?.newText).toContain('rule = "structure-empty-file"');
    expect(edit?.newText).toContain('reason = "It is \\"asked\\" for"');
  });

  it('is nothing for a finding that is no more', async () => {
    const own = await start({ ...taskTree('/w/a') });
    const request = { taskDir: '/w/a', fingerprint: 'none', line: 0, reason: 'x' };
    expect(await own.connection.sendRequest('taskwright/allow', request)).toBeNull();
  });
});
