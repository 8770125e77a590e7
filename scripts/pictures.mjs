// Makes the pictures of the README in docs/images, from a real run in a real VS Code: `node scripts/pictures.mjs`.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clickInline, expand, openTasks, rowOf, testRow } from './host-interface.mjs';
import { copyTask, leakyTask } from './host-workspaces.mjs';
import { openWindow, root, startBrowser, startServer } from './rig.mjs';

const images = join(root, 'docs', 'images');
const parent = await mkdtemp(join(tmpdir(), 'taskwright-pictures-'));
const folder = join(parent, 'bench');
await mkdir(join(folder, '.vscode'), { recursive: true });
await mkdir(images, { recursive: true });
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
await copyTask(join(folder, 'tasks', 'order-totals'), 'order-totals');
await leakyTask(join(folder, 'tasks'), 'order-totals-naive');

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

try {
  const page = await openWindow(browser, server, { folder, viewport: { width: 1120, height: 720 }, scale: 2 });
  await openTasks(page);
  const naive = rowOf(page, 'order-totals-naive').first();
  await naive.waitFor();
  // A wider side bar, as one would have it.
  for (const handle of await page.locator('.monaco-sash.vertical:not(.disabled)').all()) {
    const box = await handle.boundingBox();
    if (box === null || box.x < 250 || box.x > 450) continue;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(460, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    break;
  }
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
} finally {
  await browser.close();
  await server.close();
  await rm(parent, { recursive: true, force: true, maxRetries: 5 });
}
