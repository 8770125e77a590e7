import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from './make-folder';

/**
 * Writes a whole file or leaves what was there: the content goes to a new file in the same folder, which then takes the
 * name. Makes the folder if need be. `mode` are the permission bits of the new file (default 644, less the umask).
 * Rejects with the system's error; nothing is left behind then.
 */
export async function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  const folder = path.dirname(file);
  await makeFolders(folder);
  const temporary = path.join(folder, `.${path.basename(file).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(content);
      // Otherwise a crash of the machine can leave the new name with no content.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
