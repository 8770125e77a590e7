import type { AuthorHeader } from '../../core/cheats/author-header';
import { readAuthorHeader } from '../../core/cheats/author-header';
import type { Files } from '../../core/files';
import type { Task } from '../../core/task/task';
import type { Lookup } from '../../core/task/templates';
import { resolveEnv } from '../../core/task/templates';
import type { Workspace } from '../../core/workspace';
import { authorFolder } from '../../core/workspace';
import type { CheatRun } from '../trial/spec';

type EntryFolder = 'cheats' | 'variants';

/** A cheat or an alternative solution that an author keeps beside the task (cheats.md, section 6). */
export interface AuthorEntry {
  readonly name: string;
  readonly folder: EntryFolder;
  /** `author:<name>`, or `variant:<name>` for an alternative solution. */
  readonly label: string;
  /** Absolute path of the script or the folder. */
  readonly path: string;
  readonly header: AuthorHeader;
  /** Names with `/`, relative to the folder that is copied. */
  readonly files: CheatRun['files'];
  /** Name among `files` of what is executed. */
  readonly entry: string;
}

/** An entry that cannot be run. The others are. */
export interface AuthorProblem {
  readonly name: string;
  readonly folder: EntryFolder;
  readonly label: string;
  /** Absolute path of the file that is wrong. */
  readonly file: string;
  /** From 0. */
  readonly line: number;
  /** What is wrong with it, without its path. */
  readonly message: string;
}

export interface AuthorEntries {
  /** Cheats first, then variants, each by name. */
  readonly entries: readonly AuthorEntry[];
  readonly problems: readonly AuthorProblem[];
}

const maxFiles = 500;
const maxTotalBytes = 50 * 1024 * 1024;
const maxDepth = 12;
/** Seconds for an entry of a task whose agent has no limit. */
const defaultLimit = 600;
const aside = /^\.|^(?:README|NOTES|LICENSE)(?:\.|$)|\.(?:md|rst)$/i;

/** Finds the entries of a task: at the workspace root if there is a folder for it, else in the task itself. */
export async function loadAuthorEntries(files: Files, workspace: Workspace, task: Task): Promise<AuthorEntries> {
  const entries: AuthorEntry[] = [];
  const problems: AuthorProblem[] = [];
  for (const folder of ['cheats', 'variants'] as const) {
    for (const dir of [authorFolder(files, workspace, folder), files.join(task.dir, folder)]) {
      const listed = await files.list(dir);
      if (listed === null) continue;
      for (const { name, kind } of listed) {
        if (aside.test(name) || (kind !== 'file' && kind !== 'directory')) continue;
        const read =
          kind === 'file' ? await readScript(files, folder, dir, name) : await readFolder(files, folder, dir, name);
        if (!read.ok) problems.push(read.problem);
        else if (entries.some(({ label }) => label === read.entry.label))
          problems.push(problemOf(read.entry, 'another entry has the same name'));
        else entries.push(read.entry);
      }
      break;
    }
  }
  return { entries, problems };
}

export type AuthorRunResult =
  { readonly ok: true; readonly run: CheatRun } | { readonly ok: false; readonly message: string };

/**
 * Makes an entry ready to run as the oracle would be. An alternative solution gets the task's `[solution].env`, resolved
 * by `lookup`; a variable without a value is a message.
 */
export function authorRun(entry: AuthorEntry, task: Task, lookup: Lookup): AuthorRunResult {
  const { header } = entry;
  const resolved =
    header.kind === 'alternative'
      ? resolveEnv(task.config?.solution.env ?? {}, lookup)
      : ({ ok: true, env: {} } as const);
  if (!resolved.ok)
    return { ok: false, message: `[solution].env needs ${resolved.missing.join(', ')}, which is not set here` };
  const guarded = header.needs.length > 0;
  return {
    ok: true,
    run: {
      label: entry.label,
      source: header.kind,
      version: 1,
      level: 1,
      knowledge: 'informed',
      files: guarded
        ? [
            ...entry.files,
            { name: guardName, content: new TextEncoder().encode(guard(entry, header.needs)), mode: 0o755 },
          ]
        : entry.files,
      entry: guarded ? guardName : entry.entry,
      args: [],
      env: resolved.env,
      user: header.user,
      timeoutSec: header.timeoutSec ?? task.config?.agent.timeout_sec ?? defaultLimit,
      expect: header.expect,
      title: header.title,
      targets: header.targets,
      ...(guarded ? { mayDecline: true } : {}),
    },
  };
}

const guardName = '.needs.sh';

/** Says that the entry does not apply (77) where a program that it needs is missing. */
function guard(entry: AuthorEntry, needs: readonly string[]): string {
  return `#!/bin/sh
for program in ${needs.join(' ')}; do
  command -v "$program" >/dev/null 2>&1 || { echo "$program is not in the image" >&2; exit 77; }
done
exec "$(dirname "$0")"/'${entry.entry.replaceAll("'", "'\\''")}'
`;
}

type EntryResult =
  { readonly ok: true; readonly entry: AuthorEntry } | { readonly ok: false; readonly problem: AuthorProblem };

async function readScript(files: Files, folder: EntryFolder, dir: string, fileName: string): Promise<EntryResult> {
  const name = fileName.replace(/\.sh$/, '');
  const path = files.join(dir, fileName);
  const read = await files.read(path, maxTotalBytes);
  if (!read.ok) return failed(name, folder, path, 'it cannot be read');
  return entryOf(name, folder, path, path, fileName, [{ name: fileName, content: read.bytes, mode: 0o755 }]);
}

async function readFolder(files: Files, folder: EntryFolder, dir: string, name: string): Promise<EntryResult> {
  const path = files.join(dir, name);
  const script = files.join(path, 'solve.sh');
  const found: { name: string; content: Uint8Array; mode: number }[] = [];
  let left = maxTotalBytes;
  const visit = async (inner: string, depth: number): Promise<string | null> => {
    const below = inner === '' ? [] : inner.split('/');
    for (const { name: child, kind } of (await files.list(files.join(path, ...below))) ?? []) {
      const childName = inner === '' ? child : `${inner}/${child}`;
      const childPath = files.join(path, ...childName.split('/'));
      const stat = await files.stat(childPath);
      if (stat?.isLink === true) return `${childName} is a link; put a copy there, as links are not taken along`;
      if (kind === 'directory') {
        const trouble = depth < maxDepth ? await visit(childName, depth + 1) : 'its folders are nested too deeply';
        if (trouble !== null) return trouble;
      } else if (kind === 'file') {
        const read = await files.read(childPath, left);
        if (!read.ok)
          return read.reason === 'too-large' ? 'it has more than 50 MB of files' : `${childName} cannot be read`;
        if (found.length >= maxFiles) return `it has more than ${maxFiles} files`;
        left -= read.bytes.length;
        found.push({ name: childName, content: read.bytes, mode: stat?.mode ?? 0o644 });
      }
    }
    return null;
  };
  const trouble = await visit('', 0);
  if (trouble !== null) return failed(name, folder, path, trouble);
  if (!found.some((file) => file.name === 'solve.sh'))
    return failed(name, folder, path, 'the folder has no solve.sh, which is what would be run');
  return entryOf(
    name,
    folder,
    path,
    script,
    'solve.sh',
    found.map((file) => (file.name === 'solve.sh' ? { ...file, mode: file.mode | 0o111 } : file)),
  );
}

function entryOf(
  name: string,
  folder: EntryFolder,
  path: string,
  script: string,
  entry: string,
  content: CheatRun['files'],
): EntryResult {
  const text = new TextDecoder().decode(content.find((file) => file.name === entry)?.content);
  const read = readAuthorHeader(text, folder);
  if (!read.ok) return failed(name, folder, script, read.message, read.line);
  const label = `${read.header.kind === 'alternative' ? 'variant' : 'author'}:${name}`;
  return { ok: true, entry: { name, folder, label, path, header: read.header, files: content, entry } };
}

function failed(name: string, folder: EntryFolder, file: string, message: string, line = 0): EntryResult {
  const label = `${folder === 'variants' ? 'variant' : 'author'}:${name}`;
  return { ok: false, problem: { name, folder, label, file, line, message } };
}

function problemOf(entry: AuthorEntry, message: string): AuthorProblem {
  const { name, folder, label, path } = entry;
  return { name, folder, label, file: path, line: 0, message };
}
