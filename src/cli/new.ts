import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { isPackageName, nameTask, packageNameFor } from '../core/template';
import { makeFolders } from '../node/make-folder';
import type { CliContext } from './context';

interface NewOptions {
  readonly name?: string;
  readonly force?: boolean;
}

interface TemplateFile {
  /** Relative to the task's folder. */
  readonly file: string;
  readonly content: Uint8Array;
}

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export function registerNew(program: Command, context: CliContext): void {
  program
    .command('new')
    .description('make a new task from a template that passes its own gates')
    .argument('<dir>', 'folder of the task; must not exist, or be empty')
    .option('--name <org/name>', 'name of the task (default: local/ and the name of the folder)')
    .option('--force', 'write into a folder that is not empty, over files of the same names')
    .action(async (dir: string, options: NewOptions) => {
      const made = await makeTask(path.resolve(context.cwd, dir), options, context);
      if (!made.ok) {
        context.complain(made.message);
        context.finish(2);
        return;
      }
      const shown = path.relative(context.cwd, path.resolve(context.cwd, dir)) || '.';
      context.stdout.write(
        `Made ${shown} (${made.value}): instruction, environment, tests and reference solution.\n` +
          `Next: taskwright gate ${shellWord(shown)}\n`,
      );
      context.finish(0);
    });
}

/** Makes the task and gives its name. */
async function makeTask(target: string, options: NewOptions, context: CliContext): Promise<Outcome<string>> {
  const name = options.name ?? packageNameFor(path.basename(target));
  if (name === null) {
    return trouble(`no name can be made of the folder name "${path.basename(target)}"; give one with --name org/name.`);
  }
  if (!isPackageName(name)) {
    return trouble(
      `"${name}" is no name of a task: write org/name, each part of ASCII letters, digits, ".", "_" and "-", ` +
        'beginning with a letter or digit and without "..".',
    );
  }
  const files = await readTemplate(path.join(context.resourceDir, 'template'), name);
  const state = await stateOf(target);
  if (state === 'other') return trouble(`${target} exists and is not a folder; choose another name.`);
  if (state === 'full' && options.force !== true) {
    return trouble(`${target} is not empty; choose another folder, or write over its files with --force.`);
  }
  try {
    if (state === 'missing') await makeFolder(target, files, context);
    else {
      const obstacle = await findObstacle(target, files);
      if (obstacle !== null) return trouble(`${obstacle} is in the way of the template; move it and try again.`);
      await fillFolder(target, files, context);
    }
  } catch (error) {
    return trouble(`${target} could not be made: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { ok: true, value: name };
}

function trouble(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

/** The template's files with the name filled in. A template that is not there is a broken installation: a bug. */
async function readTemplate(folder: string, name: string): Promise<readonly TemplateFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: TemplateFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const absolute = path.join(entry.parentPath, entry.name);
    const file = path.relative(folder, absolute);
    const content = await readFile(absolute);
    files.push({ file, content: file === 'task.toml' ? Buffer.from(named(content.toString('utf8'), name)) : content });
  }
  return files;
}

function named(configText: string, name: string): string {
  const text = nameTask(configText, name);
  if (text === null) throw new Error('the template has no place for a name');
  return text;
}

async function stateOf(target: string): Promise<'missing' | 'empty' | 'full' | 'other'> {
  const found = await stat(target).catch(() => null);
  if (found === null) return 'missing';
  if (!found.isDirectory()) return 'other';
  return (await readdir(target).catch(() => ['unreadable'])).length === 0 ? 'empty' : 'full';
}

/** The whole folder appears at once: it is made beside its place and then moved there. */
async function makeFolder(target: string, files: readonly TemplateFile[], context: CliContext): Promise<void> {
  const parent = path.dirname(target);
  await makeFolders(parent);
  await staged(path.join(parent, temporaryName(context)), files, async (stage) => {
    await rename(stage, target);
  });
}

/** Into a folder that is there (and may be a mount, or where the shell stands): file by file, each at once. */
async function fillFolder(target: string, files: readonly TemplateFile[], context: CliContext): Promise<void> {
  await staged(path.join(target, temporaryName(context)), files, async (stage) => {
    for (const { file } of files) {
      await mkdir(path.dirname(path.join(target, file)), { recursive: true });
      await rename(path.join(stage, file), path.join(target, file));
    }
  });
}

async function staged(
  stage: string,
  files: readonly TemplateFile[],
  place: (stage: string) => Promise<void>,
): Promise<void> {
  try {
    for (const { file, content } of files) {
      const absolute = path.join(stage, file);
      await mkdir(path.dirname(absolute), { recursive: true });
      // An archive may have lost the mode on its way here.
      await writeFile(absolute, content, { mode: file.endsWith('.sh') ? 0o755 : 0o644 });
    }
    await place(stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** What stands where the template has something of another kind. */
async function findObstacle(target: string, files: readonly TemplateFile[]): Promise<string | null> {
  for (const { file } of files) {
    const parts = file.split(path.sep);
    for (let count = 1; count <= parts.length; count++) {
      const place = path.join(target, ...parts.slice(0, count));
      const found = await stat(place).catch(() => null);
      if (found !== null && found.isDirectory() === (count === parts.length)) return place;
    }
  }
  return null;
}

function temporaryName(context: CliContext): string {
  return `.taskwright-new-${Buffer.from(context.randomBytes(6)).toString('hex')}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
