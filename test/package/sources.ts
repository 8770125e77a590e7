import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Paths of the files Git tracks or would take in, with `/`, links left out. */
export function repositoryFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && isFile(path)).sort();
}

function isFile(path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** null for a file that is no text. */
export function textOf(path: string): string | null {
  const bytes = readFileSync(join(root, path));
  return bytes.includes(0) ? null : bytes.toString('utf8');
}

export function sourceTexts(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of repositoryFiles()) {
    if (/^src\/.*\.tsx?$/.test(path)) texts.set(path, textOf(path) ?? '');
  }
  return texts;
}
