import { TreeItemCollapsibleState, type Memento, type TreeItem } from 'vscode';

const stateKey = 'taskwright.expandedRows';

/** More rows than anybody opens by hand; the oldest are forgotten. */
const most = 1_000;

/** Which rows a person opened and closed. VS Code forgets that when its window is loaded anew. */
export class Expansion {
  private readonly rows: Map<string, boolean>;

  constructor(private readonly memory: Memento) {
    const kept: unknown = memory.get(stateKey);
    const entries = Array.isArray(kept) ? (kept as unknown[]) : [];
    this.rows = new Map(entries.filter(isEntry));
  }

  set(id: string, isOpen: boolean): void {
    this.rows.delete(id);
    this.rows.set(id, isOpen);
    for (const oldest of this.rows.keys()) {
      if (this.rows.size <= most) break;
      this.rows.delete(oldest);
    }
    void this.memory.update(stateKey, [...this.rows]);
  }

  /** Opens or closes a row as it was left. */
  apply(item: TreeItem, id: string): void {
    const isOpen = this.rows.get(id);
    if (isOpen === undefined || item.collapsibleState === TreeItemCollapsibleState.None) return;
    item.collapsibleState = isOpen ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  }
}

function isEntry(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
}
