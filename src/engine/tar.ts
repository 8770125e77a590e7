import { createReadStream } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Header, type Pack } from 'tar-stream';

type EntryHeader = Partial<Header> & Pick<Header, 'name'>;

/** Above the permission bits: the archive takes a mode of 0 for none given, and cuts this off. */
const MODE_SET = 0o100000;

/** A file of the host cannot go into an archive. The message names it. */
export class PackError extends Error {
  override readonly name = 'PackError';
  constructor(
    message: string,
    /** Absolute path of the file in question. */
    readonly path: string,
  ) {
    super(message);
  }
}

export interface PackedFile {
  /** With `/`, relative to where the archive is unpacked. A name that ends in `/` is a folder without content. */
  readonly name: string;
  readonly content: Uint8Array | string;
  /** Permission bits; 0o644 for files and 0o755 for folders when it is left out. */
  readonly mode?: number;
}

export interface PackFolderOptions {
  /** Puts everything below this path; the path's own folders are not written. Default: nothing. */
  readonly prefix?: string;
  /**
   * Says which names (with `/`, relative to the folder) are left out; a folder left out is not entered, unless the
   * answer is `enter`: then only the folder's own entry is.
   */
  readonly skip?: (name: string, isFolder: boolean) => boolean | 'enter';
  /** False leaves out entries for folders, for a target whose folders exist already. Default true. */
  readonly folders?: boolean;
  /** True adds an entry for the folder itself (`prefix` or `.`). Default false. */
  readonly self?: boolean;
  /** Names (with `/`, relative to the folder) of files that everybody may execute, whatever their mode on the host. */
  readonly executable?: readonly string[];
  /** Owner of everything. Default 0. */
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * A tar stream of a folder's content, read as it is sent, in the order of names. Links stay links, whatever they point
 * at, and permission bits and times are kept. Sockets, devices and FIFOs are left out. A file that cannot be read ends
 * the stream with `PackError`.
 */
export function packFolder(dir: string, options: PackFolderOptions = {}): Readable {
  return produce(async (archive) => {
    if (options.self) await addEntry(archive, dir, options.prefix ?? '.', options);
    await addFolder(archive, dir, '', options);
  });
}

/** A tar stream of files that are in memory, all owned by root. */
export function packFiles(files: readonly PackedFile[], mtime = new Date()): Readable {
  return produce(async (archive) => {
    for (const file of files) {
      const isFolder = file.name.endsWith('/');
      const content = typeof file.content === 'string' ? Buffer.from(file.content) : Buffer.from(file.content);
      const header: EntryHeader = {
        name: isFolder ? file.name.slice(0, -1) : file.name,
        type: isFolder ? 'directory' : 'file',
        mode: (file.mode ?? (isFolder ? 0o755 : 0o644)) | MODE_SET,
        size: isFolder ? 0 : content.length,
        uid: 0,
        gid: 0,
        mtime,
      };
      await writeEntry(archive, header, isFolder ? null : content);
    }
  });
}

/** Runs `fill` beside the stream it fills; its failure becomes the stream's. */
function produce(fill: (archive: Pack) => Promise<void>): Readable {
  const archive = pack();
  // A reader that went away (a cancelled upload) destroys the archive, which must not leave `fill` waiting for it.
  const closed = new Promise<never>((_resolve, reject) => {
    archive.on('close', () => {
      reject(new Error('The archive was closed.'));
    });
  });
  closed.catch(() => undefined);
  void Promise.race([fill(archive), closed]).then(
    () => {
      archive.finalize();
    },
    (error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  );
  return Readable.from(archive as AsyncIterable<Buffer>, { objectMode: false });
}

async function addFolder(archive: Pack, dir: string, relative: string, options: PackFolderOptions): Promise<void> {
  const names = await readdir(dir).catch((error: unknown) => {
    throw unreadable(dir, error);
  });
  for (const name of names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))) {
    const path = join(dir, name);
    const inner = relative === '' ? name : `${relative}/${name}`;
    const isFolder = await addEntry(archive, path, prefixed(inner, options.prefix), options, inner);
    if (isFolder) await addFolder(archive, path, inner, options);
  }
}

function prefixed(name: string, prefix: string | undefined): string {
  return prefix === undefined || prefix === '' ? name : `${prefix}/${name}`;
}

/** Returns whether this was a folder whose content is to follow. */
async function addEntry(
  archive: Pack,
  path: string,
  name: string,
  options: PackFolderOptions,
  inner: string | null = null,
): Promise<boolean> {
  const stat = await lstat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const isFolder = stat.isDirectory();
  const skip = inner === null ? false : (options.skip?.(inner, isFolder) ?? false);
  if (skip !== false) return skip === 'enter' && isFolder;
  const common = { name, mtime: stat.mtime, uid: options.uid ?? 0, gid: options.gid ?? 0, mode: stat.mode };
  if (isFolder) {
    if (options.folders !== false) await writeEntry(archive, { ...common, type: 'directory', size: 0 });
    return true;
  }
  if (stat.isSymbolicLink()) {
    const linkname = await readlink(path).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    await writeEntry(archive, { ...common, type: 'symlink', linkname: linkname.replaceAll('\\', '/'), size: 0 });
    return false;
  }
  if (stat.isFile()) {
    const mode = inner !== null && options.executable?.includes(inner) ? stat.mode | 0o111 : stat.mode;
    await writeFile(archive, { ...common, mode, type: 'file', size: stat.size }, path);
  }
  return false;
}

/** `content` null: an entry that has none, such as a folder. */
async function writeEntry(archive: Pack, header: EntryHeader, content: Buffer | null = null): Promise<void> {
  await new Promise<void>((done, fail) => {
    const callback = (error?: Error | null): void => {
      if (error) fail(error);
      else done();
    };
    if (content === null) archive.entry(header, callback);
    else archive.entry(header, content, callback);
  });
}

async function writeFile(archive: Pack, header: EntryHeader, path: string): Promise<void> {
  if (header.size === 0) {
    // Opening it is what shows that it can be read.
    const handle = await open(path).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    await handle.close();
    await writeEntry(archive, header, Buffer.alloc(0));
    return;
  }
  const entry = archive.entry(header);
  try {
    // A file that grows while it is read is cut at the size in its header; one that shrinks is refused by the archive.
    await pipeline(createReadStream(path, { end: (header.size ?? 1) - 1 }), entry);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): PackError {
  const reason = error instanceof Error ? error.message : String(error);
  return new PackError(`"${path}" cannot be read: ${reason}.`, path);
}
