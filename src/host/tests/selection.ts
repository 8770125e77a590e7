import type { TestItem, TestItemCollection, TestRunRequest } from 'vscode';
import type { GateName } from '../../core/gates/verdict';
import { gateNames } from '../settings';
import type { TaskEntry, TaskIndex } from '../task-index';
import { isRunnable } from '../tree/nodes';
import type { TestItems } from './items';

/** The gates of one task that a request asks for. */
export interface Selected {
  readonly entry: TaskEntry;
  /** In the order in which they are run; never empty. */
  readonly gates: readonly GateName[];
}

/**
 * What a request means: a gate's own item asks for that gate, a task or more asks for the gates of the settings, and a
 * single cheat asks for all of them, as one cheat alone proves nothing.
 */
export function selectedGates(
  request: TestRunRequest,
  roots: TestItemCollection,
  items: TestItems,
  tasks: TaskIndex,
  wanted: (entry: TaskEntry) => readonly GateName[],
): Selected[] {
  const excluded = new Set((request.exclude ?? []).map(({ id }) => id));
  const chosen = new Map<string, Set<GateName>>();
  const add = (dir: string, gates: readonly GateName[]): void => {
    const known = chosen.get(dir) ?? new Set();
    for (const gate of gates) known.add(gate);
    chosen.set(dir, known);
  };
  const visit = (item: TestItem): void => {
    if (excluded.has(item.id)) return;
    const meaning = items.meaning(item);
    switch (meaning?.kind) {
      case 'group':
        for (const [, child] of item.children) visit(child);
        return;
      case 'task': {
        const entry = tasks.find(meaning.dir);
        if (entry === null) return;
        add(
          meaning.dir,
          wanted(entry).filter((gate) => !excluded.has(`${item.id}#${gate}`)),
        );
        return;
      }
      case 'gate':
        add(meaning.dir, [meaning.gate]);
        return;
      case 'strategy':
        add(meaning.dir, ['cheat']);
        return;
      case undefined:
        return;
    }
  };
  if (request.include !== undefined) request.include.forEach(visit);
  else for (const [, item] of roots) visit(item);
  return tasks.entries.flatMap((entry) => {
    const gates = chosen.get(entry.task.dir);
    if (gates === undefined || gates.size === 0 || !isRunnable(entry)) return [];
    return [{ entry, gates: gateNames.filter((gate) => gates.has(gate)) }];
  });
}
