// The language service as a person meets it: squiggles, hover, suggestions, fixes and links in the page of a real VS
// Code, with pictures in out/screenshots.
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTask } from './host-workspaces.mjs';
import { openWindow, root, startServer } from './rig.mjs';

const pictures = join(root, 'out', 'screenshots');

async function openFile(page, name) {
  await page.keyboard.press('Control+P');
  const input = page.locator('.quick-input-widget input');
  await input.fill(name);
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: name.split('/').pop() })
    .first()
    .waitFor();
  await input.press('Enter');
  await page.locator('.tab.active', { hasText: name.split('/').pop() }).waitFor();
}

const line = (page, text) => page.locator('.view-line', { hasText: text }).first();

/** A task whose configuration has one wrong value, one old key and one key too many. */
async function flawedTask(dir) {
  const task = await copyTask(join(dir, 'order-totals'), 'order-totals');
  const file = join(task, 'task.toml');
  const text = await readFile(file, 'utf8');
  const flawed = text
    .replace('cpus = 1', 'cpus = "two"')
    .replace('timeout_sec = 60.0\n', '')
    .replace('memory_mb = 512', 'memory = "512M"\nworkdri = "/app"');
  if (flawed === text) throw new Error('the template has changed');
  await writeFile(file, `# See https://example.org/format\n${flawed}`);
  await mkdir(join(dir, '.vscode'), { recursive: true });
  await writeFile(
    join(dir, '.vscode', 'settings.json'),
    JSON.stringify({ 'workbench.colorTheme': 'Default Light Modern', 'editor.hover.delay': 100 }),
  );
  return file;
}

export async function languageTests(browser, work, extension, report) {
  const dir = await mkdtemp(join(work, 'language-page-'));
  const file = await flawedTask(dir);
  const server = await startServer();
  const page = await openWindow(browser, server, { extension, folder: dir });
  const picture = async (name) => {
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(pictures, `language-${name}.png`) });
  };
  const check = async (name, run) => {
    const started = performance.now();
    try {
      await run();
      report('language page', name, null, performance.now() - started);
    } catch (error) {
      await page.screenshot({ path: join(pictures, `failed-language-${name.replace(/\W+/g, '-')}.png`) });
      report('language page', name, String(error.stack ?? error), performance.now() - started);
    }
  };
  try {
    await check('findings are underlined, and listed in the Problems panel', async () => {
      await openFile(page, 'order-totals/task.toml');
      await page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
      await page.keyboard.press('Control+Shift+M');
      await page.locator('.markers-panel .monaco-list-row', { hasText: 'config-unknown-key' }).first().waitFor();
      await picture('problems');
      await page.keyboard.press('Control+J');
      await page.locator('.markers-panel').first().waitFor({ state: 'hidden' });
    });
    await check('a finding says its reason and its rule when one stays on it', async () => {
      await line(page, 'workdri').locator('span', { hasText: 'workdri' }).last().hover();
      await page.locator('.monaco-hover', { hasText: 'config-unknown-key' }).first().waitFor();
      await picture('finding');
      await page.keyboard.press('Escape');
      await page.mouse.move(1, 1);
    });
    await check('keys are explained when one stays on them', async () => {
      await line(page, 'network_mode').locator('span', { hasText: 'network_mode' }).last().hover();
      await page.locator('.monaco-hover', { hasText: 'Network policy' }).first().waitFor();
      await picture('hover');
      await page.keyboard.press('Escape');
      await page.mouse.move(1, 1);
    });
    await check('keys are suggested while typing', async () => {
      await line(page, 'network_mode').click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('do');
      await page.locator('.suggest-widget .monaco-list-row', { hasText: 'docker_image' }).first().waitFor();
      await page.keyboard.press('Control+Space');
      await picture('completion');
      await page.keyboard.press('Escape');
      for (let times = 0; times < 3; times++) await page.keyboard.press('Backspace');
    });
    await check('a quick fix mends the file', async () => {
      await line(page, 'workdri').locator('span', { hasText: 'workdri' }).last().click();
      await page.keyboard.press('Control+.');
      await page.locator('.action-widget .monaco-list-row', { hasText: 'Rename to workdir' }).first().waitFor();
      await picture('fixes');
      await page.keyboard.press('Enter');
      await line(page, 'workdir').waitFor();
      await page.keyboard.press('Control+S');
      const deadline = performance.now() + 10_000;
      while (!(await readFile(file, 'utf8')).includes('workdir = "/app"')) {
        if (performance.now() > deadline) throw new Error('the file on disk is not mended');
        await page.waitForTimeout(100);
      }
      await picture('mended');
    });
    await check('what is in force without being written is shown behind headers and values', async () => {
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace('"two"', '2').replace('memory = "512M"', 'memory_mb = 2048'));
      await page.locator('.view-line', { hasText: 'timeout: 600 s, shared' }).waitFor();
      await picture('hints');
    });
  } finally {
    await page.context().close();
    await server.close();
  }
}
