import { createHash } from 'node:crypto';
import type { DirEntry, Files, FileStat, ReadResult } from '../../src/core/files';
import { compareCodePoints } from '../../src/core/text/code-points';

/**
 * Files held in memory, by absolute path with `/`. A text is a file; null is an empty folder; `{ link }` leads to another
 * absolute path.
 */
export type Tree = Readonly<Record<string, string | Uint8Array | null | { readonly link: string }>>;

export function memoryFiles(tree: Tree): Files {
  const bytesOf = (content: string | Uint8Array): Uint8Array =>
    typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const normal = (path: string): string => {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  };
  /** Follows links in every part; null after too many. */
  const resolve = (path: string, depth = 0): string | null => {
    if (depth > 40) return null;
    let at = '';
    for (const part of normal(path).split('/').slice(1)) {
      at += `/${part}`;
      const entry = tree[at];
      if (entry !== null && typeof entry === 'object' && 'link' in entry) {
        return resolve(entry.link + normal(path).slice(at.length), depth + 1);
      }
    }
    return normal(path);
  };
  const kindOf = (path: string): 'file' | 'directory' | null => {
    const real = resolve(path);
    if (real === null) return null;
    const entry = tree[real];
    if (entry === null || real === '/' || Object.keys(tree).some((other) => other.startsWith(`${real}/`)))
      return 'directory';
    return entry === undefined ? null : 'file';
  };
  const contentOf = (path: string): Uint8Array | null => {
    const real = resolve(path);
    const entry = real === null ? undefined : tree[real];
    return typeof entry === 'string' || entry instanceof Uint8Array ? bytesOf(entry) : null;
  };
  const isLink = (path: string): boolean => {
    const entry = tree[normal(path)];
    return entry !== null && typeof entry === 'object' && 'link' in entry;
  };
  return {
    join: (base, ...names) => normal([base, ...names].join('/')),
    stat: async (path): Promise<FileStat | null> => {
      const kind = kindOf(path);
      if (kind === null && !isLink(path)) return null;
      return { kind: kind ?? 'link', isLink: isLink(path), size: contentOf(path)?.length ?? 0, mode: 0o644 };
    },
    list: async (path): Promise<readonly DirEntry[] | null> => {
      if (kindOf(path) !== 'directory') return null;
      const real = resolve(path) ?? path;
      const prefix = real === '/' ? '/' : `${real}/`;
      const names = Object.keys(tree).flatMap((other) =>
        other.startsWith(prefix) ? [other.slice(prefix.length).split('/')[0] ?? ''] : [],
      );
      return [...new Set(names)].sort(compareCodePoints).map((name) => ({
        name,
        kind: kindOf(`${prefix}${name}`) ?? 'link',
        ...(isLink(`${prefix}${name}`) && { isLink: true }),
      }));
    },
    linkTarget: async (path) => {
      const entry = tree[normal(path)];
      return entry !== null && typeof entry === 'object' && 'link' in entry ? entry.link : null;
    },
    read: async (path, maxBytes): Promise<ReadResult> => {
      const bytes = contentOf(path);
      if (bytes !== null && bytes.length <= maxBytes) return { ok: true, bytes };
      const reason = bytes !== null ? 'too-large' : kindOf(path) === null ? 'missing' : 'not-a-file';
      return { ok: false, reason, message: `${path}: ${reason}` };
    },
    sha256: async (path) => {
      const bytes = contentOf(path);
      return bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
    },
  };
}

/** The parts of a sound task, below a folder; `changes` replace parts, undefined leaves one out. */
export function taskTree(dir: string, changes: Readonly<Record<string, Tree[string] | undefined>> = {}): Tree {
  const parts: Record<string, Tree[string] | undefined> = {
    'task.toml': soundConfig,
    'instruction.md': 'Write the answer to /app/answer.txt.\n',
    'environment/Dockerfile': 'FROM python:3.13-slim\nRUN useradd dev\nUSER dev\nWORKDIR /app\n',
    'tests/test.sh':
      '#!/bin/bash\nrm -f /logs/verifier/reward.txt /logs/verifier/reward.json\nreward=0\n' +
      'if [ "$(cat /app/answer.txt)" = 42 ]; then reward=1; fi\necho "$reward" > /logs/verifier/reward.txt\n',
    'solution/solve.sh': '#!/bin/bash\nexpr 6 \\* 7 > /app/answer.txt\n',
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([path, content]) => (content === undefined ? [] : [[`${dir}/${path}`, content]])),
  );
}

export const soundConfig = `[task]
name = "acme/sound"

[agent]
timeout_sec = 600.0

[verifier]
timeout_sec = 60.0

[environment]
cpus = 1
memory_mb = 512
`;
