import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import dockerignore from '@balena/dockerignore';
import { packFolder } from '../tar';

/** What a build sends to the engine. */
export interface BuildContext {
  readonly dir: string;
  /** Relative to the folder, with `/`. */
  readonly dockerfile: string;
  readonly dockerfileText: string;
  readonly skip: (name: string, isFolder: boolean) => boolean | 'enter';
  /** Changes with any name, size, mode, time or link of what is sent. */
  readonly fingerprint: string;
}

export type ContextResult =
  { readonly ok: true; readonly context: BuildContext } | { readonly ok: false; readonly message: string };

/** Reads what decides about a build context, without its files' content. */
export async function readContext(contextDir: string, dockerfile: string): Promise<ContextResult> {
  const dir = resolve(contextDir);
  const name = dockerfile.replaceAll('\\', '/').replace(/^\.\//, '');
  let dockerfileText: string;
  try {
    dockerfileText = await readFile(join(dir, name), 'utf8');
  } catch (error) {
    return { ok: false, message: `"${join(dir, name)}" cannot be read: ${reasonOf(error)}.` };
  }
  try {
    // An ignore file named after the Dockerfile wins over the general one.
    const own = `${name}.dockerignore`;
    const ignoreText = (await readIfThere(join(dir, own))) ?? (await readIfThere(join(dir, '.dockerignore')));
    const skip = ignoreText === null ? () => false : skipBy(ignoreText, name);
    const hash = createHash('sha256').update(`${name}\0${dockerfileText}\0`);
    await addFingerprint(hash, dir, '', skip);
    return { ok: true, context: { dir, dockerfile: name, dockerfileText, skip, fingerprint: hash.digest('hex') } };
  } catch (error) {
    return { ok: false, message: `The build context "${dir}" cannot be read: ${reasonOf(error)}.` };
  }
}

export function packContext(context: BuildContext): Readable {
  return packFolder(context.dir, { skip: context.skip });
}

/**
 * The Dockerfile is sent even when it is ignored: the engine reads it from there. (A `COPY .` takes it along then, which
 * the `docker` command, having other means, avoids.)
 */
function skipBy(text: string, dockerfile: string): BuildContext['skip'] {
  const rules = dockerignore({ ignorecase: false }).add(text);
  const exceptions = /^\s*!/m.test(text);
  return (name, isFolder) => {
    if (name === dockerfile) return false;
    if (!rules.ignores(name)) return false;
    // A folder that is left out may hold something a `!` rule takes back in, or the Dockerfile.
    const holds = isFolder && (exceptions || dockerfile.startsWith(`${name}/`));
    return holds ? 'enter' : true;
  };
}

async function addFingerprint(
  hash: ReturnType<typeof createHash>,
  dir: string,
  relative: string,
  skip: BuildContext['skip'],
): Promise<void> {
  for (const name of (await readdir(join(dir, relative))).sort()) {
    const inner = relative === '' ? name : `${relative}/${name}`;
    const stat = await lstat(join(dir, inner));
    const skipped = skip(inner, stat.isDirectory());
    if (skipped === true) continue;
    const link = stat.isSymbolicLink() ? await readlink(join(dir, inner)) : '';
    hash.update(
      `${inner}\0${stat.mode}\0${stat.isDirectory() ? 0 : stat.size}\0${stat.mtimeMs}\0${stat.ctimeMs}\0${link}\0`,
    );
    if (stat.isDirectory()) await addFingerprint(hash, dir, inner, skip);
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
