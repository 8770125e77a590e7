import type { FileKind, Files } from '../files';

/** A text of the task; `text` is null when the file is too large, unreadable or no UTF-8. */
export interface TextFile {
  /** Relative to the task folder, with `/`. */
  readonly path: string;
  readonly text: string | null;
  /** Why there is no text; null when there is. */
  readonly trouble: string | null;
}

export interface FileFacts {
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** Where the name leads as a symbolic link, as written in it; null when it is none. */
  readonly link: string | null;
}

/** What was found on disk when a task was read. */
export interface Snapshot {
  readonly dir: string;
  readonly dirName: string;
  /**
   * Kinds by path relative to the task folder, with `/`. A link that leads nowhere is not in it: Harbor does not see it.
   * `takeSnapshot` knows only the folders that the format names, `takeWholeSnapshot` all of them.
   */
  readonly entries: ReadonlyMap<string, FileKind>;
  readonly texts: ReadonlyMap<string, TextFile>;
  /** Of every file; empty where only the named folders were read. */
  readonly facts: ReadonlyMap<string, FileFacts>;
  /** Links that lead nowhere, by path. */
  readonly danglingLinks: readonly string[];
  /** What was left out, as sentences; null when everything was read. */
  readonly limit: string | null;
}

/** Bytes of a text that is read; task-rules.md, section 1. */
const maxTextBytes = 1 << 20;

/** Reads a file as strict UTF-8. A byte-order mark is kept, since it matters to Harbor and to the kernel. */
export async function readText(files: Files, file: string, path: string): Promise<TextFile | null> {
  const read = await files.read(file, maxTextBytes);
  if (!read.ok) {
    if (read.reason === 'missing' || read.reason === 'not-a-file') return null;
    const trouble =
      read.reason === 'too-large'
        ? `is larger than ${maxTextBytes >> 20} MiB`
        : read.reason === 'denied'
          ? 'cannot be read: permission denied'
          : 'cannot be read';
    return { path, text: null, trouble };
  }
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes), trouble: null };
  } catch {
    return { path, text: null, trouble: 'is not UTF-8 text' };
  }
}

/** A text that was read in another way, within the same limit; `size` in bytes. */
export function textFile(path: string, text: string, size: number): TextFile {
  return size > maxTextBytes
    ? { path, text: null, trouble: `is larger than ${maxTextBytes >> 20} MiB` }
    : { path, text, trouble: null };
}

/** A path below the task folder with `.` and empty parts removed, or null when it leads out of the folder. */
export function innerPath(path: string): string | null {
  if (path.startsWith('/') || path.includes('\0')) return null;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** Reads the folders and texts of one task. Nothing outside of the folder is looked at. */
export async function takeSnapshot(files: Files, dir: string, steps: readonly string[]): Promise<Snapshot> {
  const entries = new Map<string, FileKind>();
  const texts = new Map<string, TextFile>();

  const list = async (path: string): Promise<void> => {
    const found = await files.list(path === '' ? dir : files.join(dir, path));
    for (const { name, kind } of found ?? []) {
      if (kind !== 'link') entries.set(path === '' ? name : `${path}/${name}`, kind);
    }
  };
  await list('');
  await Promise.all(['environment', 'tests', 'solution', 'steps'].filter(isFolder(entries)).map(list));

  const stepDirs = new Set([...entries.keys()].filter((path) => /^steps\/[^/]+$/u.test(path)));
  for (const name of steps) {
    const path = innerPath(`steps/${name}`);
    if (path !== null && path !== '') stepDirs.add(path);
  }
  for (const path of stepDirs) {
    if (!entries.has(path)) {
      const stat = await files.stat(files.join(dir, path));
      if (stat === null || stat.kind === 'link') continue;
      entries.set(path, stat.kind);
    }
    if (!isFolder(entries)(path)) continue;
    await list(path);
    await Promise.all(
      ['tests', 'solution', 'workdir']
        .map((name) => `${path}/${name}`)
        .filter(isFolder(entries))
        .map(list),
    );
  }

  for (const path of entries.keys()) {
    if (!isReadByRules(path)) continue;
    const text = await readText(files, files.join(dir, path), path);
    if (text !== null) texts.set(path, text);
  }
  return { dir, dirName: lastPart(dir), entries, texts, facts: new Map(), danglingLinks: [], limit: null };
}

const isFolder =
  (entries: ReadonlyMap<string, FileKind>) =>
  (path: string): boolean =>
    entries.get(path) === 'directory';

function isReadByRules(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path === 'task.toml') return true;
  if (name === 'instruction.md') return path === name || path.startsWith('steps/');
  if (/^(?:test|solve|setup)\.(?:sh|bat)$/u.test(name)) return path.includes('/');
  return /^(?:environment|(?:steps\/.+\/)?tests)\/Dockerfile$/u.test(path);
}

/** The last part of a path of this or another platform. */
export function lastPart(path: string): string {
  return /[^/\\]+(?=[/\\]*$)/u.exec(path)?.[0] ?? path;
}

/** A folder with nothing in it. */
export const emptySnapshot: Snapshot = {
  dir: '',
  dirName: '',
  entries: new Map(),
  texts: new Map(),
  facts: new Map(),
  danglingLinks: [],
  limit: null,
};
