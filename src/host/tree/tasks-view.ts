import { EventEmitter, l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState, window } from 'vscode';
import type { Event, TreeDataProvider, TreeView, WorkspaceFolder } from 'vscode';
import type { Activity } from '../activity';
import type { Findings } from '../findings';
import { disposeAll, type Lifetime } from '../lifetime';
import { gateNames } from '../settings';
import type { StrayFolder, TaskEntry, TaskIndex } from '../task-index';
import type { Verdicts } from '../verdicts';
import type { Expansion } from './expansion';
import { findingGroups, findingsNode, findingsOf } from './finding-nodes';
import { findingGroupRow, findingRow, findingsRow } from './finding-rows';
import { isRunnable, partsOf, partsOfStep, stepsOf, type StrayNode, type TaskNode, type TreeNode } from './nodes';
import { attemptRow, attemptsWorthRows, gateRow, partRow, stepRow, strayRow, taskRow } from './rows';
import { tooltipOf } from './tooltips';

/** Findings of many tasks come one after the other; each new row takes the pointer's buttons away. */
const settleMs = 100;

/** Ages are shown in minutes. */
const ageMs = 60_000;

/** The Tasks view: workspace folders, datasets, tasks, and in each task its gates, findings and parts. */
export class TasksTree implements TreeDataProvider<TreeNode>, Lifetime {
  private readonly nodes = new Map<string, TreeNode>();
  private readonly changed = new EventEmitter<TreeNode | undefined>();
  private readonly own: Lifetime[] = [];
  private readonly settling = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private ticking: NodeJS.Timeout | null = null;
  readonly onDidChangeTreeData: Event<TreeNode | undefined> = this.changed.event;
  readonly view: TreeView<TreeNode>;

  constructor(
    private readonly tasks: TaskIndex,
    private readonly verdicts: Verdicts,
    private readonly activity: Activity,
    private readonly findings: Findings,
    private readonly expansion: Expansion,
  ) {
    this.view = window.createTreeView('taskwright.tasks', { treeDataProvider: this, showCollapseAll: true });
    this.own.push(
      this.view,
      this.changed,
      tasks.onDidChange(({ changed }) => {
        this.onTasksChanged(changed);
      }),
      findings.onDidChange((dir) => {
        this.refreshSoon([dir]);
      }),
      findings.onDidChangeServer(() => {
        this.refreshSoon(tasks.entries.map(({ task }) => task.dir));
      }),
      verdicts.onDidChange((dir) => {
        this.refreshTask(dir);
        this.showBadge();
      }),
      activity.onDidChange((dir) => {
        this.refreshTask(dir);
      }),
      this.view.onDidExpandElement(({ element }) => {
        expansion.set(element.id, true);
      }),
      this.view.onDidCollapseElement(({ element }) => {
        expansion.set(element.id, false);
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        this.tick(visible);
        if (visible) tasks.start();
      }),
    );
  }

  dispose(): void {
    this.tick(false);
    if (this.timer !== null) clearTimeout(this.timer);
    disposeAll(this.own);
  }

  getChildren(parent?: TreeNode): TreeNode[] {
    return (parent === undefined ? this.roots() : this.childrenOf(parent)).map((node) => this.keep(node));
  }

  getParent(node: TreeNode): TreeNode | null {
    const parent = this.parentOf(node);
    return parent === null ? null : this.keep(parent);
  }

  getTreeItem(node: TreeNode): TreeItem {
    const item = this.row(node);
    item.id = node.id;
    this.expansion.apply(item, node.id);
    return item;
  }

  /** Built on hover only. */
  resolveTreeItem(item: TreeItem, node: TreeNode): TreeItem {
    const tooltip = tooltipOf(node, this.verdicts, this.findings);
    if (tooltip !== null) item.tooltip = tooltip;
    return item;
  }

  /** The node of a task, for showing it. */
  nodeOf(entry: TaskEntry): TreeNode {
    return this.keep(taskNode(entry));
  }

  /** The row with a task's findings, for showing it. */
  findingsOf(entry: TaskEntry): TreeNode {
    return this.keep(findingsNode(entry));
  }

  private row(node: TreeNode): TreeItem {
    const { verdicts, activity, findings } = this;
    const state = { verdicts, activity, findings, now: () => new Date() };
    switch (node.kind) {
      case 'folder': {
        const item = new TreeItem(node.folder.name, TreeItemCollapsibleState.Expanded);
        item.iconPath = new ThemeIcon('root-folder');
        item.contextValue = this.groupContext(
          'folder',
          (entry) => entry.folder.uri.toString() === node.folder.uri.toString(),
        );
        return item;
      }
      case 'dataset': {
        const entries = this.inDataset(node.folder, node.path);
        const item = new TreeItem(node.path, TreeItemCollapsibleState.Expanded);
        item.iconPath = new ThemeIcon('library');
        item.description = entries.length === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', entries.length);
        item.contextValue = this.groupContext('dataset', (entry) => entries.includes(entry));
        return item;
      }
      case 'task':
        return taskRow(node, state, this.tasks.entries.length === 1);
      case 'stray':
        return strayRow(node);
      case 'gate':
        return gateRow(node, state);
      case 'attempt':
        return attemptRow(node);
      case 'findings':
        return findingsRow(node, this.findings);
      case 'findingGroup':
        return findingGroupRow(node);
      case 'finding':
        return findingRow(node);
      case 'part':
        return partRow(node);
      case 'step':
        return stepRow(node);
    }
  }

  private groupContext(word: string, belongs: (entry: TaskEntry) => boolean): string {
    const entries = this.tasks.entries.filter(belongs);
    const running = entries.some(({ task }) => this.activity.of(task.dir) !== null);
    if (running) return `${word} running`;
    return entries.some(isRunnable) ? `${word} runnable` : word;
  }

  private roots(): TreeNode[] {
    const folders = uniqueFolders([...this.tasks.entries, ...this.tasks.strays]);
    if (folders.length === 1) {
      const [folder] = folders;
      return folder === undefined ? [] : this.inFolder(folder);
    }
    return folders.map((folder) => ({ kind: 'folder', id: folder.uri.toString(), folder }));
  }

  private inFolder(folder: WorkspaceFolder): TreeNode[] {
    const entries = this.tasks.entries.filter((entry) => entry.folder.uri.toString() === folder.uri.toString());
    const strays = this.tasks.strays.filter((stray) => stray.folder.uri.toString() === folder.uri.toString());
    const datasets = [...new Set([...entries, ...strays].flatMap(({ dataset }) => dataset ?? []))].sort();
    return [
      ...entries.filter(({ dataset }) => dataset === null).map(taskNode),
      ...this.strays(folder, null),
      ...datasets.map((path) => datasetNode(folder, path)),
    ];
  }

  private strays(folder: WorkspaceFolder, path: string | null): StrayNode[] {
    return this.tasks.strays
      .filter((stray) => stray.folder.uri.toString() === folder.uri.toString() && stray.dataset === path)
      .map((stray) => ({ kind: 'stray', id: stray.id, stray }));
  }

  private inDataset(folder: WorkspaceFolder, path: string): TaskEntry[] {
    return this.tasks.entries.filter(
      (entry) => entry.folder.uri.toString() === folder.uri.toString() && entry.dataset === path,
    );
  }

  private childrenOf(node: TreeNode): TreeNode[] {
    switch (node.kind) {
      case 'folder':
        return this.inFolder(node.folder);
      case 'dataset':
        return [...this.inDataset(node.folder, node.path).map(taskNode), ...this.strays(node.folder, node.path)];
      case 'task':
        return this.inTask(this.current(node.entry));
      case 'gate': {
        const known = this.verdicts.of(node.entry.task.dir).gates.get(node.gate) ?? null;
        if (known === null || !attemptsWorthRows(known)) return [];
        return known.attempts.map((attempt, at) => ({
          kind: 'attempt',
          id: `${node.id}/${at + 1}`,
          entry: node.entry,
          gate: node.gate,
          attempt,
          number: at + 1,
        }));
      }
      case 'findings':
        return findingGroups(this.current(node.entry), this.findings.of(node.entry.task.dir)?.findings ?? []);
      case 'findingGroup':
        return findingsOf(node);
      case 'step':
        return partsOfStep(node);
      case 'stray':
      case 'attempt':
      case 'finding':
      case 'part':
        return [];
    }
  }

  private inTask(entry: TaskEntry): TreeNode[] {
    const gates = gateNames.map((gate): TreeNode => ({ kind: 'gate', id: `${entry.id}#${gate}`, entry, gate }));
    return [...(isRunnable(entry) ? gates : []), findingsNode(entry), ...partsOf(entry), ...stepsOf(entry)];
  }

  private parentOf(node: TreeNode): TreeNode | null {
    switch (node.kind) {
      case 'folder':
        return null;
      case 'dataset':
        return this.folderAbove(node.folder);
      case 'task':
        return node.entry.dataset === null
          ? this.folderAbove(node.entry.folder)
          : datasetNode(node.entry.folder, node.entry.dataset);
      case 'stray':
        return node.stray.dataset === null
          ? this.folderAbove(node.stray.folder)
          : datasetNode(node.stray.folder, node.stray.dataset);
      case 'attempt':
        return { kind: 'gate', id: `${node.entry.id}#${node.gate}`, entry: node.entry, gate: node.gate };
      case 'finding':
        return node.group;
      case 'findingGroup':
        return findingsNode(node.entry);
      case 'part': {
        const step = stepsOf(node.entry).find(({ id }) => node.id.startsWith(`${id}/`));
        return step ?? taskNode(node.entry);
      }
      case 'gate':
      case 'findings':
      case 'step':
        return taskNode(node.entry);
    }
  }

  private folderAbove(folder: WorkspaceFolder): TreeNode | null {
    const shown = uniqueFolders([...this.tasks.entries, ...this.tasks.strays]).length > 1;
    return shown ? { kind: 'folder', id: folder.uri.toString(), folder } : null;
  }

  /** Nodes made earlier may carry an older snapshot of their task. */
  private current(entry: TaskEntry): TaskEntry {
    return this.tasks.find(entry.task.dir) ?? entry;
  }

  /** VS Code finds a row by its object: the same id has to give the same object, with the newest content. */
  private keep(node: TreeNode): TreeNode {
    const known = this.nodes.get(node.id);
    if (known === undefined) {
      this.nodes.set(node.id, node);
      return node;
    }
    return Object.assign(known, node);
  }

  private onTasksChanged(changed: readonly TaskEntry[] | null): void {
    if (changed === null) {
      this.nodes.clear();
      this.changed.fire(undefined);
    } else for (const entry of changed) this.changed.fire(this.keep(taskNode(entry)));
    this.showBadge();
  }

  private refreshTask(dir: string): void {
    const entry = this.tasks.find(dir);
    if (entry !== null) this.changed.fire(this.keep(taskNode(entry)));
  }

  private refreshSoon(dirs: readonly string[]): void {
    for (const dir of dirs) this.settling.add(dir);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      const changed = [...this.settling];
      this.settling.clear();
      for (const dir of changed) this.refreshTask(dir);
    }, settleMs);
  }

  private showBadge(): void {
    const failing = this.tasks.entries.filter(({ task }) =>
      [...this.verdicts.of(task.dir).gates.values()].some(({ verdict }) => verdict === 'failed'),
    ).length;
    this.view.badge =
      failing === 0
        ? undefined
        : {
            value: failing,
            tooltip: failing === 1 ? l10n.t('1 task fails a gate') : l10n.t('{0} tasks fail a gate', failing),
          };
  }

  private tick(on: boolean): void {
    if (this.ticking !== null) clearInterval(this.ticking);
    this.ticking = on
      ? setInterval(() => {
          for (const entry of this.tasks.entries)
            if (this.verdicts.of(entry.task.dir).gates.size > 0) this.refreshTask(entry.task.dir);
        }, ageMs)
      : null;
  }
}

function taskNode(entry: TaskEntry): TaskNode {
  return { kind: 'task', id: entry.id, entry };
}

function datasetNode(folder: WorkspaceFolder, path: string): TreeNode {
  return { kind: 'dataset', id: `${folder.uri.toString()}#dataset/${path}`, folder, path };
}

function uniqueFolders(entries: readonly (TaskEntry | StrayFolder)[]): WorkspaceFolder[] {
  return [...new Map(entries.map(({ folder }) => [folder.uri.toString(), folder])).values()];
}
