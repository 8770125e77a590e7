// Tests of the extension in a real VS Code: suites that run inside the extension host, then the interface as a person
// uses it, with screenshots in out/screenshots. Prints each test, and `N passed, N failed` at the end; the same goes to
// out/test/host.json. `node scripts/test-host.mjs [NAME…]` runs only the suites of these names.
import { build } from 'esbuild';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { interfaceTests } from './host-interface.mjs';
import { dataset, endlessTask, singleTask } from './host-workspaces.mjs';
import { root, runSuite, startBrowser, startServer } from './rig.mjs';

const only = process.argv.slice(2);
const wanted = (name) => only.length === 0 || only.includes(name);
const suites = join(root, 'test', 'host');
const bundles = join(root, 'out', 'test-host');
/** Milliseconds that `activate()` may take, as the median of all windows of this run. */
const activationLimit = 30;

const work = await mkdtemp(join(tmpdir(), 'taskwright-host-'));
const results = [];
const activations = [];

function report(suite, name, failure, ms) {
  results.push({ suite, name, failure, ms });
  const time = ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`;
  console.log(`${failure === null ? '✓' : '✗'} ${suite}: ${name}${time}`);
  if (failure !== null) console.log(failure.replace(/^/gm, '    '));
}

async function inHost(browser, name, { makeFolder, settings, trust = false }) {
  if (!wanted(name)) return;
  const folder = makeFolder === null ? undefined : await mkdtemp(join(work, `${name}-`));
  if (folder !== undefined) await makeFolder(folder);
  if (settings !== undefined) {
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
  }
  const file = join(work, `${name}.json`);
  const server = await startServer({ trust, env: { TASKWRIGHT_HOST_RESULTS: file, TASKWRIGHT_REPOSITORY: root } });
  const printed = [];
  try {
    const { code, page, context } = await runSuite(browser, server, {
      folder,
      tests: join(bundles, `${name}.js`),
      onLog: (type, args) => printed.push(`${type}: ${JSON.stringify(args)}`),
    });
    if (!existsSync(file)) {
      await page.screenshot({ path: join(root, 'out', 'screenshots', `failed-${name}.png`) }).catch(() => undefined);
      const said = [`ended with ${code}`, ...printed.slice(-20), server.log().slice(-2_000)].join('\n');
      report(name, 'the suite runs', said);
      return;
    }
    await context.close();
    const { outcomes, facts } = JSON.parse(await readFile(file, 'utf8'));
    for (const { name: test, failure, ms } of outcomes) report(name, test, failure, ms);
    if (typeof facts.activationMs === 'number') activations.push(facts.activationMs);
  } catch (error) {
    report(name, 'the suite runs', String(error.stack ?? error));
  } finally {
    await server.close();
  }
}

await rm(bundles, { recursive: true, force: true });
await mkdir(join(root, 'out', 'screenshots'), { recursive: true });
await mkdir(join(root, 'out', 'test'), { recursive: true });
const entryPoints = (await readdir(suites))
  .filter((name) => name.endsWith('.host.ts'))
  .map((name) => join(suites, name));
await build({
  entryPoints: Object.fromEntries(entryPoints.map((path) => [basename(path, '.host.ts'), path])),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  outdir: bundles,
  sourcemap: 'inline',
  logLevel: 'warning',
});

const browser = await startBrowser();
try {
  await inHost(browser, 'no-folder', { makeFolder: null });
  await inHost(browser, 'no-task', { makeFolder: async () => undefined });
  await inHost(browser, 'untrusted', { makeFolder: singleTask, trust: true });
  await inHost(browser, 'no-docker', {
    makeFolder: singleTask,
    settings: { 'taskwright.docker.host': `unix://${join(work, 'nowhere.sock')}` },
  });
  await inHost(browser, 'cancel', {
    makeFolder: (dir) => endlessTask(dir, `endless-${randomBytes(4).toString('hex')}`),
  });
  await inHost(browser, 'tasks', { makeFolder: dataset });
  if (activations.length >= 5) {
    const median = activations.sort((a, b) => a - b)[Math.floor(activations.length / 2)];
    const all = activations.map((ms) => ms.toFixed(1)).join(', ');
    const failure = median < activationLimit ? null : `median ${median.toFixed(1)} ms of ${all}`;
    report('activation', `activate() takes ${median.toFixed(1)} ms (median of ${activations.length}: ${all})`, failure);
  }
  if (wanted('interface')) await interfaceTests(browser, work, report);
} finally {
  await browser.close();
  await rm(work, { recursive: true, force: true, maxRetries: 5 });
}

const failed = results.filter(({ failure }) => failure !== null).length;
await writeFile(
  join(root, 'out', 'test', 'host.json'),
  JSON.stringify({ passed: results.length - failed, failed, results, activations }, null, 2),
);
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
