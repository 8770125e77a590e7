import type { FileKind, Files } from '../files';
import { compareCodePoints } from '../text/code-points';
import type { FileFacts, Snapshot, TextFile } from './snapshot';
import { innerPath, lastPart, readText, textFile } from './snapshot';

/** Files of a task that are looked at; task-rules.md, section 1. */
const maxFiles = 5_000;
/** UTF-16 units of all texts together: a task of five thousand large files must not fill the memory. */
const maxTotalText = 32 << 20;
const maxDepth = 40;

/** Folders of tools, whose content is no part of what an author wrote; they themselves are seen. */
const closedFolders = new Set(['.git', 'node_modules', '__pycache__', '.venv', 'venv', '.pytest_cache', '.mypy_cache']);

/** What an author writes comes before the data, so that a limit leaves out the data. */
const readingOrder = ['', 'tests', 'solution', 'steps', 'environment'];

/** Folders that Harbor looks into whatever they are, also by way of a link. */
const namedFolders = /^(?:environment|(?:steps\/[^/]+\/)?(?:tests|solution|workdir)|steps(?:\/[^/]+)?)$/u;

/**
 * Reads a whole task folder: every name, and the text of every file that is one. Links to files are followed only where
 * they stay in the folder. Of a folder that is a link only the names are read, and only where Harbor follows it.
 */
export async function takeWholeSnapshot(files: Files, dir: string, signal?: AbortSignal): Promise<Snapshot> {
  const walk = new Walk(files, dir, signal);
  await walk.folder('', 0);
  await walk.texts();
  return {
    dir,
    dirName: lastPart(dir),
    entries: walk.entries,
    texts: walk.read,
    facts: walk.facts,
    danglingLinks: walk.dangling,
    limit: walk.limit,
  };
}

/** Paths of files, those that an author writes before the data. */
function filesInReadingOrder(entries: ReadonlyMap<string, FileKind>): readonly string[] {
  const rank = (path: string): number => {
    const at = readingOrder.indexOf(path.includes('/') ? path.slice(0, path.indexOf('/')) : '');
    return at < 0 ? readingOrder.length : at;
  };
  const paths = [...entries].filter(([, kind]) => kind === 'file').map(([path]) => path);
  return paths.sort((a, b) => rank(a) - rank(b));
}

/**
 * The snapshot with the texts of an editor in place of those on disk, as if they had been saved: a text of a path where
 * nothing is makes a file. Paths in closed folders, or below a file, are left out.
 */
export function withOpenTexts(disk: Snapshot, open: ReadonlyMap<string, string>): Snapshot {
  if (open.size === 0) return disk;
  const changes = [...open].filter(([path]) => canHold(disk, path));
  const added = changes.filter(([path]) => !disk.entries.has(path)).map(([path]) => path);
  const entries = added.length === 0 ? disk.entries : withFiles(disk.entries, added);
  const facts = new Map(disk.facts);
  const texts = new Map(disk.texts);
  for (const [path, text] of changes) {
    const fact = disk.facts.get(path);
    const size = utf8Length(text);
    facts.set(path, { size, mode: fact?.mode ?? 0o644, link: fact?.link ?? null });
    texts.set(path, textFile(path, text, size));
  }
  const inOrder = filesInReadingOrder(entries).flatMap((path): [string, TextFile][] => {
    const text = texts.get(path);
    return text === undefined ? [] : [[path, text]];
  });
  return { ...disk, entries, facts, texts: new Map(inOrder) };
}

function canHold({ entries, facts }: Snapshot, path: string): boolean {
  const parts = path.split('/');
  if (path !== innerPath(path) || path === '') return false;
  const kind = entries.get(path);
  if (kind !== undefined && kind !== 'file') return false;
  return parts.slice(0, -1).every((name, at) => {
    const folder = parts.slice(0, at + 1).join('/');
    const isFolder = (entries.get(folder) ?? 'directory') === 'directory';
    return isFolder && !closedFolders.has(name) && (facts.get(folder)?.link ?? null) === null;
  });
}

/** More files, and the folders they are in, in the order in which a walk meets them. */
function withFiles(entries: ReadonlyMap<string, FileKind>, files: readonly string[]): ReadonlyMap<string, FileKind> {
  const all = new Map(entries);
  for (const file of files) {
    for (let at = file.indexOf('/'); at >= 0; at = file.indexOf('/', at + 1)) {
      if (!all.has(file.slice(0, at))) all.set(file.slice(0, at), 'directory');
    }
    all.set(file, 'file');
  }
  const children = new Map<string, string[]>();
  for (const path of all.keys()) {
    const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    children.set(parent, [...(children.get(parent) ?? []), path]);
  }
  const inOrder = new Map<string, FileKind>();
  const walk = (folder: string): void => {
    const paths = (children.get(folder) ?? []).sort((a, b) => compareCodePoints(lastPart(a), lastPart(b)));
    for (const path of paths) inOrder.set(path, all.get(path) ?? 'file');
    for (const path of paths) if (all.get(path) === 'directory') walk(path);
  };
  walk('');
  return inOrder;
}

/** Bytes of a text in UTF-8; half a surrogate pair counts as the character that stands in for it. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

class Walk {
  readonly entries = new Map<string, FileKind>();
  readonly facts = new Map<string, FileFacts>();
  readonly read = new Map<string, TextFile>();
  readonly dangling: string[] = [];
  limit: string | null = null;
  private readonly behindLinks = new Set<string>();

  constructor(
    private readonly files: Files,
    private readonly dir: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async folder(path: string, depth: number): Promise<void> {
    const found = await this.files.list(this.full(path));
    const folders: string[] = [];
    const links: string[] = [];
    for (const { name, kind, isLink } of found ?? []) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (kind === 'link') {
        this.dangling.push(inner);
        links.push(inner);
        continue;
      }
      if (this.entries.size >= maxFiles) {
        this.limit ??= `Only the first ${maxFiles} names of the task were looked at.`;
        break;
      }
      this.entries.set(inner, kind);
      if (isLink === true) {
        links.push(inner);
        if (kind === 'directory' && namedFolders.test(inner)) await this.namesBehindLink(inner);
      } else if (kind === 'directory' && !closedFolders.has(name)) folders.push(inner);
    }
    await Promise.all(
      links.map(async (inner) => {
        const link = (await this.files.linkTarget(this.full(inner))) ?? '';
        this.facts.set(inner, { size: 0, mode: 0, link });
      }),
    );
    for (const inner of folders) {
      if (this.signal?.aborted === true) return;
      if (depth < maxDepth) await this.folder(inner, depth + 1);
      else this.limit ??= `Folders deeper than ${maxDepth} were not looked at.`;
    }
  }

  /** Enough to know that a script is there; what lies outside of the task is not read. */
  private async namesBehindLink(path: string): Promise<void> {
    for (const { name, kind } of (await this.files.list(this.full(path))) ?? []) {
      if (kind === 'link' || this.entries.size >= maxFiles) continue;
      const inner = `${path}/${name}`;
      this.entries.set(inner, kind);
      this.behindLinks.add(inner);
      if (kind === 'directory' && namedFolders.test(inner)) await this.namesBehindLink(inner);
    }
  }

  async texts(): Promise<void> {
    let left = maxTotalText;
    for (const path of filesInReadingOrder(this.entries)) {
      if (this.signal?.aborted === true) return;
      const text = await this.text(path, left > 0);
      if (text === null) continue;
      this.read.set(path, text);
      left -= text.text?.length ?? 0;
    }
    if (left <= 0) this.limit ??= `Only the first ${maxTotalText >> 20} MiB of the task's texts were read.`;
  }

  private async text(path: string, isRead: boolean): Promise<TextFile | null> {
    const link = this.facts.get(path)?.link ?? null;
    if (this.behindLinks.has(path)) return { path, text: null, trouble: 'is in a folder that is a link' };
    if (link !== null && !this.staysInside(path, link)) {
      return { path, text: null, trouble: 'is a link that leads out of the task folder' };
    }
    const stat = await this.files.stat(this.full(path));
    if (stat === null) return null;
    this.facts.set(path, { size: stat.size, mode: stat.mode, link });
    if (!isRead) return { path, text: null, trouble: 'was not read, since the task holds too much text' };
    return readText(this.files, this.full(path), path);
  }

  /** Only a link to a plain file of the task: one to another link, or through one, might lead anywhere. */
  private staysInside(path: string, link: string): boolean {
    const slash = path.lastIndexOf('/');
    const target = innerPath(`${slash < 0 ? '' : path.slice(0, slash + 1)}${link}`);
    if (link.startsWith('/') || target === null || this.entries.get(target) !== 'file') return false;
    return !this.behindLinks.has(target) && (this.facts.get(target)?.link ?? null) === null;
  }

  private full(path: string): string {
    return path === '' ? this.dir : this.files.join(this.dir, ...path.split('/'));
  }
}
