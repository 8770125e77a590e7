import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it that are missing; one that is there is left as it is. Rejects with the system's
 * error, with the code ENOTDIR where a file is in the way. Node's own recursive `mkdir` is not used, as it never ends
 * below `/proc`, where a folder that stands there has no place for another (ENOENT).
 */
export async function makeFolders(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const found = await stat(at).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' && path.dirname(at) !== at) return null;
      throw error;
    });
    if (found?.isDirectory() === true) break;
    if (found !== null) throw Object.assign(new Error(`${at} is a file, not a folder`), { code: 'ENOTDIR' });
    missing.push(at);
  }
  for (const one of missing.reverse()) {
    await mkdir(one).catch(async (error: unknown) => {
      // Somebody else may have made it meanwhile; a link that leads nowhere stands there too.
      if (codeOf(error) !== 'EEXIST' || !(await stat(one)).isDirectory()) throw error;
    });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
