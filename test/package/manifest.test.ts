import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rules } from '../../src/core/rules/catalogue';
import { profileNames } from '../../src/core/rules/profile';
import { registeredCommands } from './fake-vscode';
import { root, sourceTexts } from './sources';

interface Manifest {
  readonly engines: { readonly vscode: string };
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const manifest = read('package.json') as Manifest;
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const { contributes } = manifest;
const commands = contributes.commands.map(({ command }) => command);

/** The text of every source of the extension itself. */
const hostText = [...sourceTexts()].flatMap(([path, text]) => (path.startsWith('src/host/') ? [text] : [])).join('\n');

describe('the manifest', () => {
  let dir: string;
  beforeAll(() => {
    mkdirSync(join(root, 'out/test'), { recursive: true });
    dir = mkdtempSync(join(root, 'out/test/manifest-'));
    execFileSync(process.execPath, ['scripts/build.mjs', '--outdir', relative(root, dir)], { cwd: root });
  });
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('names every command that is registered, and no other', async () => {
    const registered = await registeredCommands(join(dir, 'extension.js'), root);
    expect([...registered].sort()).toEqual([...commands].sort());
  });

  it('has every id under the prefix, and every command in the category', () => {
    const ids = [
      ...commands,
      ...Object.keys(contributes.configuration.properties),
      ...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id)),
    ];
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.filter((id) => !id.startsWith('taskwright.'))).toEqual([]);
    expect(contributes.commands.filter(({ category }) => category !== 'Taskwright')).toEqual([]);
  });

  it('shows only commands that exist', () => {
    const shown = Object.values(contributes.menus).flatMap((items) => items.flatMap(({ command }) => command ?? []));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((command) => !commands.includes(command))).toEqual([]);
  });

  it('asks in its conditions only for keys that are set somewhere', () => {
    const conditions = [...manifestText.matchAll(/"(?:when|enablement)": "((?:[^"\\]|\\.)*)"/g)].map(
      (match) => match[1]!,
    );
    // Without strings and patterns; `view == taskwright.tasks` compares with an id and reads no key of ours.
    const plain = conditions.map((text) => text.replace(/=~ \/.*?\/(?= |$)|'[^']*'|== *[\w.]+/g, ''));
    const keys = new Set(plain.flatMap((text) => text.match(/\btaskwright\.\w+/g) ?? []));
    expect(keys.size).toBeGreaterThan(0);
    expect([...keys].filter((key) => !hostText.includes(`'${key}'`))).toEqual([]);
  });

  it('has every text in package.nls.json, and nothing else there', () => {
    const used = [...manifestText.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]!);
    expect([...new Set(used)].sort()).toEqual(Object.keys(read('package.nls.json') as object).sort());
  });

  it('has the settings of the product', () => {
    const settings = Object.keys(contributes.configuration.properties);
    const contract = [
      'jobsDir',
      'docker.host',
      'maxConcurrentTrials',
      'gates',
      'rewardKey',
      'passThreshold',
      'rules',
      'profile',
      'trace.server',
    ];
    expect(contract.filter((name) => !settings.includes(`taskwright.${name}`))).toEqual([]);
    expect(settings.map((id) => id.slice('taskwright.'.length)).filter((id) => !hostText.includes(id))).toEqual([]);
  });

  it('names every rule and profile in its settings', () => {
    const properties = contributes.configuration.properties as Record<
      string,
      { readonly enum?: readonly string[]; readonly propertyNames?: { readonly enum: readonly string[] } }
    >;
    expect(properties['taskwright.rules']?.propertyNames?.enum).toEqual(rules.map(({ id }) => id));
    expect(properties['taskwright.profile']?.enum).toEqual(profileNames);
  });

  it('has its types for the oldest editor it runs in', () => {
    const types = read('node_modules/@types/vscode/package.json') as { readonly version: string };
    expect(manifest.engines.vscode).toBe(`^${types.version}`);
  });

  it('names files that are there', () => {
    const files = [...manifestText.matchAll(/"(?:\.\/)?((?:media|syntaxes)\/[^"]+)"/g)].map((match) => match[1]!);
    expect(files).toContain(manifest.icon);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
