import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './sources';

const consumer = `
import { parseTaskConfig, readTask, type Finding, type Task } from 'taskwright/core';
const { valid, findings } = parseTaskConfig('');
const list: readonly Finding[] = findings;
console.log(JSON.stringify([valid, list.length, typeof readTask]));
export type Loaded = Task;
`;
// Declarations of the consumer's own, so that it needs no types of a platform.
const platform =
  'declare const console: { log(text: string): void };\n' + 'interface AbortSignal { readonly aborted: boolean }\n';

// As another package would use it: with the manifest, the bundle and the declarations, and nothing beside them.
describe('taskwright/core', () => {
  let dir: string;
  const run = (args: readonly string[], cwd = root): string =>
    execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' });

  beforeAll(() => {
    mkdirSync(join(root, 'out/test'), { recursive: true });
    dir = mkdtempSync(join(root, 'out/test/consumer-'));
    const installed = join(dir, 'node_modules/taskwright');
    mkdirSync(installed, { recursive: true });
    cpSync(join(root, 'package.json'), join(installed, 'package.json'));
    run(['scripts/build.mjs', '--outdir', join(installed, 'dist')]);
    run(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.core.json', '--outDir', join(installed, 'dist/types')]);
    writeFileSync(join(dir, 'package.json'), '{"type": "commonjs"}');
    writeFileSync(join(dir, 'consumer.ts'), consumer);
    writeFileSync(join(dir, 'platform.d.ts'), platform);
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', lib: ['ES2023'], types: [] };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  });
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('has declarations that need no other package, and does what they say', () => {
    run([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], dir);
    expect(JSON.parse(run(['consumer.js'], dir))).toEqual([true, expect.any(Number), 'function']);
  });
});
