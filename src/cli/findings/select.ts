import path from 'node:path';
import type { Files } from '../../core/files';
import type { Finding } from '../../core/finding';
import { discoverTasks } from '../../core/task/discover';
import { readConfigAlone, readTask } from '../../core/task/read';
import type { CliContext } from '../context';
import { showPath } from '../select-tasks';
import type { CheckedTask } from './checked-task';

/** What was judged, and how to judge it again on other files. */
export interface SelectedTask extends CheckedTask {
  readonly judge: (files: Files) => Promise<readonly Finding[]>;
}

export type CheckSelection =
  | {
      readonly ok: true;
      readonly tasks: readonly SelectedTask[];
      /** What a person should hear of and that is no task: a folder that only looks like one, a search cut short. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * The tasks at the paths a person gave: each a task's folder, a folder of tasks, or a task.toml, which is judged alone.
 * In the order of the paths, each once. A path with nothing in it is an error, even where others have something.
 */
export async function selectChecked(paths: readonly string[], context: CliContext): Promise<CheckSelection> {
  const tasks = new Map<string, SelectedTask>();
  const notes = new Set<string>();
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const full = path.resolve(context.cwd, given);
    const discovery = await discoverTasks(context.files, full, { signal: context.signal });
    if (discovery.tasks.length === 0 && !context.signal.aborted) {
      return { ok: false, message: discovery.message ?? `No task was found at ${given}.` };
    }
    if (discovery.message !== null) notes.add(discovery.message);
    for (const { dir, reason } of discovery.others) notes.add(`${showPath(dir, context.cwd)}: ${reason}`);
    const isAlone = discovery.kind === 'file';
    const inDataset = discovery.kind === 'dataset';
    for (const { dir, name, harbor, findings } of discovery.tasks) {
      const place = isAlone ? full : dir;
      const judge = async (files: Files): Promise<readonly Finding[]> => {
        const task = isAlone ? await readConfigAlone(files, full) : await readTask(files, dir, { inDataset });
        return task.findings;
      };
      const folder = isAlone ? path.dirname(full) : dir;
      const checked = { path: showPath(place, context.cwd), name, harbor, dir: folder, findings, judge };
      if (!tasks.has(place)) tasks.set(place, checked);
    }
  }
  return { ok: true, tasks: [...tasks.values()], notes: [...notes] };
}
