import type { Files } from './files';

/** Where the things that belong to a task, but not into it, are kept (product.md, “On disk”). */
export interface Workspace {
  /** Absolute. */
  readonly root: string;
  /** The task's folder relative to the root, with `/`; never empty, never with `..`. */
  readonly taskPath: string;
  /** What a person has to be told about the choice; null for the ordinary case. */
  readonly note: string | null;
}

/** A folder that holds one of these is a workspace root. */
const markers = ['.taskwright', 'taskwright.toml', '.git'] as const;

/**
 * The nearest folder at or above the task that holds a marker, else `fallback` (the VS Code folder or the working
 * directory). Where that would be the task's own folder, or one that does not hold the task, its parent takes it.
 * Both paths are absolute and without `.` or `..`.
 */
export async function findWorkspace(files: Files, taskDir: string, fallback: string): Promise<Workspace> {
  const marked = await nearestMarked(files, taskDir);
  const root = marked ?? fallback;
  const taskPath = pathBelow(root, taskDir);
  if (taskPath !== null && taskPath !== '') return { root, taskPath, note: null };
  const parent = parentFolder(taskDir);
  if (parent === null) throw new Error('the root of a file system is no task');
  const why =
    taskPath === ''
      ? 'the workspace root would be the task itself, and nothing is written into a task'
      : 'the task is outside of the working directory';
  return {
    root: parent,
    taskPath: pathBelow(parent, taskDir) ?? lastName(taskDir),
    note: `Receipts go to ${files.join(parent, '.taskwright')}: ${why}.`,
  };
}

/** Absolute path of the receipt of a task. */
export function receiptPath(files: Files, workspace: Workspace): string {
  const names = workspace.taskPath.split('/');
  const last = names.pop() ?? '';
  return files.join(workspace.root, '.taskwright', 'receipts', ...names, `${last}.json`);
}

/** Absolute folder of a task's own cheats or variants at the workspace root (cheats.md, section 6: the first place). */
export function authorFolder(files: Files, workspace: Workspace, kind: 'cheats' | 'variants'): string {
  return files.join(workspace.root, '.taskwright', kind, ...workspace.taskPath.split('/'));
}

export interface JobsDir {
  readonly dir: string;
  readonly note: string | null;
}

/**
 * Where jobs go. A relative `jobsDir` starts at `base` (the workspace root in VS Code, the working directory in a
 * terminal), unless it would then lie inside one of the tasks: the parent of that task takes it.
 */
export function resolveJobsDir(
  files: Files,
  jobsDir: string,
  base: string,
  taskDirs: readonly string[],
  isAbsolute: (path: string) => boolean,
): JobsDir {
  if (isAbsolute(jobsDir)) return { dir: files.join(jobsDir), note: null };
  const dir = files.join(base, jobsDir);
  const inside = taskDirs.find((taskDir) => pathBelow(taskDir, dir) !== null);
  const parent = inside === undefined ? null : parentFolder(inside);
  if (parent === null) return { dir, note: null };
  const moved = files.join(parent, jobsDir);
  return { dir: moved, note: `Jobs go to ${moved}: nothing is written into a task.` };
}

async function nearestMarked(files: Files, start: string): Promise<string | null> {
  for (let folder: string | null = start; folder !== null; folder = parentFolder(folder)) {
    for (const marker of markers) if ((await files.stat(files.join(folder, marker))) !== null) return folder;
  }
  return null;
}

/** null at the root of a file system. Understands the separators of either platform, whatever this runs on. */
export function parentFolder(path: string): string | null {
  // Where paths begin with a slash, a backslash is an ordinary character of a name.
  const posix = path.startsWith('/');
  const trimmed = path.replace(posix ? /\/+$/ : /[/\\]+$/, '');
  const at = posix ? trimmed.lastIndexOf('/') : Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
  if (at < 0 || trimmed === '') return null;
  const parent = trimmed.slice(0, at);
  if (parent === '') return trimmed.charAt(at);
  // `C:` alone would mean "where that drive's working directory is".
  return /^[A-Za-z]:$/.test(parent) ? `${parent}${trimmed.charAt(at)}` : parent;
}

/** `path` relative to `folder`, with `/`; `` for the folder itself; null when it is not below it. */
export function pathBelow(folder: string, path: string): string | null {
  const base = comparable(folder);
  const full = comparable(path);
  if (base === full) return '';
  const prefix = base.endsWith('/') ? base : `${base}/`;
  return full.startsWith(prefix) ? full.slice(prefix.length) : null;
}

function lastName(path: string): string {
  return comparable(path).split('/').pop() ?? '';
}

function comparable(path: string): string {
  // Drive letters come in either case: editors write `c:`, shells `C:`.
  const drive = /^([A-Za-z]):/.exec(path);
  const unified = drive === null ? path : `${(drive[1] ?? '').toLowerCase()}${path.slice(1).replace(/\\/g, '/')}`;
  return unified.length > 1 ? unified.replace(/\/+$/, '') || '/' : unified;
}
