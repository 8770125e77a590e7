// Builds every bundle into dist/ and writes esbuild's account of what went into each (dist/meta.json), which the
// package tests read to enforce budgets and directions. Options: --watch, --outdir DIR (default dist).
import { context, build } from 'esbuild';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

const {
  values: { watch, outdir },
} = parseArgs({ options: { watch: { type: 'boolean', default: false }, outdir: { type: 'string', default: 'dist' } } });

const { resolve } = createRequire(import.meta.url);

/** Bundle name → entry point. A surface appears here with its first feature. */
const entries = {
  extension: 'src/host/extension.ts',
  reader: 'src/host/reader.ts',
  client: 'src/host/language/client.ts',
  server: 'src/language/main.ts',
  cli: 'src/cli/main.ts',
  'check-worker': 'src/cli/findings/check-worker.ts',
  core: 'src/core/index.ts',
};

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  outdir,
  minify: !watch,
  keepNames: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // Optional native parts of the ssh client below dockerode: it falls back to JavaScript without them.
  external: ['vscode', 'cpu-features', './crypto/build/Release/sshcrypto.node'],
  loader: { '.node': 'empty' },
  // Its ES module finds its own place by `import.meta`, which a CommonJS bundle does not have.
  alias: { 'web-tree-sitter': resolve('web-tree-sitter') },
};

/** The parsers of shell and Python: WebAssembly, read at run time. */
const grammars = [
  'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-bash/tree-sitter-bash.wasm',
  'tree-sitter-python/tree-sitter-python.wasm',
];

if (!watch) await rm(outdir, { recursive: true, force: true });
await mkdir(path.join(outdir, 'grammars'), { recursive: true });
for (const file of grammars) await copyFile(resolve(file), path.join(outdir, 'grammars', path.basename(file)));
const entryPoints = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));
if (watch) {
  const running = await context({ ...common, entryPoints, sourcemap: true });
  await running.watch();
} else {
  // Keeping the names of functions costs a call wherever one is made, which is felt where rules run for every task.
  const busy = ['server', 'check-worker'];
  const isBusy = ([name]) => busy.includes(name);
  const all = Object.entries(entryPoints);
  const results = await Promise.all([
    build({ ...common, entryPoints: Object.fromEntries(all.filter((entry) => !isBusy(entry))) }),
    build({ ...common, entryPoints: Object.fromEntries(all.filter(isBusy)), keepNames: false }),
  ]);
  const metafile = {
    inputs: Object.assign({}, ...results.map((result) => result.metafile.inputs)),
    outputs: Object.assign({}, ...results.map((result) => result.metafile.outputs)),
  };
  await writeFile(`${outdir}/meta.json`, JSON.stringify(metafile));
}
