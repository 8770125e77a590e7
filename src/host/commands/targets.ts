import { l10n, Uri, window } from 'vscode';
import type { Finding } from '../../core/finding';
import type { GateName } from '../../core/gates/verdict';
import { pathBelow } from '../../core/workspace';
import type { TaskEntry, TaskIndex } from '../task-index';
import type { ItemMeaning, TestItems } from '../tests/items';
import type { TreeNode } from '../tree/nodes';
import { isRunnable } from '../tree/nodes';
import { soleTrial } from '../tree/rows';
import type { Verdicts } from '../verdicts';

/** What a command was called on: a row, a file, a test, one of its messages, or nothing. Anyone may call with anything. */
export class Targets {
  constructor(
    private readonly tasks: TaskIndex,
    private readonly items: TestItems,
    private readonly verdicts: Verdicts,
  ) {}

  /** The tasks meant. Without an argument: that of the active editor, the only one, or the one a person picks. */
  async entries(argument: unknown, which: 'runnable' | 'any' = 'runnable'): Promise<readonly TaskEntry[]> {
    await this.searched();
    if (argument === undefined) {
      const picked = await this.pick(which);
      return picked === null ? [] : [picked];
    }
    const node = treeNode(argument);
    if (node?.kind === 'folder')
      return this.tasks.entries.filter(({ folder }) => folder.uri.toString() === node.folder.uri.toString());
    if (node?.kind === 'dataset') {
      return this.tasks.entries.filter(
        ({ folder, dataset }) => folder.uri.toString() === node.folder.uri.toString() && dataset === node.path,
      );
    }
    const one = this.entry(argument);
    return one === null ? [] : [one];
  }

  /** The one task that an argument is about, without asking. */
  entry(argument: unknown): TaskEntry | null {
    const node = treeNode(argument);
    if (node !== null) return 'entry' in node ? (this.tasks.find(node.entry.task.dir) ?? node.entry) : null;
    if (argument instanceof Uri) return this.tasks.owner(argument.fsPath);
    const meaning = this.meaning(argument);
    return meaning === null || meaning.kind === 'group' ? null : this.tasks.find(meaning.dir);
  }

  /** The finding that a row stands for, with its task. */
  finding(argument: unknown): { readonly entry: TaskEntry; readonly finding: Finding } | null {
    const node = treeNode(argument);
    const entry = this.entry(argument);
    return node?.kind === 'finding' && entry !== null ? { entry, finding: node.finding } : null;
  }

  /** The folder that a row stands for. */
  folder(argument: unknown): Uri | null {
    const node = treeNode(argument);
    if (node?.kind === 'folder') return node.folder.uri;
    if (node?.kind === 'dataset') return Uri.joinPath(node.folder.uri, node.path);
    if (node?.kind === 'stray') return node.stray.uri;
    return this.entry(argument)?.uri ?? null;
  }

  gates(argument: unknown): readonly GateName[] | null {
    const node = treeNode(argument);
    if (node?.kind === 'gate' || node?.kind === 'attempt') return [node.gate];
    const meaning = this.meaning(argument);
    if (meaning?.kind === 'gate') return [meaning.gate];
    return meaning?.kind === 'strategy' ? ['cheat'] : null;
  }

  /** The one cheat that is meant. */
  strategy(argument: unknown): string | null {
    const node = treeNode(argument);
    if (node?.kind === 'attempt') return node.attempt.strategy ?? null;
    const meaning = this.meaning(argument);
    return meaning?.kind === 'strategy' ? meaning.strategy : null;
  }

  /** Folder of the trial that a row, a test or a message is about; null when no run made here left one. */
  trial(argument: unknown): string | null {
    const node = treeNode(argument);
    if (node?.kind === 'attempt') return node.attempt.trial;
    const entry = this.entry(argument);
    if (entry === null) return null;
    const known = this.verdicts.of(entry.task.dir).gates;
    const meaning = this.meaning(argument);
    if (meaning?.kind === 'strategy')
      return known.get('cheat')?.attempts.find(({ strategy }) => strategy === meaning.strategy)?.trial ?? null;
    const [gate] = this.gates(argument) ?? [];
    const verdict = gate === undefined ? undefined : known.get(gate);
    if (verdict === undefined) return null;
    const decided = verdict.attempts.find(({ strategy }) => strategy !== undefined && strategy === verdict.strategy);
    return soleTrial(verdict) ?? decided?.trial ?? verdict.attempts.find(({ trial }) => trial !== null)?.trial ?? null;
  }

  /** Waits for the first search, which the command itself may have woken. */
  async searched(): Promise<void> {
    if (!this.tasks.scanned) {
      this.tasks.start();
      await this.tasks.refresh();
    }
  }

  private meaning(argument: unknown): ItemMeaning | null {
    if (!isRecord(argument)) return null;
    const item = isRecord(argument.test) ? argument.test : argument;
    return typeof item.id === 'string' ? this.items.meaningOf(item.id) : null;
  }

  private async pick(which: 'runnable' | 'any'): Promise<TaskEntry | null> {
    const active = window.activeTextEditor?.document.uri;
    const owner = active?.scheme === 'file' ? this.tasks.owner(active.fsPath) : null;
    const fits = (entry: TaskEntry): boolean => which === 'any' || isRunnable(entry);
    if (owner !== null && fits(owner)) return owner;
    const runnable = this.tasks.entries.filter(fits);
    if (runnable.length === 0) {
      const none =
        which === 'any'
          ? l10n.t('There is no task here that could be checked.')
          : l10n.t('There is no task here whose gates could be run.');
      void window.showInformationMessage(none);
      return null;
    }
    const [first] = runnable;
    if (runnable.length === 1 && first !== undefined) return first;
    const choices = runnable.map((entry) => ({ label: entry.task.name, description: entry.path, entry }));
    const chosen = await window.showQuickPick(choices, { placeHolder: l10n.t('Task'), matchOnDescription: true });
    return chosen?.entry ?? null;
  }
}

const kinds: ReadonlySet<string> = new Set<TreeNode['kind']>([
  'folder',
  'dataset',
  'task',
  'stray',
  'gate',
  'attempt',
  'findings',
  'findingGroup',
  'finding',
  'part',
  'step',
]);

function treeNode(argument: unknown): TreeNode | null {
  if (!isRecord(argument) || typeof argument.kind !== 'string' || typeof argument.id !== 'string') return null;
  const hasPlace = [argument.entry, argument.folder, argument.stray].some(isRecord);
  if (argument.kind === 'finding' && !isRecord(argument.finding)) return null;
  return kinds.has(argument.kind) && hasPlace ? (argument as unknown as TreeNode) : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A path as a command line run in `root` takes it. */
export function pathFrom(root: string, path: string): string {
  const below = pathBelow(root, path);
  return below === null ? path : below === '' ? '.' : below;
}
