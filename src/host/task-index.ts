import { EventEmitter, RelativePattern, Uri, workspace } from 'vscode';
import type { Event, LogOutputChannel, WorkspaceFolder } from 'vscode';
import type { Task } from '../core/task/task';
import { pathBelow } from '../core/workspace';
import { setContextKey } from './context-keys';
import { disposeAll, type Lifetime } from './lifetime';
import type { Reader } from './reading';

/** A task folder as it was last read, and where in the workspace it is. */
export interface TaskEntry {
  /** `<folder uri>#<task path>`: stable while the folder stays where it is. */
  readonly id: string;
  readonly folder: WorkspaceFolder;
  /** Relative to the workspace folder, with `/`; `.` for the folder itself. */
  readonly path: string;
  /** The folder of task folders it is in, relative to the workspace folder; null where that is the folder itself. */
  readonly dataset: string | null;
  readonly uri: Uri;
  readonly task: Task;
}

/** A folder that looks like a task and is none. */
export interface StrayFolder {
  readonly id: string;
  readonly folder: WorkspaceFolder;
  readonly path: string;
  readonly dataset: string | null;
  readonly uri: Uri;
  /** One sentence for people. */
  readonly reason: string;
}

export interface TaskIndexChange {
  /** Entries whose content was read anew; the set of tasks stayed the same. null: the set itself changed. */
  readonly changed: readonly TaskEntry[] | null;
}

const settleMs = 250;

/**
 * The tasks of the workspace, kept up to date by file events. Nothing is read before `start()` or a refresh. One
 * refresh runs at a time: what happens during one makes another follow.
 */
export class TaskIndex implements Lifetime {
  private list: readonly TaskEntry[] = [];
  private strayList: readonly StrayFolder[] = [];
  private searched = false;
  private running: Promise<void> | null = null;
  private again = false;
  private readonly dirtyTasks = new Set<string>();
  private searchNeeded = false;
  private timer: NodeJS.Timeout | null = null;
  private watchers: Lifetime[] = [];
  private readonly own: Lifetime[] = [];
  private readonly changed = new EventEmitter<TaskIndexChange>();
  private readonly receiptsTouched = new EventEmitter<void>();
  private disposed = false;

  readonly onDidChange: Event<TaskIndexChange> = this.changed.event;
  /** Something below a `.taskwright` folder changed. */
  readonly onDidTouchReceipts: Event<void> = this.receiptsTouched.event;

  constructor(
    private readonly reader: Pick<Reader, 'discover' | 'load'>,
    private readonly log: LogOutputChannel,
    /** Absolute folders whose changes do not matter: the jobs folders. */
    private readonly skipped: (folder: WorkspaceFolder) => readonly string[],
  ) {
    this.own.push(
      workspace.onDidChangeWorkspaceFolders(() => {
        if (this.watchers.length > 0 || this.searched) this.watch();
        void this.refresh();
      }),
    );
  }

  dispose(): void {
    this.disposed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    disposeAll([...this.own, ...this.watchers, this.changed, this.receiptsTouched]);
  }

  get entries(): readonly TaskEntry[] {
    return this.list;
  }

  get strays(): readonly StrayFolder[] {
    return this.strayList;
  }

  /** False until the first search has ended. */
  get scanned(): boolean {
    return this.searched;
  }

  find(dir: string): TaskEntry | null {
    return this.list.find(({ task }) => task.dir === dir) ?? null;
  }

  /** The innermost task that holds a file. */
  owner(file: string): TaskEntry | null {
    const holders = this.list.filter(({ task }) => pathBelow(task.dir, file) !== null);
    return holders.sort((a, b) => b.task.dir.length - a.task.dir.length)[0] ?? null;
  }

  /** Starts watching and searching, once. */
  start(): void {
    if (this.watchers.length > 0 || this.searched || this.running !== null) return;
    this.watch();
    void this.refresh();
  }

  /** Searches everything anew; settles when the index shows at least what the disk held at the time of the call. */
  refresh(): Promise<void> {
    this.searchNeeded = true;
    return this.update();
  }

  private update(): Promise<void> {
    this.again = true;
    this.running ??= this.work().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async work(): Promise<void> {
    while (this.again && !this.disposed) {
      this.again = false;
      try {
        if (this.searchNeeded) await this.search();
        else await this.reload();
      } catch (error) {
        this.log.error(
          `Reading the tasks failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
        this.searched = true;
      }
    }
  }

  private async search(): Promise<void> {
    this.searchNeeded = false;
    this.dirtyTasks.clear();
    const started = performance.now();
    const found: TaskEntry[] = [];
    const strays: StrayFolder[] = [];
    for (const folder of workspace.workspaceFolders ?? []) {
      if (folder.uri.scheme !== 'file') continue;
      const { tasks, others } = await this.reader.discover(folder.uri.fsPath);
      // In nested workspace folders the inner one owns: it sees the same task by a shorter way.
      for (const task of tasks) if (isOwner(folder, task.dir)) found.push({ ...placeOf(folder, task.dir), task });
      for (const { dir, reason } of others) if (isOwner(folder, dir)) strays.push({ ...placeOf(folder, dir), reason });
    }
    if (this.disposed) return;
    const sameSet = isSameSet(this.list, found) && isSameSet(this.strayList, strays);
    this.list = found;
    this.strayList = strays;
    this.searched = true;
    setContextKey('taskwright.scanned', true);
    setContextKey('taskwright.hasTasks', found.length + strays.length > 0);
    setContextKey(
      'taskwright.taskFolders',
      found.map(({ uri }) => uri.fsPath),
    );
    this.log.debug(`Found ${found.length} task folders in ${Math.round(performance.now() - started)} ms`);
    this.changed.fire({ changed: sameSet ? found : null });
  }

  private async reload(): Promise<void> {
    const dirs = [...this.dirtyTasks];
    this.dirtyTasks.clear();
    const changed: TaskEntry[] = [];
    for (const dir of dirs) {
      const before = this.find(dir);
      if (before === null) continue;
      const task = await this.reader.load(dir, before.path !== '.');
      if (task === null) return this.search();
      const entry = { ...placeOf(before.folder, dir), task };
      this.list = this.list.map((known) => (known.id === entry.id ? entry : known));
      changed.push(entry);
    }
    if (changed.length > 0 && !this.disposed) this.changed.fire({ changed });
  }

  private watch(): void {
    disposeAll(this.watchers);
    this.watchers = (workspace.workspaceFolders ?? []).flatMap((folder) => {
      if (folder.uri.scheme !== 'file') return [];
      const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, '**/*'));
      return [
        watcher,
        watcher.onDidChange((uri) => {
          this.touched(uri, false);
        }),
        watcher.onDidCreate((uri) => {
          this.touched(uri, true);
        }),
        watcher.onDidDelete((uri) => {
          this.touched(uri, true);
        }),
      ];
    });
  }

  private touched(uri: Uri, cameOrWent: boolean): void {
    const path = uri.fsPath.replace(/\\/g, '/');
    if (/\/(\.git|node_modules)(\/|$)/.test(path)) return;
    if (path.includes('/.taskwright/') || path.endsWith('/.taskwright') || path.endsWith('/taskwright.toml')) {
      this.receiptsTouched.fire();
      return;
    }
    const folder = workspace.getWorkspaceFolder(uri);
    if (folder !== undefined && this.skipped(folder).some((dir) => pathBelow(dir, uri.fsPath) !== null)) return;
    const owner = this.owner(uri.fsPath);
    const isTaskFile = /\/(task\.toml|instruction\.md)$/.test(path);
    const isTaskFolder = owner?.task.dir === uri.fsPath;
    if (cameOrWent && (isTaskFile || isTaskFolder || this.holdsTask(uri.fsPath))) this.searchNeeded = true;
    else if (owner !== null) this.dirtyTasks.add(owner.task.dir);
    // A folder that was moved here with everything in it is reported by its own name alone.
    else if (cameOrWent && !/\.[^/]*$/.test(path)) this.searchNeeded = true;
    else return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.update();
    }, settleMs);
  }

  private holdsTask(folder: string): boolean {
    return this.list.some(({ task }) => pathBelow(folder, task.dir) !== null);
  }
}

function isOwner(folder: WorkspaceFolder, dir: string): boolean {
  return !(workspace.workspaceFolders ?? []).some(
    (other) => other.uri.fsPath.length > folder.uri.fsPath.length && pathBelow(other.uri.fsPath, dir) !== null,
  );
}

function isSameSet(before: readonly { readonly id: string }[], now: readonly { readonly id: string }[]): boolean {
  return before.length === now.length && now.every(({ id }, at) => id === before[at]?.id);
}

function placeOf(folder: WorkspaceFolder, dir: string): Omit<StrayFolder, 'reason'> {
  const below = pathBelow(folder.uri.fsPath, dir) ?? '';
  const path = below === '' ? '.' : below;
  const at = path.lastIndexOf('/');
  const dataset = at < 0 ? null : path.slice(0, at);
  return { id: `${folder.uri.toString()}#${path}`, folder, path, dataset, uri: Uri.file(dir) };
}
