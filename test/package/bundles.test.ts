import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './sources';

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly bytes: number; readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }
    >
  >;
}

// A build of its own, so that what is judged is this tree and not an older dist/.
describe('bundles', () => {
  let dir: string;
  let meta: Metafile;

  beforeAll(() => {
    mkdirSync(join(root, 'out/test'), { recursive: true });
    dir = mkdtempSync(join(root, 'out/test/bundles-'));
    execFileSync(process.execPath, ['scripts/build.mjs', '--outdir', relative(root, dir)], { cwd: root });
    meta = JSON.parse(readFileSync(join(dir, 'meta.json'), 'utf8')) as Metafile;
  });
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  function bundle(name: string): { bytes: number; inputs: readonly string[] } {
    const output = meta.outputs[`${relative(root, dir)}/${name}.js`];
    if (output === undefined) throw new Error(`there is no bundle ${name}.js`);
    const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    return { bytes: output.bytes, inputs: inputs.map(([path]) => path) };
  }

  it('keep extension.js under 200 KB', () => {
    expect(bundle('extension').bytes).toBeLessThan(200_000);
  });

  it.each([
    ['extension', 'src/host/extension.ts'],
    ['reader', 'src/host/reader.ts'],
    ['client', 'src/host/language/client.ts'],
  ])('keep the engine, the command line and the Docker library out of %s.js', (name, entry) => {
    const { inputs } = bundle(name);
    expect(inputs).toContain(entry);
    const foreign =
      /^src\/(engine|cli|language|webview)\/|node_modules\/(dockerode|docker-modem|ssh2|commander|protobufjs)\//;
    expect(inputs.filter((path) => foreign.test(path))).toEqual([]);
  });

  it('keep the reader of tasks, which the first task loads, out of extension.js', () => {
    expect(bundle('extension').inputs.filter((path) => /toml-eslint-parser|\/core\/rules\//.test(path))).toEqual([]);
  });

  it("keep the language client's library, which the first task loads, out of extension.js", () => {
    expect(bundle('client').inputs.some((path) => path.includes('node_modules/vscode-languageclient/'))).toBe(true);
    expect(bundle('extension').inputs.filter((path) => path.includes('node_modules/vscode-'))).toEqual([]);
  });

  it('have the language service in server.js, and nothing of the editor or the engine', () => {
    const { inputs } = bundle('server');
    expect(inputs).toContain('src/language/main.ts');
    expect(inputs.filter((path) => /^src\/(host|engine|cli|webview)\/|node_modules\/dockerode\//.test(path))).toEqual(
      [],
    );
  });

  it('have the engine and the Docker library in cli.js and nothing of the editor', () => {
    const { inputs } = bundle('cli');
    expect(inputs).toContain('src/cli/main.ts');
    expect(inputs.some((path) => path.startsWith('src/engine/docker/'))).toBe(true);
    expect(inputs.filter((path) => /^src\/(host|webview)\//.test(path))).toEqual([]);
    // What `npm link` puts on the PATH is started by its first line.
    expect(readFileSync(join(dir, 'cli.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('make core.js of the core alone', () => {
    const { inputs } = bundle('core');
    expect(inputs).toContain('src/core/index.ts');
    expect(inputs.filter((path) => path.startsWith('src/') && !path.startsWith('src/core/'))).toEqual([]);
  });

  it('agree with THIRD_PARTY_NOTICES.md', () => {
    const arguments_ = ['scripts/notices.mjs', '--check', '--meta', join(relative(root, dir), 'meta.json')];
    execFileSync(process.execPath, arguments_, { cwd: root, stdio: 'pipe' });
  });
});
