// Writes the ids of all rules into the setting `taskwright.rules` of package.json, so that the editor knows them. Takes
// the rules from dist/core.js, so build first.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const file = path.join(root, 'package.json');
const { rules } = createRequire(import.meta.url)(path.join(root, 'dist', 'core.js'));

const manifest = JSON.parse(await readFile(file, 'utf8'));
manifest.contributes.configuration.properties['taskwright.rules'].propertyNames = { enum: rules.map(({ id }) => id) };
const options = { ...(await resolveConfig(file)), filepath: file };
await writeFile(file, await format(JSON.stringify(manifest, null, 2), options));
