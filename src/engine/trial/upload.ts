import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { TransferError, type Sandbox } from '../sandbox';
import { PackError, packFiles, packFolder, type PackedFile } from '../tar';

export type UploadResult =
  { readonly ok: true } | { readonly ok: false; readonly reason: 'failed' | 'cancelled'; readonly message: string };

/**
 * Copies a folder's content to a path of the container, merging into what is there (nothing is deleted first). Links
 * stay links, so one that leads out of the folder leads nowhere in the container: nothing outside is ever read. Owner
 * is root, as in Harbor's own tar path, so that a task behaves alike on every machine.
 *
 * `script`, a name in the folder or null, is made executable, which Harbor does by a command of its own after the upload: the
 * archive says it as well and saves the command, unless the name is a link, whose target has to get the mode.
 */
export async function uploadFolder(
  sandbox: Sandbox,
  dir: string,
  dest: string,
  script: string | null,
  signal: AbortSignal,
): Promise<UploadResult> {
  const upload = await send(sandbox, dest, signal, (prefix) =>
    packFolder(dir, {
      executable: script === null ? [] : [script],
      ...(prefix === null ? {} : { prefix, self: true }),
    }),
  );
  if (!upload.ok || script === null || !(await isLink(join(dir, script)))) return upload;
  await sandbox.exec(
    { argv: ['chmod', '+x', '--', `${dest}/${script}`], user: 0, cwd: '/', env: {} },
    { limitSec: 60, idleLimitSec: null, signal },
  );
  return upload;
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );
}

/** Copies files to a path of the container. `mode` is that of the folder, where it has to be made. */
export async function uploadFiles(
  sandbox: Sandbox,
  files: readonly PackedFile[],
  dest: string,
  mode: number,
  signal: AbortSignal,
): Promise<UploadResult> {
  return send(sandbox, dest, signal, (prefix) => {
    if (prefix === null) return packFiles(files);
    return packFiles([
      { name: `${prefix}/`, content: '', mode },
      ...files.map((file) => ({ ...file, name: `${prefix}/${file.name}` })),
    ]);
  });
}

/** `pack` gets the prefix that makes the folder itself, or null when the folder is there. */
async function send(
  sandbox: Sandbox,
  dest: string,
  signal: AbortSignal,
  pack: (prefix: string | null) => Readable,
): Promise<UploadResult> {
  if (signal.aborted) return { ok: false, reason: 'cancelled', message: 'Cancelled.' };
  const parent = dest.slice(0, dest.lastIndexOf('/')) || '/';
  const target = (await sandbox.has(dest)) ? dest : parent === '/' || !(await sandbox.has(parent)) ? '/' : parent;
  const tar = pack(target === dest ? null : dest.slice(target === '/' ? 1 : target.length + 1));
  const failures: Error[] = [];
  tar.on('error', (error) => failures.push(error));
  const stop = (): void => {
    tar.destroy(new Error('cancelled'));
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await sandbox.put(tar, target);
    return { ok: true };
  } catch (error) {
    if (tar.destroyed && isAborted(signal)) return { ok: false, reason: 'cancelled', message: 'Cancelled.' };
    const cause: unknown = failures.find((failure) => failure instanceof PackError) ?? error;
    if (cause instanceof PackError || cause instanceof TransferError)
      return { ok: false, reason: 'failed', message: cause.message };
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    tar.destroy();
  }
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
