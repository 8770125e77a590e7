import path from 'node:path';
import { discoverTasks } from '../core/task/discover';
import type { Task } from '../core/task/task';
import { findWorkspace } from '../core/workspace';
import type { GateTarget } from '../engine/gates/options';
import type { CliContext } from './context';

export interface SelectedTask {
  readonly task: Task;
  /** Name of the folder of tasks it was found in; null for one that was named itself. */
  readonly dataset: string | null;
}

export type Selection =
  | {
      readonly ok: true;
      /** At least one. */
      readonly tasks: readonly SelectedTask[];
      /** What a person should hear of and that is no task: a folder that only looks like one, a search cut short. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; /** What is wrong with which path, and what to do. */ readonly message: string };

/**
 * The tasks at the paths a person gave: each a task's folder, or a folder of tasks. In the order of the paths, each
 * task once. A path with nothing in it is an error, even where others have something.
 */
export async function selectTasks(paths: readonly string[], context: CliContext): Promise<Selection> {
  const tasks = new Map<string, SelectedTask>();
  const notes = new Set<string>();
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const full = path.resolve(context.cwd, given);
    const found = await discoverTasks(context.files, full, { signal: context.signal });
    if (found.kind === 'file')
      return { ok: false, message: `${given} is a file; give the folder of the task: ${path.dirname(given)}` };
    if (found.tasks.length === 0) {
      const why = found.message ?? `No task was found at ${given}.`;
      return { ok: false, message: `${why} Give a task's folder or a folder of tasks; “taskwright new” makes a task.` };
    }
    if (found.message !== null) notes.add(found.message);
    for (const { dir, reason } of found.others) notes.add(`${showPath(dir, context.cwd)}: ${reason}`);
    const dataset = found.kind === 'dataset' ? path.basename(full) : null;
    for (const task of found.tasks) if (!tasks.has(task.dir)) tasks.set(task.dir, { task, dataset });
  }
  return { ok: true, tasks: [...tasks.values()], notes: [...notes] };
}

/** Adds where a task's receipts and its author's cheats are kept. */
export async function targetsOf(
  selected: readonly SelectedTask[],
  context: CliContext,
): Promise<readonly GateTarget[]> {
  return Promise.all(
    selected.map(async ({ task, dataset }) => ({
      task,
      path: showPath(task.dir, context.cwd),
      workspace: await findWorkspace(context.files, task.dir, context.cwd),
      dataset,
    })),
  );
}

/** An absolute path as a person would write it: relative to the working directory where that is shorter. */
export function showPath(full: string, cwd: string): string {
  const relative = path.relative(cwd, full) || '.';
  return relative.length <= full.length && !path.isAbsolute(relative) ? relative.split(path.sep).join('/') : full;
}
