import { createHash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DirEntry, FileStat, Files, ReadResult } from '../core/files';
import { compareCodePoints } from '../core/text/code-points';
import { describeStats, readTrouble, tooLarge } from './files';

/**
 * The `Files` port by calls that block: several times as fast for many small files, and only for a thread that has
 * nothing else to do.
 */
export function syncFiles(): Files {
  const scratch = Buffer.allocUnsafe(1 << 17);
  return {
    join: (base, ...names) => path.join(base, ...names),
    stat: async (file) => statFile(file),
    list: async (folder) => listFolder(folder),
    linkTarget: async (link) => quietly(() => readlinkSync(link)),
    read: async (file, maxBytes) => readUpTo(file, maxBytes, scratch),
    sha256: async (file) => {
      const read = readUpTo(file, Infinity, scratch);
      return read.ok ? createHash('sha256').update(read.bytes).digest('hex') : null;
    },
  };
}

/** `syncFiles` for a thread that others wait for: between some calls they get their turn, so that Ctrl-C is heard. */
export function politeSyncFiles(): Files {
  const files = syncFiles();
  let calls = 0;
  const turn = async (): Promise<void> => {
    if (++calls % 128 === 0) await new Promise((done) => setImmediate(done));
  };
  return {
    ...files,
    stat: async (file) => turn().then(() => files.stat(file)),
    list: async (folder) => turn().then(() => files.list(folder)),
  };
}

function statFile(file: string): FileStat | null {
  const own = quietly(() => lstatSync(file));
  if (own === null) return null;
  if (!own.isSymbolicLink()) return describeStats(own, false);
  const target = quietly(() => statSync(file));
  return target === null
    ? { kind: 'link', isLink: true, size: own.size, mode: own.mode & 0o7777 }
    : describeStats(target, true);
}

function listFolder(folder: string): readonly DirEntry[] | null {
  const found = quietly(() => readdirSync(folder, { withFileTypes: true }));
  if (found === null) return null;
  return found
    .map((entry): DirEntry => {
      if (entry.isFile()) return { name: entry.name, kind: 'file' };
      if (entry.isDirectory()) return { name: entry.name, kind: 'directory' };
      const followed = statFile(path.join(folder, entry.name));
      return { name: entry.name, kind: followed?.kind ?? 'other', ...(followed?.isLink === true && { isLink: true }) };
    })
    .sort((a, b) => compareCodePoints(a.name, b.name));
}

function readUpTo(file: string, maxBytes: number, scratch: Buffer): ReadResult {
  let handle: number | null = null;
  try {
    // A named pipe would block the open for ever, so only a plain file is opened.
    const found = statSync(file);
    if (!found.isFile()) return { ok: false, reason: 'not-a-file', message: `${file} is not a file.` };
    if (found.size > maxBytes) return tooLarge(file, maxBytes);
    handle = openSync(file, 'r');
    if (!fstatSync(handle).isFile()) return { ok: false, reason: 'not-a-file', message: `${file} is not a file.` };
    let read = readSync(handle, scratch, 0, scratch.length, null);
    if (read < scratch.length && read <= maxBytes) return { ok: true, bytes: Buffer.from(scratch.subarray(0, read)) };
    const chunks: Buffer[] = [];
    let total = 0;
    while (read > 0) {
      total += read;
      if (total > maxBytes) return tooLarge(file, maxBytes);
      chunks.push(Buffer.from(scratch.subarray(0, read)));
      read = readSync(handle, scratch, 0, scratch.length, null);
    }
    return { ok: true, bytes: Buffer.concat(chunks) };
  } catch (error) {
    return readTrouble(file, error);
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

function quietly<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
