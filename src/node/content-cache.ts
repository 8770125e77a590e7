import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Texts kept by a digest of what they were made of. Trouble with the disk only means that nothing is kept. */
export interface ContentCache {
  /** null when it is not there, or not as it was written. */
  get(key: string): string | null;
  put(key: string, text: string): void;
}

const dayMs = 86_400_000;

/** Keys are hexadecimal. Blocks; entries are written whole or not at all, and each holds a digest of itself. */
export function contentCache(folder: string): ContentCache {
  const place = (key: string): string => path.join(folder, key.slice(0, 2), key.slice(2));
  return {
    get: (key) => {
      const file = place(key);
      try {
        const stored = readFileSync(file, 'utf8');
        const end = stored.indexOf('\n');
        const text = stored.slice(end + 1);
        if (stored.slice(0, end) !== digest(text)) return null;
        touch(file);
        return text;
      } catch {
        return null;
      }
    },
    put: (key, text) => {
      const file = place(key);
      const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(temporary, `${digest(text)}\n${text}`, { mode: 0o600, flag: 'wx' });
        renameSync(temporary, file);
      } catch {
        rmQuietly(temporary);
      }
    },
  };
}

/** What was used lately is dropped last; a day is close enough, and spares a write for nearly every hit. */
function touch(file: string): void {
  const now = Date.now();
  if (now - statSync(file).mtimeMs > dayMs) utimesSync(file, now / 1000, now / 1000);
}

/** Drops what was not used for the longest until the rest is at most `maxBytes`, and what a writer left unfinished. */
export function trimContentCache(folder: string, maxBytes: number): void {
  const entries = namesIn(folder).flatMap((part) =>
    namesIn(path.join(folder, part)).flatMap((name) => {
      const file = path.join(folder, part, name);
      const found = statQuietly(file);
      return found === null
        ? []
        : [{ file, bytes: found.size, at: found.mtimeMs, isUnfinished: name.endsWith('.tmp') }];
    }),
  );
  const now = Date.now();
  let total = 0;
  for (const { file, bytes, at, isUnfinished } of entries.sort((a, b) => b.at - a.at)) {
    if (isUnfinished && now - at > dayMs) rmQuietly(file);
    else {
      total += bytes;
      if (total > maxBytes) rmQuietly(file);
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function statQuietly(file: string): { readonly size: number; readonly mtimeMs: number } | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

function rmQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Another process may hold it; the next trim takes it.
  }
}
