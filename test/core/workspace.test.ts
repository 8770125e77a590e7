import { describe, expect, test } from 'vitest';
import type { Files } from '../../src/core/files';
import { findWorkspace, parentFolder, pathBelow, receiptPath, resolveJobsDir } from '../../src/core/workspace';

/** Only what the search asks for: which paths exist. */
function filesWith(...paths: string[]): Files {
  const missing = async (): Promise<null> => null;
  return {
    join: (base, ...names) => [base === '/' ? '' : base, ...names].join('/'),
    stat: async (path) => (paths.includes(path) ? { kind: 'directory', isLink: false, size: 0, mode: 0o755 } : null),
    list: missing,
    linkTarget: missing,
    read: async () => ({ ok: false, reason: 'missing', message: '' }),
    sha256: missing,
  };
}

describe('the workspace root', () => {
  test.each([
    ['the nearest marked folder', ['/w/.git', '/w/sets/.taskwright'], '/w', '/w/sets', 'a/task'],
    ['a settings file', ['/w/taskwright.toml'], '/else', '/w', 'sets/a/task'],
    ['the fallback', [], '/w', '/w', 'sets/a/task'],
    ['a marker outweighs the fallback', ['/w/.git'], '/w/sets', '/w', 'sets/a/task'],
  ])('%s', async (_what, marked, fallback, root, taskPath) => {
    expect(await findWorkspace(filesWith(...marked), '/w/sets/a/task', fallback)).toEqual({
      root,
      taskPath,
      note: null,
    });
  });

  test.each([
    ['the task itself is marked', ['/w/task/.git', '/w/.git'], '/w'],
    ['the working directory is the task', [], '/w/task'],
    ['the working directory is elsewhere', [], '/other'],
    ['the working directory is inside the task', [], '/w/task/tests'],
  ])('its parent takes it where %s, and a note says so', async (_what, marked, fallback) => {
    const found = await findWorkspace(filesWith(...marked), '/w/task', fallback);
    expect([found.root, found.taskPath]).toEqual(['/w', 'task']);
    expect(found.note).toContain('/w/.taskwright');
  });

  test('the receipt of a task', async () => {
    const files = filesWith('/w/.git');
    const workspace = await findWorkspace(files, '/w/tasks/log shipper', '/w');
    expect(receiptPath(files, workspace)).toBe('/w/.taskwright/receipts/tasks/log shipper.json');
  });
});

describe('the jobs folder', () => {
  const at = (jobsDir: string, base: string): string[] => {
    const found = resolveJobsDir(filesWith(), jobsDir, base, ['/w/task'], (path) => path.startsWith('/'));
    return [found.dir, ...(found.note === null ? [] : ['noted'])];
  };
  test('starts at the base, and never lies inside a task', () => {
    expect(at('jobs', '/w')).toEqual(['/w/jobs']);
    expect(at('jobs', '/w/task')).toEqual(['/w/jobs', 'noted']);
    expect(at('/abs/jobs', '/w/task')).toEqual(['/abs/jobs']);
  });
});

test('paths', () => {
  expect(['/a/b', '/a/b/', '/a', '/', 'C:\\a\\b', 'C:\\a', 'a', '/a\\b/c'].map(parentFolder)).toEqual([
    '/a',
    '/a',
    '/',
    null,
    'C:\\a',
    'C:\\',
    null,
    '/a\\b',
  ]);
  expect(pathBelow('/a', '/a/b/c')).toBe('b/c');
  expect(pathBelow('/', '/a')).toBe('a');
  expect(pathBelow('/a/', '/a')).toBe('');
  expect(pathBelow('/a', '/ab')).toBeNull();
  expect(pathBelow('c:\\w', 'C:\\w\\a\\b')).toBe('a/b');
  // A backslash is an ordinary character in a name where drives have no letters.
  expect(pathBelow('/a', '/a/b\\c')).toBe('b\\c');
});
