import { chmod, link, lstat, mkdir, open, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';

export type UnpackedKind = 'file' | 'directory' | 'symlink' | 'hardlink' | 'fifo' | 'device' | 'other';

export interface UnpackedEntry {
  /** As the archive names it, with `/`, after the common prefix was taken off; `.` for the folder itself. */
  readonly name: string;
  readonly kind: UnpackedKind;
  /** Bytes of a file, else 0. */
  readonly size: number;
  readonly mode: number;
  /** Target of a link, as the archive gives it. */
  readonly linkname: string | null;
  /** Why it was not written; null when it was. */
  readonly skipped: 'kind' | 'outside' | 'link-outside' | 'too-large' | 'too-many' | 'conflict' | null;
}

export interface UnpackLimits {
  /** Of all files together. Default 1 GiB. */
  readonly maxBytes?: number;
  /** Of one file; what is longer is skipped. Default: as `maxBytes`. */
  readonly maxFileBytes?: number;
  /** Default 100,000. */
  readonly maxEntries?: number;
  /** True takes the first component off every name, as for an archive of `/logs/verifier`. Default false. */
  readonly strip?: boolean;
  /** Says which names (as the archive gives them, with `/`) are passed over as if they were not in it. */
  readonly skip?: (name: string) => boolean;
  /** True writes links whose target stays inside the folder; default false: links are only reported. */
  readonly links?: boolean;
}

export interface UnpackReport {
  readonly entries: readonly UnpackedEntry[];
  /** Bytes written. */
  readonly bytes: number;
  /** True when a limit left something out. */
  readonly truncated: boolean;
  /** Message of a failure of the host's disk (such as a full one), after which nothing more was written; else null. */
  readonly failure: string | null;
}

/**
 * Unpacks an archive that something untrusted wrote below `dir`, which is made. Nothing is written outside: names that
 * lead out are skipped, no link of the archive is ever followed (a path below a link that was written is skipped), and
 * FIFOs and devices are reported, not made. The stream is always read to its end or destroyed.
 */
export async function unpackInto(tar: Readable, dir: string, limits: UnpackLimits = {}): Promise<UnpackReport> {
  const root = resolve(dir);
  await mkdir(root, { recursive: true });
  const writer = new Unpacker(root, limits);
  const parser = extract();
  tar.on('error', (error) => {
    parser.destroy(error);
  });
  tar.pipe(parser);
  try {
    for await (const entry of parser) {
      await writer.take(entry.header, entry as Body);
      // A write that failed in its middle has destroyed the entry, and no other would ever come.
      if (writer.report().failure !== null) break;
      entry.resume();
    }
  } finally {
    if (!tar.readableEnded) tar.destroy();
  }
  return writer.report();
}

/** Reads one regular file of an archive, the first there is, whole; null when there is none or it is over the limit. */
export async function readFirstFile(tar: Readable, maxBytes: number): Promise<Uint8Array | null> {
  const parser = extract();
  tar.on('error', (error) => {
    parser.destroy(error);
  });
  tar.pipe(parser);
  try {
    for await (const entry of parser) {
      if (entry.header.type !== 'file' && entry.header.type !== 'contiguous-file') {
        entry.resume();
        continue;
      }
      if (entry.header.size > maxBytes) return null;
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      return Buffer.concat(chunks);
    }
    return null;
  } finally {
    if (!tar.readableEnded) tar.destroy();
  }
}

/** What `tar-stream` gives for an entry: a stream of bytes, without a type of its own. */
type Body = AsyncIterable<unknown>;

class Unpacker {
  private readonly entries: UnpackedEntry[] = [];
  private readonly made = new Map<string, 'directory' | 'file' | 'symlink'>();
  private bytes = 0;
  private truncated = false;
  private failure: string | null = null;

  constructor(
    private readonly root: string,
    private readonly limits: UnpackLimits,
  ) {}

  report(): UnpackReport {
    return { entries: this.entries, bytes: this.bytes, truncated: this.truncated, failure: this.failure };
  }

  async take(header: Header, body: Body): Promise<void> {
    if (this.limits.skip?.(header.name.replace(/\/+$/u, ''))) return;
    const kind = kindOf(header);
    const name = this.nameOf(header.name);
    const size = kind === 'file' ? header.size : 0;
    const skipped = await this.write(kind, name, header, body, size);
    if (skipped === 'too-large' || skipped === 'too-many') this.truncated = true;
    if (this.entries.length >= this.maxEntries()) return;
    this.entries.push({
      name: name ?? header.name,
      kind,
      size,
      mode: header.mode & 0o7777,
      linkname: header.linkname === '' ? null : header.linkname,
      skipped,
    });
  }

  private maxEntries(): number {
    return this.limits.maxEntries ?? 100_000;
  }

  private nameOf(raw: string): string | null {
    let parts = raw.split('/').filter((part) => part !== '' && part !== '.');
    if (raw.startsWith('/')) return null;
    if (this.limits.strip) parts = parts.slice(1);
    if (parts.some((part) => part === '..' || part.includes('\0'))) return null;
    if (sep === '\\' && parts.some((part) => /[\\:<>"|?*]/.test(part))) return null;
    return parts.length === 0 ? '.' : parts.join('/');
  }

  private async write(
    kind: UnpackedKind,
    name: string | null,
    header: Header,
    body: Body,
    size: number,
  ): Promise<UnpackedEntry['skipped']> {
    if (name === null) return 'outside';
    if (this.failure !== null) return 'conflict';
    if (this.entries.length >= this.maxEntries()) return 'too-many';
    if (kind === 'fifo' || kind === 'device' || kind === 'other') return 'kind';
    try {
      if (!(await this.parents(name))) return 'conflict';
      switch (kind) {
        case 'directory':
          return await this.folder(name, header);
        case 'file':
          return await this.file(name, header, body, size);
        case 'symlink':
          return await this.symlink(name, header.linkname);
        case 'hardlink':
          return await this.hardlink(name, header.linkname);
      }
    } catch (error) {
      if (!isDiskError(error)) throw error;
      if (['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE'].includes(error.code)) this.failure = error.message;
      return 'conflict';
    }
  }

  /** Makes the folders above a name; false when something else than a folder made here is in the way. */
  private async parents(name: string): Promise<boolean> {
    const parts = name.split('/').slice(0, -1);
    let path = '';
    for (const part of parts) {
      path = path === '' ? part : `${path}/${part}`;
      const known = this.made.get(path);
      if (known !== undefined && known !== 'directory') return false;
      if (known === undefined) {
        if (!(await ensureFolder(this.at(path)))) return false;
        this.made.set(path, 'directory');
      }
    }
    return true;
  }

  private at(name: string): string {
    return join(this.root, ...name.split('/'));
  }

  private async folder(name: string, header: Header): Promise<UnpackedEntry['skipped']> {
    if (name === '.') return null;
    if (!(await ensureFolder(this.at(name)))) return 'conflict';
    this.made.set(name, 'directory');
    // The owner must be able to go on writing below it, and to remove it.
    await chmod(this.at(name), (header.mode & 0o777) | 0o700);
    return null;
  }

  private async file(name: string, header: Header, body: Body, size: number): Promise<UnpackedEntry['skipped']> {
    const maxBytes = this.limits.maxBytes ?? 1024 ** 3;
    if (size > (this.limits.maxFileBytes ?? maxBytes) || this.bytes + size > maxBytes) return 'too-large';
    if (!(await this.clear(name))) return 'conflict';
    // `wx` neither follows nor overwrites whatever is there.
    const handle = await open(this.at(name), 'wx', (header.mode & 0o777) | 0o600);
    try {
      for await (const chunk of body) {
        await handle.writeFile(chunk as Buffer);
        this.bytes += (chunk as Buffer).length;
      }
      await handle.utimes(header.mtime, header.mtime);
    } finally {
      await handle.close();
    }
    this.made.set(name, 'file');
    return null;
  }

  private async symlink(name: string, target: string): Promise<UnpackedEntry['skipped']> {
    if (!this.limits.links || name === '.') return 'kind';
    if (target.startsWith('/') || target.includes('\0')) return 'link-outside';
    const led = resolve(dirname(this.at(name)), target);
    if (led !== this.root && !led.startsWith(this.root + sep)) return 'link-outside';
    if (!(await this.clear(name))) return 'conflict';
    await symlink(target, this.at(name));
    this.made.set(name, 'symlink');
    return null;
  }

  private async hardlink(name: string, raw: string): Promise<UnpackedEntry['skipped']> {
    const target = this.nameOf(raw);
    if (target === null || this.made.get(target) !== 'file') return 'link-outside';
    if (!(await this.clear(name))) return 'conflict';
    await link(this.at(target), this.at(name));
    this.made.set(name, 'file');
    return null;
  }

  /** Takes away an earlier file or link of the same name; false for a folder. */
  private async clear(name: string): Promise<boolean> {
    if (name === '.') return false;
    const there = await lstat(this.at(name)).catch(() => null);
    if (there?.isDirectory()) return false;
    if (there) await rm(this.at(name), { force: true });
    return true;
  }
}

async function ensureFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (!isDiskError(error) || error.code !== 'EEXIST') throw error;
    return (await lstat(path)).isDirectory();
  }
}

function isDiskError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
}

function kindOf(header: Header): UnpackedKind {
  switch (header.type) {
    case 'file':
    case 'contiguous-file':
      return 'file';
    case 'directory':
      return 'directory';
    case 'symlink':
      return 'symlink';
    case 'link':
      return 'hardlink';
    case 'fifo':
      return 'fifo';
    case 'character-device':
    case 'block-device':
      return 'device';
    default:
      return 'other';
  }
}
