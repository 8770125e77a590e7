import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readlink, stat, lstat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Stats } from 'node:fs';
import type { DirEntry, FileKind, FileStat, Files, ReadResult, Sha256 } from '../core/files';
import { compareCodePoints } from '../core/text/code-points';

/** The `Files` port on the local disk. */
export const nodeFiles: Files = {
  join: (base, ...names) => path.join(base, ...names),
  stat: statFile,
  list: listFolder,
  linkTarget: (link) => quietly(() => readlink(link)),
  read: readFileUpTo,
  sha256: hashFile,
};

export const sha256: Sha256 = (data) => createHash('sha256').update(data).digest('hex');

async function statFile(file: string): Promise<FileStat | null> {
  const own = await quietly(() => lstat(file));
  if (own === null) return null;
  if (!own.isSymbolicLink()) return describeStats(own, false);
  const target = await quietly(() => stat(file));
  return target === null
    ? { kind: 'link', isLink: true, size: own.size, mode: own.mode & 0o7777 }
    : describeStats(target, true);
}

async function listFolder(folder: string): Promise<readonly DirEntry[] | null> {
  const found = await quietly(() => readdir(folder, { withFileTypes: true }));
  if (found === null) return null;
  const entries = await Promise.all(
    found.map(async (entry): Promise<DirEntry> => {
      if (entry.isFile()) return { name: entry.name, kind: 'file' };
      if (entry.isDirectory()) return { name: entry.name, kind: 'directory' };
      // A link, or a file system that gives no types.
      const followed = await statFile(path.join(folder, entry.name));
      return {
        name: entry.name,
        kind: followed?.kind ?? 'other',
        ...(followed?.isLink === true && { isLink: true }),
      };
    }),
  );
  return entries.sort((a, b) => compareCodePoints(a.name, b.name));
}

async function readFileUpTo(file: string, maxBytes: number): Promise<ReadResult> {
  let handle;
  try {
    // A named pipe would block the open for ever, so only a plain file is opened.
    const found = await stat(file);
    if (!found.isFile()) return { ok: false, reason: 'not-a-file', message: `${file} is not a file.` };
    if (found.size > maxBytes) return tooLarge(file, maxBytes);
    handle = await open(file, 'r');
    // One byte more than allowed shows that the file has grown, or that its size was not known (as in /proc).
    const chunks: Buffer[] = [];
    let total = 0;
    while (total <= maxBytes) {
      const buffer = Buffer.allocUnsafe(Math.min(1 << 16, maxBytes + 1 - total));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { ok: true, bytes: new Uint8Array(Buffer.concat(chunks)) };
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
    return tooLarge(file, maxBytes);
  } catch (error) {
    return readTrouble(file, error);
  } finally {
    await handle?.close();
  }
}

async function hashFile(file: string): Promise<string | null> {
  const found = await quietly(() => stat(file));
  if (!found?.isFile()) return null;
  const hash = createHash('sha256');
  return quietly(async () => {
    await pipeline(createReadStream(file), hash);
    return hash.digest('hex');
  });
}

export function describeStats(stats: Stats, isLink: boolean): FileStat {
  const kind: FileKind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { kind, isLink, size: stats.size, mode: stats.mode & 0o7777 };
}

export function tooLarge(file: string, maxBytes: number): ReadResult {
  return { ok: false, reason: 'too-large', message: `${file} is larger than ${maxBytes} bytes.` };
}

export function readTrouble(file: string, error: unknown): ReadResult {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return { ok: false, reason: 'missing', message: `${file} does not exist.` };
  if (code === 'EACCES' || code === 'EPERM') {
    return { ok: false, reason: 'denied', message: `No permission to read ${file}.` };
  }
  return { ok: false, reason: 'failed', message: `${file} cannot be read: ${message}` };
}

async function quietly<T>(action: () => Promise<T>): Promise<T | null> {
  try {
    return await action();
  } catch {
    return null;
  }
}
