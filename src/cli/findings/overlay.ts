import type { Files } from '../../core/files';

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

export function overlay(below: Files, sha256: (bytes: Uint8Array) => string): Overlay {
  const changes = new Map<string, string>();
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const files: Files = {
    ...below,
    stat: async (path) => {
      const found = await below.stat(path);
      const text = changes.get(path);
      if (text === undefined || found === null) return found;
      return { ...found, size: bytesOf(text).length };
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
