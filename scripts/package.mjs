// Makes out/taskwright.vsix: builds the bundles, brings the third-party notices up to date and packs what .vscodeignore
// lets in. Dependencies are bundled, so none is packed. Option: --out FILE.
import { createVSIX } from '@vscode/vsce';
import { execFileSync } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'out/taskwright.vsix' } } });

for (const script of ['scripts/build.mjs', 'scripts/notices.mjs']) {
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
await mkdir(dirname(values.out), { recursive: true });
await createVSIX({
  packagePath: values.out,
  dependencies: false,
  // The README's links stay relative: there is no public address to rewrite them to.
  rewriteRelativeLinks: false,
  allowMissingRepository: true,
});
console.log(`${values.out}: ${((await stat(values.out)).size / 1e6).toFixed(2)} MB`);
