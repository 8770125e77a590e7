import type { FileStat, Files } from '../../core/files';
import { compareCodePoints } from '../../core/text/code-points';

/** Files as they would be after changes that are not yet written. Only whole texts of files are laid over. */
export interface Overlay {
  readonly files: Files;
  /** null when the file is not there, is no plain file, or is no UTF-8. */
  text(path: string): Promise<string | null>;
  put(path: string, text: string): void;
  remove(path: string): void;
  /** What was put, by path. */
  readonly changes: ReadonlyMap<string, string>;
}

const textLimit = 1 << 20;

const newFile: FileStat = { kind: 'file', isLink: false, size: 0, mode: 0o644 };
const newFolder: FileStat = { kind: 'directory', isLink: false, size: 0, mode: 0o755 };

/** What of `path` lies below `folder`, with the platform's separators; null when it does not. */
function restBelow(folder: string, path: string): string | null {
  const isBelow = path.startsWith(folder) && /^[/\\]/.test(path.slice(folder.length));
  return isBelow ? path.slice(folder.length + 1) : null;
}

export function overlay(below: Files, sha256: (bytes: Uint8Array) => string): Overlay {
  const changes = new Map<string, string>();
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const isFolderOfChange = (path: string): boolean =>
    [...changes.keys()].some((changed) => restBelow(path, changed) !== null);
  const files: Files = {
    ...below,
    stat: async (path) => {
      const found = await below.stat(path);
      const text = changes.get(path);
      if (text === undefined) return found ?? (isFolderOfChange(path) ? newFolder : null);
      return { ...(found ?? newFile), size: bytesOf(text).length };
    },
    list: async (path) => {
      const found = await below.list(path);
      const added = [...changes.keys()].flatMap((changed) => {
        const rest = restBelow(path, changed);
        return rest === null ? [] : [rest];
      });
      if (added.length === 0) return found;
      const entries = new Map((found ?? []).map((entry) => [entry.name, entry]));
      for (const rest of added) {
        const [name = '', ...more] = rest.split(/[/\\]/);
        if (!entries.has(name)) entries.set(name, { name, kind: more.length > 0 ? 'directory' : 'file' });
      }
      return [...entries.values()].sort((a, b) => compareCodePoints(a.name, b.name));
    },
    read: async (path, maxBytes) => {
      const text = changes.get(path);
      if (text === undefined) return below.read(path, maxBytes);
      const bytes = bytesOf(text);
      if (bytes.length <= maxBytes) return { ok: true, bytes };
      return { ok: false, reason: 'too-large', message: `${path} is larger than ${maxBytes} bytes.` };
    },
    sha256: async (path) => {
      const text = changes.get(path);
      return text === undefined ? below.sha256(path) : sha256(bytesOf(text));
    },
  };
  return {
    files,
    changes,
    text: async (path) => {
      const read = await files.read(path, textLimit);
      if (!read.ok) return null;
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes);
      } catch {
        return null;
      }
    },
    put: (path, text) => {
      changes.set(path, text);
    },
    remove: (path) => {
      changes.delete(path);
    },
  };
}
