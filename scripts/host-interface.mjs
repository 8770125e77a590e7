// The interface as a person uses it: rows, buttons and texts in the page of a real VS Code, with pictures of each state
// in out/screenshots.
import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataset, endlessTask, leakyTask, singleTask } from './host-workspaces.mjs';
import { openWindow, root, serverCommand, startServer } from './rig.mjs';

const run = promisify(execFile);
const pictures = join(root, 'out', 'screenshots');

/** Opens the Taskwright container and waits for its first view. */
export async function openTasks(page) {
  await page.locator('.activitybar a[aria-label^="Taskwright"]').first().click();
  await page.locator('.pane-header[aria-label*="Tasks"], .composite.title:has-text("Taskwright")').first().waitFor();
}

export const rowOf = (page, text) => page.locator('.sidebar .monaco-list-row', { hasText: text });

/** A row of the Test Explorer by the beginning of its label. */
export const testRow = (page, label) =>
  page.locator('.test-explorer .monaco-list-row', { hasText: new RegExp(`^${label}`) }).first();

export async function expand(row) {
  await row.waitFor();
  // A click on a row that is just drawn anew is lost, as it would be for a person.
  for (let tries = 0; tries < 20; tries++) {
    if ((await row.getAttribute('aria-expanded')) === 'true') return;
    await row.locator('.monaco-tl-twistie').click();
    await row.page().waitForTimeout(300);
  }
  throw new Error('The row does not open.');
}

/** Clicks a button that a row shows only while the pointer is on it. */
export async function clickInline(row, title) {
  // A row that is drawn anew under a resting pointer hides its buttons until the pointer moves again.
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      await row.page().mouse.move(1, 1);
      await row.hover();
      await row.locator(`.actions .action-label[aria-label^="${title}"]`).click({ timeout: 2_000 });
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

async function withTheme(folder, theme, settings = {}) {
  await mkdir(join(folder, '.vscode'), { recursive: true });
  const all = { 'workbench.colorTheme': theme, ...settings };
  await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(all));
  return folder;
}

async function picture(page, name) {
  // Nothing of the pointer or a tooltip in the picture.
  await page.mouse.move(5, page.viewportSize().height - 40);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Waits until no container of a task is left. */
async function noContainers(page, name) {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const left = (await run('docker', ['ps', '-aq', '--filter', `name=${name}`])).stdout.trim();
    if (left === '') return;
    if (performance.now() > deadline) throw new Error(`a container is left: ${left}`);
    await page.waitForTimeout(200);
  }
}

export async function interfaceTests(browser, work, extension, report) {
  const open = (server, options) => openWindow(browser, server, { extension, ...options });
  const check = async (name, run) => {
    const started = performance.now();
    try {
      await run();
      report('interface', name, null, performance.now() - started);
    } catch (error) {
      for (const context of browser.contexts())
        for (const page of context.pages())
          await page
            .screenshot({ path: join(pictures, `failed-${name.replace(/\W+/g, '-')}.png`) })
            .catch(() => undefined);
      report('interface', name, String(error.stack ?? error), performance.now() - started);
    } finally {
      for (const context of browser.contexts()) await context.close();
    }
  };
  const folder = (name) => mkdtemp(join(work, `${name}-`));

  const server = await startServer();
  try {
    await check('without a folder, the view offers to open one', async () => {
      const page = await open(server, {});
      await openTasks(page);
      await page.getByRole('button', { name: 'Open Folder' }).last().waitFor();
      await picture(page, 'no-folder');
    });

    await check('without a task, the view offers to create one, and the new task is shown', async () => {
      const page = await open(server, { folder: await folder('empty') });
      await openTasks(page);
      const create = page.getByRole('button', { name: 'Create a Task' });
      await create.waitFor();
      await picture(page, 'no-task');
      await create.click();
      const input = page.locator('.quick-input-widget input');
      await input.fill('tasks/first-task');
      await picture(page, 'create-task');
      await input.press('Enter');
      await rowOf(page, 'first-task').first().waitFor();
      await page.locator('.tab', { hasText: 'instruction.md' }).waitFor();
      await picture(page, 'created-task');
    });

    await check('the Run button of a task runs its gates and shows the verdicts', async () => {
      const dir = await withTheme(await folder('run'), 'Default Light Modern');
      await singleTask(dir, 'order-totals');
      const page = await open(server, { folder: dir });
      await openTasks(page);
      const row = rowOf(page, 'order-totals').first();
      await row.waitFor();
      await picture(page, 'tasks-not-run-light');
      await clickInline(row, 'Run Gates');
      await page.locator('.statusbar-item', { hasText: /Gate 1 of 3/ }).waitFor();
      await rowOf(page, /verifier at work|agent at work|building the image/)
        .first()
        .waitFor({ timeout: 60_000 });
      await picture(page, 'tasks-running-light');
      await rowOf(page, 'all gates passed').waitFor({ timeout: 120_000 });
      await rowOf(page, /^Oracle.*passed · reward 1/).waitFor();
      await picture(page, 'tasks-passed-light');
      await rowOf(page, /Cheats.*resisted/)
        .locator('.monaco-tl-twistie')
        .click();
      await rowOf(page, 'reward-json').waitFor();
      await picture(page, 'tasks-cheats-light');
    });

    await check('the Stop button stops', async () => {
      const name = `endless-${randomBytes(4).toString('hex')}`;
      const dir = await endlessTask(await folder('stop'), name);
      const page = await open(server, { folder: dir });
      await openTasks(page);
      await clickInline(rowOf(page, 'Oracle').first(), 'Run Oracle');
      await rowOf(page, /^Oracle.*agent at work/).waitFor({ timeout: 90_000 });
      await picture(page, 'tasks-stop-light');
      await clickInline(rowOf(page, name).first(), 'Stop');
      await rowOf(page, /^Oracle.*not run yet/).waitFor({ timeout: 1_500 });
      await noContainers(page, name);
    });

    await check('a window that is reloaded in the middle of a run leaves no container', async () => {
      const name = `endless-${randomBytes(4).toString('hex')}`;
      const page = await open(server, { folder: await endlessTask(await folder('reload'), name) });
      await openTasks(page);
      await clickInline(rowOf(page, 'Oracle').first(), 'Run Oracle');
      await rowOf(page, /^Oracle.*agent at work/).waitFor({ timeout: 90_000 });
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').fill('>Developer: Reload Window');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Reload Window' }).first().waitFor();
      await page.keyboard.press('Enter');
      await noContainers(page, name);
      await rowOf(page, /^Oracle.*not run yet/).waitFor();
    });

    for (const [theme, name] of [
      ['Default Dark Modern', 'dark'],
      ['Default High Contrast', 'high-contrast'],
      ['Default High Contrast Light', 'high-contrast-light'],
    ]) {
      await check(`the view is drawn in the theme ${theme}`, async () => {
        const dir = await withTheme(await dataset(await folder(name)), theme);
        await leakyTask(join(dir, 'tasks'));
        const page = await open(server, {
          folder: dir,
          ...(name === 'dark' ? {} : { viewport: { width: 820, height: 760 } }),
        });
        await openTasks(page);
        const row = rowOf(page, 'leaky').first();
        await row.waitFor();
        await row.click();
        await expand(row);
        await clickInline(rowOf(page, 'Cheats').first(), 'Run Cheats');
        await rowOf(page, /Cheats.*failed/)
          .first()
          .waitFor({ timeout: 180_000 });
        await clickInline(rowOf(page, 'wrong').first(), 'Run Gates');
        await rowOf(page, /wrong.*Oracle failed/)
          .first()
          .waitFor({ timeout: 120_000 });
        await picture(page, `tasks-${name}`);
        if (name !== 'dark') return;
        await page.locator('.activitybar a[aria-label^="Testing"]').first().click();
        for (const label of ['tasks', 'leaky', 'Cheats']) await expand(testRow(page, label));
        await testRow(page, 'reward-json').waitFor();
        await picture(page, `tests-${name}`);
        await testRow(page, 'reward-json').click();
        await page.locator('.zone-widget', { hasText: 'Wanted: reward 0' }).first().waitFor();
        await picture(page, `tests-message-${name}`);
      });
    }

    await check('with no engine, the view says so and offers what to do', async () => {
      const dir = await withTheme(await folder('engine'), 'Default Light Modern', {
        'taskwright.docker.host': `unix://${join(work, 'nowhere.sock')}`,
      });
      await singleTask(dir);
      const page = await open(server, { folder: dir });
      await openTasks(page);
      await clickInline(rowOf(page, 'Oracle').first(), 'Run Oracle');
      const again = page.getByRole('button', { name: 'Try Again' });
      await again.waitFor();
      for (const title of ['Choose Engine', 'Show Log'])
        await page.getByRole('button', { name: title }).first().waitFor();
      await picture(page, 'no-docker');
      await again.click();
      // The smoke test driver, which the rig needs, keeps notifications from popping up.
      await page.locator('#status\\.notifications a').click();
      await page.locator('.notifications-center', { hasText: 'nowhere.sock' }).waitFor();
    });
  } finally {
    await server.close();
  }

  const guarded = await startServer({ trust: true });
  try {
    await check('an untrusted folder shows its tasks and offers to manage trust', async () => {
      const dir = await singleTask(await folder('untrusted'));
      const page = await open(guarded, { folder: dir });
      await openTasks(page);
      await rowOf(page, 'order-totals').first().waitFor();
      await page.getByRole('button', { name: 'Manage Trust' }).first().waitFor();
      await picture(page, 'untrusted');
    });
  } finally {
    await guarded.close();
  }

  // What is shipped, not what is here: packed, installed as a person does, and used.
  const dataDir = await mkdtemp(join(work, 'installed-'));
  const vsix = join(work, 'taskwright.vsix');
  let installed = null;
  try {
    await check('the packed extension installs, wakes up and runs a gate', async () => {
      await run(process.execPath, ['scripts/package.mjs', '--out', vsix], { cwd: root });
      const { code, output } = await serverCommand(dataDir, ['--install-extension', vsix]);
      if (code !== 0 || !/successfully installed/.test(output))
        throw new Error(`installing ended with ${code}: ${output}`);
      installed = await startServer({ dataDir });
      const page = await open(installed, {
        folder: await singleTask(await folder('shipped')),
        extension: null,
      });
      await openTasks(page);
      await clickInline(rowOf(page, 'order-totals').first(), 'Run Gates');
      await rowOf(page, 'all gates passed').waitFor({ timeout: 120_000 });
      await picture(page, 'installed');
    });
  } finally {
    if (installed !== null) await installed.close();
  }
}
