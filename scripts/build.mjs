// Builds every bundle into dist/ and writes esbuild's account of what went into each (dist/meta.json), which the
// package tests read to enforce budgets and directions. Options: --watch, --outdir DIR (default dist).
import { context, build } from 'esbuild';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const {
  values: { watch, outdir },
} = parseArgs({ options: { watch: { type: 'boolean', default: false }, outdir: { type: 'string', default: 'dist' } } });

/** Bundle name → entry point. A surface appears here with its first feature. */
const entries = {
  extension: 'src/host/extension.ts',
  reader: 'src/host/reader.ts',
  cli: 'src/cli/main.ts',
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
};

if (!watch) await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
const entryPoints = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));
if (watch) {
  const running = await context({ ...common, entryPoints, sourcemap: true });
  await running.watch();
} else {
  const result = await build({ ...common, entryPoints });
  await writeFile(`${outdir}/meta.json`, JSON.stringify(result.metafile));
}
