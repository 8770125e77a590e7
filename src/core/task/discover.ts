import type { Files } from '../files';
import type { DiscoverOptions, NoTask } from './find';
import { findTasks } from './find';
import { readConfigAlone, readTask } from './read';
import type { Task } from './task';

export interface Discovery {
  /** `file`: a task.toml that is judged alone. `none`: nothing that could be a task; `message` says so. */
  readonly kind: 'task' | 'dataset' | 'none' | 'file';
  /** Tasks, also those that Harbor would refuse or drop; in the order of their paths. */
  readonly tasks: readonly Task[];
  readonly others: readonly NoTask[];
  /** null when there is nothing to say. */
  readonly message: string | null;
}

/** Finds tasks at a path, as `findTasks` does, and reads each. One broken task never hides the others. */
export async function discoverTasks(files: Files, path: string, options: DiscoverOptions = {}): Promise<Discovery> {
  const { kind, places, others, message } = await findTasks(files, path, options);
  const tasks: Task[] = [];
  for (const place of places) {
    if (options.signal?.aborted === true) break;
    const isAlone = kind === 'file';
    tasks.push(
      isAlone ? await readConfigAlone(files, place) : await readTask(files, place, { inDataset: kind === 'dataset' }),
    );
  }
  return { kind, tasks, others, message };
}
