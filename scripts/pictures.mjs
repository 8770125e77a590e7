// Makes the pictures of the README in docs/images, from a real run in a real VS Code: `node scripts/pictures.mjs [NAME…]`,
// where a name is `gates` or `findings`; all without one.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { widen } from './host-findings.mjs';
import { clickInline, expand, openTasks, rowOf, testRow } from './host-interface.mjs';
import { copyTask, flawedDataset, leakyTask } from './host-workspaces.mjs';
import { openWindow, root, startBrowser, startServer } from './rig.mjs';

const images = join(root, 'docs', 'images');
const parent = await mkdtemp(join(tmpdir(), 'taskwright-pictures-'));
const only = process.argv.slice(2);
await mkdir(images, { recursive: true });

async function newFolder(name) {
  const folder = join(parent, name, 'bench');
  await mkdir(join(folder, '.vscode'), { recursive: true });
  await writeFile(
    join(folder, '.vscode', 'settings.json'),
    JSON.stringify({
      'workbench.colorTheme': 'Default Light Modern',
      'editor.minimap.enabled': false,
      'editor.wordWrap': 'on',
      'window.title': '${rootName}',
      'breadcrumbs.enabled': false,
    }),
  );
  return folder;
}

const server = await startServer();
const browser = await startBrowser();

async function picture(page, name) {
  const { height } = page.viewportSize();
  await page.locator('.statusbar-item', { hasText: 'Activating Extensions' }).waitFor({ state: 'hidden' });
  await page.mouse.move(5, height - 40);
  await page.waitForTimeout(800);
  await page.screenshot({
    path: join(images, `${name}.png`),
    clip: { x: 0, y: 36, width: page.viewportSize().width, height: height - 36 },
  });
}

async function gates() {
  const folder = await newFolder('gates');
  await copyTask(join(folder, 'tasks', 'order-totals'), 'order-totals');
  await leakyTask(join(folder, 'tasks'), 'order-totals-naive');
  const page = await openWindow(browser, server, { folder, viewport: { width: 1120, height: 720 }, scale: 2 });
  await openTasks(page);
  const naive = rowOf(page, 'order-totals-naive').first();
  await naive.waitFor();
  await widen(page, 460);
  await clickInline(rowOf(page, /^tasks/).first(), 'Run Gates');
  await rowOf(page, /order-totals-naive.*Cheats failed/).waitFor({ timeout: 240_000 });
  await rowOf(page, /order-totalsall gates passed/).waitFor({ timeout: 240_000 });
  for (const name of [/^order-totalsall/, /^order-totals-naive/]) await expand(rowOf(page, name).first());
  await rowOf(page, /^Instruction/)
    .nth(1)
    .click();
  await page.locator('.tab', { hasText: 'instruction.md' }).waitFor();
  await picture(page, 'tasks-view');

  await page.locator('.activitybar a[aria-label^="Testing"]').first().click();
  for (const label of ['tasks', 'order-totals-naive', 'Cheats']) await expand(testRow(page, label));
  await testRow(page, 'reward-json').click();
  await page.locator('.zone-widget', { hasText: 'Wanted: reward 0' }).first().waitFor();
  await picture(page, 'test-explorer');
}

async function findings() {
  const folder = await flawedDataset(await newFolder('findings'));
  const page = await openWindow(browser, server, { folder, viewport: { width: 1120, height: 720 }, scale: 2 });
  await openTasks(page);
  await widen(page, 460);
  await expand(rowOf(page, /^flawed/).first());
  await rowOf(page, /^Findings1 error/)
    .first()
    .waitFor({ timeout: 60_000 });
  await expand(rowOf(page, /^Findings1 error/).first());
  await expand(rowOf(page, /^Tamper resistance/).first());
  await rowOf(page, /Harbor does not know cpuz/)
    .first()
    .click();
  await page
    .locator('.codelens-decoration', { hasText: /findings/ })
    .first()
    .waitFor();
  await page.keyboard.press('Control+Shift+M');
  await page.locator('.markers-panel .monaco-list-row').first().waitFor();
  await picture(page, 'findings');
}

try {
  for (const make of [gates, findings]) if (only.length === 0 || only.includes(make.name)) await make();
} finally {
  await browser.close();
  await server.close();
  await rm(parent, { recursive: true, force: true, maxRetries: 5 });
}
