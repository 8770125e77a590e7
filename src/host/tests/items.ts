import { Range, TestTag, Uri, l10n, type TestController, type TestItem } from 'vscode';
import type { GateName } from '../../core/gates/verdict';
import { gateNames } from '../settings';
import type { TaskEntry, TaskIndex } from '../task-index';
import { isRunnable } from '../tree/nodes';
import { shortName } from '../tree/rows';
import { gateLabel } from '../words';

const needsDocker = new TestTag('needs-docker');
const slow = new TestTag('slow');

/** What an item stands for. Kept by id: VS Code may hand out another object for the same test. */
export type ItemMeaning =
  | { readonly kind: 'group' }
  | { readonly kind: 'task'; readonly dir: string }
  | { readonly kind: 'gate'; readonly dir: string; readonly gate: GateName }
  | { readonly kind: 'strategy'; readonly dir: string; readonly strategy: string };

export function gateItemId(entry: TaskEntry, gate: GateName): string {
  return `${entry.id}#${gate}`;
}

export function strategyItemId(entry: TaskEntry, strategy: string): string {
  return `${entry.id}#cheat/${strategy}`;
}

/** The tree of the Test Explorer, kept equal to the index. */
export class TestItems {
  private readonly meanings = new Map<string, ItemMeaning>();
  private readonly byId = new Map<string, TestItem>();

  constructor(
    private readonly controller: TestController,
    private readonly tasks: TaskIndex,
    /** Strategies known from earlier runs of a task, so that a reload shows them again. */
    private readonly strategiesOf: (taskDir: string) => readonly string[],
  ) {}

  meaning(item: TestItem): ItemMeaning | null {
    return this.meanings.get(item.id) ?? null;
  }

  meaningOf(id: string): ItemMeaning | null {
    return this.meanings.get(id) ?? null;
  }

  get(id: string): TestItem | null {
    return this.byId.get(id) ?? null;
  }

  gate(entry: TaskEntry, gate: GateName): TestItem | null {
    return this.get(gateItemId(entry, gate));
  }

  /** The item of a strategy, made when a run first shows it. */
  strategy(entry: TaskEntry, strategy: string): TestItem | null {
    const parent = this.gate(entry, 'cheat');
    if (parent === null) return null;
    const id = strategyItemId(entry, strategy);
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const item = this.make(id, strategy, verifierUri(entry), { kind: 'strategy', dir: entry.task.dir, strategy });
    item.tags = [needsDocker];
    parent.children.add(item);
    return item;
  }

  /** Draws everything anew. Items keep their ids, and with them the results that VS Code remembers. */
  rebuild(): void {
    this.meanings.clear();
    this.byId.clear();
    const roots: TestItem[] = [];
    const folders = new Set(this.tasks.entries.map(({ folder }) => folder.uri.toString()));
    for (const entry of this.tasks.entries) {
      let siblings: { add(item: TestItem): void } = { add: (item) => roots.push(item) };
      if (folders.size > 1)
        siblings = this.group(siblings, entry.folder.uri.toString(), entry.folder.name, entry.folder.uri);
      if (entry.dataset !== null) {
        const id = `${entry.folder.uri.toString()}#dataset/${entry.dataset}`;
        siblings = this.group(siblings, id, entry.dataset, Uri.joinPath(entry.folder.uri, entry.dataset));
      }
      siblings.add(this.taskItem(entry));
    }
    this.controller.items.replace(roots);
  }

  /** Brings one task's items up to date without touching the others. */
  update(entry: TaskEntry): void {
    const before = this.byId.get(entry.id);
    if (before === undefined) {
      this.rebuild();
      return;
    }
    const fresh = this.taskItem(entry);
    (before.parent?.children ?? this.controller.items).add(fresh);
  }

  private group(
    parent: { add(item: TestItem): void },
    id: string,
    label: string,
    uri: Uri,
  ): { add(item: TestItem): void } {
    let item = this.byId.get(id);
    if (item === undefined) {
      item = this.make(id, label, uri, { kind: 'group' });
      parent.add(item);
    }
    return item.children;
  }

  private taskItem(entry: TaskEntry): TestItem {
    const { task } = entry;
    const file = task.configText !== null ? 'task.toml' : task.layout.instruction;
    const uri = file === null ? entry.uri : Uri.joinPath(entry.uri, file);
    const item = this.make(entry.id, shortName(task.name), uri, { kind: 'task', dir: task.dir });
    if (task.configText !== null) item.range = headRange(task.configText);
    if (!isRunnable(entry)) {
      item.error = task.harbor.reason ?? l10n.t('Its configuration cannot be read.');
      return item;
    }
    for (const gate of gateNames) {
      const child = this.make(gateItemId(entry, gate), gateLabel(gate), gateUri(entry, gate), {
        kind: 'gate',
        dir: task.dir,
        gate,
      });
      child.range = new Range(0, 0, 0, 0);
      child.sortText = String(gateNames.indexOf(gate));
      child.tags = gate === 'cheat' ? [needsDocker, slow] : [needsDocker];
      item.children.add(child);
    }
    for (const strategy of this.strategiesOf(task.dir)) this.strategy(entry, strategy);
    return item;
  }

  private make(id: string, label: string, uri: Uri, meaning: ItemMeaning): TestItem {
    const item = this.controller.createTestItem(id, label, uri);
    this.meanings.set(id, meaning);
    this.byId.set(id, item);
    return item;
  }
}

function gateUri(entry: TaskEntry, gate: GateName): Uri {
  const { solveScript } = entry.task.layout;
  return gate === 'oracle' && solveScript !== null ? Uri.joinPath(entry.uri, solveScript) : verifierUri(entry);
}

/** What decides about nop and cheats, and where a failure is shown that names no line of a test. */
export function verifierUri(entry: TaskEntry): Uri {
  const { testScript } = entry.task.layout;
  return testScript === null ? Uri.joinPath(entry.uri, 'task.toml') : Uri.joinPath(entry.uri, testScript);
}

/** Line of `[task]`, else of the first table. */
export function headLine(configText: string): number {
  const lines = configText.split('\n');
  const named = lines.findIndex((line) => /^\s*\[\s*task\s*\]/.test(line));
  const first = named >= 0 ? named : lines.findIndex((line) => /^\s*\[/.test(line));
  return Math.max(first, 0);
}

function headRange(configText: string): Range {
  const line = headLine(configText);
  return new Range(line, 0, line, 0);
}
