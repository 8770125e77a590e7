// The same suites in a desktop VS Code, for contributors who have one or can fetch one: `npm run test:electron`. It
// needs a display (on Linux for instance xvfb-run), a Docker engine and the base image. TASKWRIGHT_VSCODE names an
// installed VS Code's program; without it the current release is fetched into .vscode-test.
import { runTests } from '@vscode/test-electron';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSuites, bundleOf, prepareFolder, suiteEnvironment, suites } from './host-suites.mjs';
import { root } from './rig.mjs';

const program = process.env.TASKWRIGHT_VSCODE;
const work = await mkdtemp(join(tmpdir(), 'taskwright-electron-'));
let passed = 0;
let failed = 0;

const fail = (suite, name, failure) => {
  failed++;
  console.log(`✗ ${suite}: ${name}\n${failure.replace(/^/gm, '    ')}`);
};

try {
  await buildSuites();
  for (const suite of suites) {
    const folder = await prepareFolder(suite, work);
    const file = join(work, `${suite.name}.json`);
    const trust = suite.trust === true ? [] : ['--disable-workspace-trust'];
    const own = ['--user-data-dir', join(work, `data-${suite.name}`), '--extensions-dir', join(work, 'extensions')];
    const ended = await runTests({
      ...(program === undefined ? {} : { vscodeExecutablePath: program }),
      extensionDevelopmentPath: root,
      extensionTestsPath: bundleOf(suite),
      extensionTestsEnv: suiteEnvironment(file),
      launchArgs: [...(folder === null ? [] : [folder]), ...trust, ...own],
    }).then(
      () => null,
      (error) => error,
    );
    if (!existsSync(file)) {
      fail(suite.name, 'the suite runs', String(ended ?? 'it left no results'));
      continue;
    }
    for (const { name, failure } of JSON.parse(await readFile(file, 'utf8')).outcomes) {
      if (failure !== null) fail(suite.name, name, failure);
      else {
        passed++;
        console.log(`✓ ${suite.name}: ${name}`);
      }
    }
  }
} finally {
  await rm(work, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
