import type { DirEntry, Files } from '../files';
import { lastPart } from './snapshot';

/** A folder or file that is no task, although it was asked for or looks like one. */
export interface NoTask {
  /** Absolute path. */
  readonly dir: string;
  /** One sentence for people. */
  readonly reason: string;
}

/** Where tasks are, before any of them is read. */
export interface FoundTasks {
  /** `file`: a task.toml that is judged alone. `none`: nothing that could be a task; `message` says so. */
  readonly kind: 'task' | 'dataset' | 'none' | 'file';
  /** Absolute paths in order: task folders, or the one task.toml of kind `file`. */
  readonly places: readonly string[];
  readonly others: readonly NoTask[];
  /** null when there is nothing to say. */
  readonly message: string | null;
}

export interface DiscoverOptions {
  readonly signal?: AbortSignal;
  /** Folders that are visited at most; the rest is left out, and `message` says so. Default 5,000. */
  readonly maxFolders?: number;
}

/**
 * Finds tasks at a path: a task folder, a folder of tasks at any depth, or a single task.toml. A folder with a
 * task.toml is a task, and nothing below it is looked at. Reads no file.
 */
export async function findTasks(files: Files, path: string, options: DiscoverOptions = {}): Promise<FoundTasks> {
  const stat = await files.stat(path);
  if (stat === null || stat.kind === 'link') return nothing(path, `Nothing is at ${path}.`);
  if (stat.kind !== 'directory') {
    if (lastPart(path) === 'task.toml') return { kind: 'file', places: [path], others: [], message: null };
    return nothing(path, `${path} is a file; a task is a folder with a task.toml.`);
  }
  const entries = await files.list(path);
  if (entries === null) return nothing(path, `The folder ${path} cannot be read.`);
  if (isFileNamed(entries, 'task.toml')) return { kind: 'task', places: [path], others: [], message: null };
  if (entries.length === 0) return nothing(path, `The folder ${path} is empty; a task needs at least a task.toml.`);

  const walk = new Walk(files, options);
  await walk.children(path, entries, 1);
  const looks = looksLikeTask(entries);
  if (looks) walk.others.unshift({ dir: path, reason: withoutConfig });
  if (walk.places.length === 0) {
    const message = looks ? `${path} looks like a task, but has no task.toml.` : `No task was found in ${path}.`;
    return { kind: 'none', places: [], others: walk.others, message: walk.limitMessage ?? message };
  }
  return { kind: 'dataset', places: walk.places, others: walk.others, message: walk.limitMessage };
}

const withoutConfig = 'It looks like a task, but has no task.toml: Harbor does not see it.';
const defaultMaxFolders = 5_000;
// A dataset is rarely deeper than three folders; the limit ends loops that a file system hides from us.
const maxDepth = 12;
const neverSearched = new Set(['node_modules', '__pycache__']);

class Walk {
  readonly places: string[] = [];
  readonly others: NoTask[] = [];
  limitMessage: string | null = null;
  private visited = 0;

  constructor(
    private readonly files: Files,
    private readonly options: DiscoverOptions,
  ) {}

  async children(dir: string, entries: readonly DirEntry[], depth: number): Promise<void> {
    for (const { name, kind } of entries) {
      if (kind !== 'directory' || name.startsWith('.') || neverSearched.has(name)) continue;
      if (this.options.signal?.aborted === true) return;
      await this.visit(this.files.join(dir, name), depth);
    }
  }

  private async visit(dir: string, depth: number): Promise<void> {
    const limit = this.options.maxFolders ?? defaultMaxFolders;
    if (this.visited >= limit) {
      this.limitMessage = `Only ${limit} folders were searched for tasks; open or name a smaller folder to see the rest.`;
      return;
    }
    this.visited++;
    const stat = await this.files.stat(dir);
    if (stat === null) return;
    const entries = await this.files.list(dir);
    if (entries === null) {
      this.others.push({ dir, reason: 'The folder cannot be read.' });
      return;
    }
    if (isFileNamed(entries, 'task.toml')) {
      // Harbor follows a link to a task, so it counts; a link to a folder of tasks could lead in circles.
      this.places.push(dir);
      return;
    }
    if (stat.isLink || isJob(entries)) return;
    if (looksLikeTask(entries)) this.others.push({ dir, reason: withoutConfig });
    if (depth < maxDepth) await this.children(dir, entries, depth + 1);
  }
}

/** A folder of a Harbor job: its trials hold copies of nothing we search for, but may be many. */
function isJob(entries: readonly DirEntry[]): boolean {
  return (
    isFileNamed(entries, 'config.json') && (isFileNamed(entries, 'result.json') || isFileNamed(entries, 'job.log'))
  );
}

function looksLikeTask(entries: readonly DirEntry[]): boolean {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  const parts = [has('instruction.md') || has('steps'), has('environment'), has('tests'), has('solution')];
  return has('instruction.md') ? parts.filter(Boolean).length >= 2 : parts.filter(Boolean).length >= 3;
}

function isFileNamed(entries: readonly DirEntry[], name: string): boolean {
  return entries.some((entry) => entry.name === name && entry.kind !== 'directory' && entry.kind !== 'link');
}

function nothing(dir: string, message: string): FoundTasks {
  return { kind: 'none', places: [], others: [{ dir, reason: message }], message };
}
