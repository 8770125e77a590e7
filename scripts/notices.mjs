// Writes THIRD_PARTY_NOTICES.md: every package of which code is in a bundle, with its licence. Which packages those are
// is read from esbuild's account of the bundles, so nothing is listed that is not shipped and nothing shipped is left
// out. A package without a licence text, or with a licence that asks for more than being named, ends the script.
//
//   --meta FILE   esbuild's metafile (default dist/meta.json)
//   --check       compares instead of writing
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const target = 'THIRD_PARTY_NOTICES.md';
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** For packages that name their licence and author and forgot the text. */
const standardTexts = {
  ISC: (holder) => `Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.

(The package comes without the text of the licence that it names; this is its standard text.)`,
};

const { values } = parseArgs({
  options: { meta: { type: 'string', default: 'dist/meta.json' }, check: { type: 'boolean', default: false } },
});

/** Folders of the packages that have at least one byte in a bundle. */
function bundledPackages(metafile) {
  const folders = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const at = path.lastIndexOf('node_modules/');
      if (at === -1 || bytesInOutput === 0) continue;
      const [scope, name] = path.slice(at + 'node_modules/'.length).split('/');
      folders.add(`${path.slice(0, at)}node_modules/${scope.startsWith('@') ? `${scope}/${name}` : scope}`);
    }
  }
  return [...folders];
}

/** The SPDX expression; older packages write a list of objects. */
function licenceOf(manifest) {
  if (typeof manifest.license === 'string') return manifest.license;
  const listed = [manifest.license, ...(manifest.licenses ?? [])].map((entry) => entry?.type).filter(Boolean);
  return listed.length > 0 ? listed.join(' OR ') : null;
}

function isPermissive(expression) {
  const plain = expression.replace(/[()]/g, ' ').trim();
  if (/\sOR\s/.test(plain)) return plain.split(/\sOR\s/).some(isPermissive);
  return plain.split(/\sAND\s/).every((id) => permissive.has(id.trim()));
}

async function textsOf(folder) {
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  return Promise.all(
    names.map(async (name) => (await readFile(join(folder, name), 'utf8')).replace(/\r\n/g, '\n').trim()),
  );
}

const problems = [];
const sections = new Map();
for (const folder of bundledPackages(JSON.parse(await readFile(values.meta, 'utf8')))) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const title = `${manifest.name} ${manifest.version}`;
  const licence = licenceOf(manifest);
  const texts = await textsOf(folder);
  if (licence === null) problems.push(`${title} names no licence`);
  else if (!isPermissive(licence))
    problems.push(`${title} is under ${licence}, which is not on the list of permissive licences`);
  if (texts.length === 0) {
    const holder = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
    const standard = holder === undefined ? undefined : standardTexts[licence];
    if (standard === undefined) problems.push(`${title} comes without the text of its licence`);
    else texts.push(standard(holder));
  }
  const fence = texts.some((text) => text.includes('```')) ? '````' : '```';
  sections.set(
    title,
    `## ${title}\n\nLicence: ${licence}\n\n${texts.map((text) => `${fence}text\n${text}\n${fence}`).join('\n\n')}\n`,
  );
}
if (problems.length > 0) {
  for (const problem of problems) console.error(`notices: ${problem}`);
  process.exit(1);
}

const head = `# Third-party notices

Taskwright's bundles contain code of the packages below. This file is made by \`scripts/notices.mjs\` from the bundles
themselves; do not edit it.
`;
const text = `${head}\n${[...sections.keys()]
  .sort()
  .map((title) => sections.get(title))
  .join('\n')}`;
if (values.check) {
  if ((await readFile(target, 'utf8').catch(() => '')) !== text) {
    console.error(`notices: ${target} does not fit the bundles; run \`npm run notices\` and commit the result.`);
    process.exit(1);
  }
} else await writeFile(target, text);
