// The suites that run inside an extension host, whichever VS Code provides it.
import { build } from 'esbuild';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dataset, endlessTask, flawedDataset, singleTask, twoFolders } from './host-workspaces.mjs';
import { root } from './rig.mjs';

const bundles = join(root, 'out', 'test-host');

/**
 * `fill`: makes what the window's folder holds, and may name a workspace file to open in its place; null is a window
 * without a folder. `trust`: whether workspace trust is
 * asked for, so that the folder opens untrusted. `settings`: of the folder.
 */
export const suites = [
  { name: 'no-folder', fill: null },
  { name: 'no-task', fill: async () => undefined },
  { name: 'untrusted', fill: singleTask, trust: true },
  {
    name: 'no-docker',
    fill: singleTask,
    settings: (dir) => ({ 'taskwright.docker.host': `unix://${join(dir, 'nowhere.sock')}` }),
  },
  { name: 'cancel', fill: (dir) => endlessTask(dir, `endless-${randomBytes(4).toString('hex')}`) },
  { name: 'language', fill: singleTask },
  { name: 'findings', fill: flawedDataset },
  { name: 'tasks', fill: dataset },
  { name: 'two-folders', fill: twoFolders },
];

export const bundleOf = (suite) => join(bundles, `${suite.name}.js`);

export async function buildSuites() {
  const folder = join(root, 'test', 'host');
  await rm(bundles, { recursive: true, force: true });
  const files = (await readdir(folder)).filter((name) => name.endsWith('.host.ts'));
  await build({
    entryPoints: Object.fromEntries(files.map((name) => [basename(name, '.host.ts'), join(folder, name)])),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
    outdir: bundles,
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/** Makes the folder of a suite below `work`; null for a window without one. */
export async function prepareFolder(suite, work) {
  if (suite.fill === null) return null;
  const folder = await mkdtemp(join(work, `${suite.name}-`));
  const opened = await suite.fill(folder);
  if (suite.settings !== undefined) {
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(suite.settings(work)));
  }
  return opened?.endsWith('.code-workspace') === true ? opened : folder;
}

/** The extension as it was built, in a place of its own: a build meanwhile would take it away from under a window. */
export async function copyExtension(work) {
  const copy = join(work, 'extension');
  for (const part of ['dist', 'media', 'syntaxes', 'package.json', 'package.nls.json'])
    await cp(join(root, part), join(copy, part), { recursive: true });
  await cp(join(root, 'docs', 'rules'), join(copy, 'docs', 'rules'), { recursive: true });
  return copy;
}

/** What the suites find in their environment. */
export const suiteEnvironment = (resultsFile) => ({
  TASKWRIGHT_HOST_RESULTS: resultsFile,
  TASKWRIGHT_REPOSITORY: root,
});
