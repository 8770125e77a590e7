// Tests of the extension in a real VS Code: suites that run inside the extension host, then the interface as a person
// uses it, with screenshots in out/screenshots. Prints each test, and `N passed, N failed` at the end; the same goes to
// out/test/host.json. `node scripts/test-host.mjs [NAME…]` runs only the suites of these names (`interface`,
// `language-page` and `findings-page` are three).
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findingsTests } from './host-findings.mjs';
import { interfaceTests } from './host-interface.mjs';
import { languageTests } from './host-language.mjs';
import { buildSuites, bundleOf, copyExtension, prepareFolder, suiteEnvironment, suites } from './host-suites.mjs';
import { root, runSuite, startBrowser, startServer } from './rig.mjs';

const only = process.argv.slice(2);
const wanted = (name) => only.length === 0 || only.includes(name);
const screenshots = join(root, 'out', 'screenshots');
/** Milliseconds that `activate()` may take, as the median of all windows of this run. */
const activationLimit = 30;

const unknown = only.filter(
  (name) =>
    !['interface', 'language-page', 'findings-page'].includes(name) && !suites.some((suite) => suite.name === name),
);
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}.`);
  process.exit(2);
}

const work = await mkdtemp(join(tmpdir(), 'taskwright-host-'));
// Stopped early, everything goes as well: the servers have handlers of their own for the process's end.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.on(signal, () => process.exit(code));
process.on('exit', () => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));

const results = [];
const activations = [];

function report(suite, name, failure, ms) {
  results.push({ suite, name, failure, ms });
  const time = ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`;
  console.log(`${failure === null ? '✓' : '✗'} ${suite}: ${name}${time}`);
  if (failure !== null) console.log(failure.replace(/^/gm, '    '));
}

async function inHost(browser, suite) {
  const { name, trust = false } = suite;
  const folder = await prepareFolder(suite, work);
  const file = join(work, `${name}.json`);
  const server = await startServer({ trust, env: suiteEnvironment(file) });
  const printed = [];
  try {
    const { code, page, context } = await runSuite(browser, server, {
      ...(folder === null ? {} : folder.endsWith('.code-workspace') ? { workspace: folder } : { folder }),
      extension,
      tests: bundleOf(suite),
      onLog: (type, args) => printed.push(`${type}: ${JSON.stringify(args)}`),
    });
    if (!existsSync(file)) {
      await page.screenshot({ path: join(screenshots, `failed-${name}.png`) }).catch(() => undefined);
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

if (wanted('interface')) await rm(screenshots, { recursive: true, force: true });
await mkdir(screenshots, { recursive: true });
await mkdir(join(root, 'out', 'test'), { recursive: true });
await buildSuites();
const extension = await copyExtension(work);

const browser = await startBrowser();
try {
  for (const suite of suites) if (wanted(suite.name)) await inHost(browser, suite);
  if (activations.length >= 5) {
    const median = activations.sort((a, b) => a - b)[Math.floor(activations.length / 2)];
    const all = activations.map((ms) => ms.toFixed(1)).join(', ');
    const failure = median < activationLimit ? null : `median ${median.toFixed(1)} ms of ${all}`;
    report('activation', `activate() takes ${median.toFixed(1)} ms (median of ${activations.length}: ${all})`, failure);
  }
  if (wanted('language-page')) await languageTests(browser, work, extension, report);
  if (wanted('findings-page')) await findingsTests(browser, work, extension, report);
  if (wanted('interface')) await interfaceTests(browser, work, extension, report);
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
