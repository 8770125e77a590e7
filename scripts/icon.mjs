// Draws media/icon.png, the picture that marketplaces show, from media/icon.svg: `node scripts/icon.mjs`.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, startBrowser } from './rig.mjs';

const size = 256;
const svg = await readFile(join(root, 'media', 'icon.svg'), 'utf8');
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>*{margin:0;background:transparent}svg{width:${size}px;height:${size}px;display:block}</style>${svg}`,
  );
  await writeFile(join(root, 'media', 'icon.png'), await page.screenshot({ omitBackground: true, type: 'png' }));
} finally {
  await browser.close();
}
