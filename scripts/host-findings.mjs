// Findings as a person meets them: the tree, the Problems panel, the lens and the pages of rules in a real VS Code, with
// pictures in out/screenshots.
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clickInline, expand, openTasks, rowOf } from './host-interface.mjs';
import { flawedDataset } from './host-workspaces.mjs';
import { openWindow, root, startServer } from './rig.mjs';

const pictures = join(root, 'out', 'screenshots');

async function picture(page, name) {
  await page.mouse.move(5, page.viewportSize().height - 40);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(pictures, `findings-${name}.png`) });
}

/** Runs a command by its title, as a person would. */
async function command(page, title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${title}`);
  await page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first().click();
}

/** The process of the language server of a window that runs this copy of the extension; null when there is none. */
async function languageServer(extension) {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(join(extension, 'dist', 'server.js'))) return Number(name);
  }
  return null;
}

/** A side bar as wide as one would have it. */
export async function widen(page, width) {
  for (const handle of await page.locator('.monaco-sash.vertical:not(.disabled)').all()) {
    const box = await handle.boundingBox();
    if (box === null || box.x < 250 || box.x > 450) continue;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(width, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    return;
  }
}

export async function findingsTests(browser, work, extension, report) {
  const server = await startServer();
  const check = async (name, theme, options, run) => {
    const started = performance.now();
    const dir = await flawedDataset(await mkdtemp(join(work, 'findings-')));
    await mkdir(join(dir, '.vscode'));
    const settings = { 'workbench.colorTheme': theme, 'editor.minimap.enabled': false };
    await writeFile(join(dir, '.vscode', 'settings.json'), JSON.stringify(settings));
    const page = await openWindow(browser, server, { extension, folder: dir, ...options });
    try {
      await openTasks(page);
      await expand(rowOf(page, /^flawed/).first());
      await rowOf(page, /^Findings1 error/)
        .first()
        .waitFor({ timeout: 60_000 });
      await expand(rowOf(page, /^Findings1 error/).first());
      await run(page, dir);
      report('findings page', name, null, performance.now() - started);
    } catch (error) {
      await page
        .screenshot({ path: join(pictures, `failed-findings-${name.replace(/\W+/g, '-')}.png`) })
        .catch(() => undefined);
      report('findings page', name, String(error.stack ?? error), performance.now() - started);
    } finally {
      await page.context().close();
    }
  };
  try {
    await check('the tree, the lens and the Problems panel', 'Default Light Modern', {}, async (page, dir) => {
      await widen(page, 470);
      await expand(rowOf(page, /^Tamper resistance/).first());
      await rowOf(page, /Harbor does not know cpuz/)
        .first()
        .click();
      await page.locator('.codelens-decoration', { hasText: 'Run Gates' }).first().waitFor();
      await page
        .locator('.codelens-decoration', { hasText: /findings/ })
        .first()
        .waitFor();
      await command(page, 'Taskwright: Check All Tasks');
      await page.locator('.markers-panel .monaco-list-row').first().waitFor();
      await picture(page, 'light');

      // The link of a diagnostic opens the page of its rule, as it reads.
      const link = page.locator('.markers-panel a', { hasText: 'config-unknown-key' }).first();
      await link.click({ modifiers: ['Control'] });
      await page.locator('.tab', { hasText: 'Preview config-unknown-key.md' }).waitFor({ timeout: 15_000 });
      await page.locator('iframe.webview.ready').first().waitFor();
      await page.waitForTimeout(2_000);
      await picture(page, 'rule-page');

      await clickInline(rowOf(page, /^memory is an old spelling/).first(), 'Fix');
      await rowOf(page, /^memory is an old spelling/).waitFor({ state: 'detached', timeout: 15_000 });
      await picture(page, 'fixed');

      const row = rowOf(page, /has no answers\.csv/).first();
      await row.click({ button: 'right' });
      await page.locator('.context-view .action-label', { hasText: 'Allow Here' }).first().waitFor();
      await picture(page, 'menu');
      await page.locator('.context-view .action-label', { hasText: 'Allow Here' }).first().click();
      const input = page.locator('.quick-input-widget input');
      await input.fill('The file is made "later"');
      await picture(page, 'allow');
      await input.press('Enter');
      await row.waitFor({ state: 'detached', timeout: 15_000 });
      await command(page, 'File: Save All');
      const texts = async () =>
        (
          await Promise.all(
            [join(dir, 'tasks', 'flawed', 'environment', 'Dockerfile'), join(dir, 'taskwright.toml')].map((file) =>
              readFile(file, 'utf8').catch(() => ''),
            ),
          )
        ).join('\n');
      for (let tries = 0; !(await texts()).includes('The file is made'); tries++) {
        if (tries > 50) throw new Error(`the reason is nowhere:\n${await texts()}`);
        await page.waitForTimeout(200);
      }
      await picture(page, 'allowed');
    });

    await check('a reload leaves the tree as it was', 'Default Dark Modern', {}, async (page) => {
      await rowOf(page, /has no answers\.csv/)
        .first()
        .click();
      await page.locator('.tab', { hasText: 'Dockerfile' }).waitFor();
      // A click takes the hover away until the pointer comes back.
      await page.mouse.move(700, 500);
      await page.waitForTimeout(500);
      await rowOf(page, /has no answers\.csv/)
        .first()
        .hover();
      await page.locator('.monaco-hover', { hasText: 'docker-missing-source' }).first().waitFor();
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(pictures, 'findings-hover-dark.png') });
      await page.mouse.move(5, 500);
      await page
        .locator('.statusbar-item[id="status.languageStatus"], .statusbar-item[aria-label*="Editor Language Status"]')
        .first()
        .hover();
      await page.waitForTimeout(800);
      await page.screenshot({ path: join(pictures, 'findings-status-dark.png') });
      await command(page, 'Developer: Reload Window');
      await page.waitForTimeout(1_000);
      await page.locator('.monaco-workbench .part.statusbar').waitFor();
      await rowOf(page, /has no answers\.csv/)
        .first()
        .waitFor({ timeout: 60_000 });
      await picture(page, 'dark');
    });

    await check(
      'a server that has stopped is shown, and restarts with a click',
      'Default Light Modern',
      {},
      async (page) => {
        const restart = page.getByRole('button', { name: 'Restart' }).first();
        let last = null;
        for (let tries = 0; tries < 300 && !(await restart.isVisible()); tries++) {
          const pid = await languageServer(extension);
          // Each server once, when it has answered.
          if (pid !== null && pid !== last) {
            await page.waitForTimeout(500);
            process.kill(pid, 'SIGKILL');
            last = pid;
          }
          await page.waitForTimeout(100);
        }
        await restart.waitFor();
        await rowOf(page, /the language server has stopped/)
          .first()
          .waitFor();
        await picture(page, 'stopped-light');
        await restart.click();
        await restart.waitFor({ state: 'hidden' });
        await rowOf(page, /^Findings1 error, \d+ warnings, \d+ infos, 1 hint$/)
          .first()
          .waitFor();
      },
    );

    for (const [theme, name] of [
      ['Default High Contrast', 'high-contrast'],
      ['Default High Contrast Light', 'high-contrast-light'],
    ]) {
      await check(`narrow, in the theme ${theme}`, theme, { viewport: { width: 760, height: 720 } }, async (page) => {
        await rowOf(page, /Harbor does not know cpuz/)
          .first()
          .click();
        await page
          .locator('.codelens-decoration', { hasText: /findings/ })
          .first()
          .waitFor();
        await picture(page, name);
        if (name !== 'high-contrast') return;
        // As a person without a mouse: the lens's other way, and the panel.
        await command(page, 'Taskwright: Check Task');
        await page.locator('.sidebar .monaco-list-row.focused', { hasText: 'Findings' }).first().waitFor();
        await picture(page, `${name}-checked`);
      });
    }
  } finally {
    await server.close();
  }
}
