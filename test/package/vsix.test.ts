import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryFiles, root } from './sources';
import { zipEntries } from './zip';

const grammarFiles = ['tree-sitter-bash.wasm', 'tree-sitter-python.wasm', 'web-tree-sitter.wasm'];
const vsix = 'out/test/taskwright.vsix';

describe('the VSIX', () => {
  let archive: Buffer;
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/package.mjs', '--out', vsix], { cwd: root, stdio: 'pipe' });
    archive = readFileSync(join(root, vsix));
  });

  it('stays under 3 MB', () => {
    expect(archive.length).toBeLessThan(3_000_000);
  });

  it('contains only what runs', () => {
    const names = zipEntries(archive).map(({ name }) => name);
    const media = repositoryFiles().filter((path) =>
      /^(?:media|syntaxes|docs\/rules)\/|^docs\/settings\.md$/.test(path),
    );
    expect(media).toContain('media/template/task.toml');
    // vsce lists README, CHANGELOG and the licence under names of its own.
    const expected = [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      ...[
        'LICENSE.txt',
        'THIRD_PARTY_NOTICES.md',
        'changelog.md',
        'dist/check-worker.js',
        'dist/cli.js',
        ...grammarFiles.map((name) => `dist/grammars/${name}`),
        'dist/client.js',
        'dist/extension.js',
        'dist/reader.js',
        'dist/server.js',
        'package.json',
        'package.nls.json',
        'readme.md',
        ...media,
      ].map((path) => `extension/${path}`),
    ];
    expect([...names].sort()).toEqual(expected.sort());
  });

  it('has no empty file', () => {
    expect(zipEntries(archive).filter(({ size }) => size === 0)).toEqual([]);
  });
});
