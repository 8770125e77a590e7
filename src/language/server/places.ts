import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import type { Files } from '../../core/files';
import { pathBelow } from '../../core/workspace';

/** A file by its task. */
export interface FilePlace {
  /** Absolute path of the task folder. */
  readonly dir: string;
  /** Relative to it, with `/`. */
  readonly path: string;
}

export function pathOfUri(uri: string): string | null {
  if (!uri.startsWith('file:')) return null;
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

export function uriOfPath(file: string): string {
  return pathToFileURL(file).href;
}

export function uriIn(dir: string, file: string): string {
  return uriOfPath(file === '' ? dir : path.join(dir, ...file.split('/')));
}

/**
 * The task that a file belongs to: one of `known`, else the topmost folder with a task.toml below a workspace folder,
 * else the nearest one above. null: none.
 */
export async function placeOf(
  file: string,
  known: ReadonlySet<string>,
  folders: readonly string[],
  files: Files,
): Promise<FilePlace | null> {
  const above = foldersAbove(file);
  const listed = above.find((dir) => known.has(dir));
  if (listed !== undefined) return at(listed, file);
  const inWorkspace = above.filter((dir) => folders.some((folder) => pathBelow(folder, dir) !== null));
  for (const dir of inWorkspace.length > 0 ? inWorkspace.toReversed() : above) {
    const stat = await files.stat(path.join(dir, 'task.toml'));
    if (stat?.kind === 'file') return at(dir, file);
  }
  return null;
}

/** From the file's own folder to the root. */
function foldersAbove(file: string): readonly string[] {
  const found: string[] = [];
  for (let dir = path.dirname(file); ; dir = path.dirname(dir)) {
    found.push(dir);
    if (path.dirname(dir) === dir) return found;
  }
}

function at(dir: string, file: string): FilePlace | null {
  const below = pathBelow(dir, file);
  return below === null ? null : { dir, path: below };
}
