import type { Files } from '../files';
import type { Profile } from '../rules/profile';
import { readDocument } from '../task/document';
import { layoutOf } from '../task/layout';
import type { Snapshot, TextFile } from '../task/snapshot';
import { readText } from '../task/snapshot';
import { takeWholeSnapshot } from '../task/whole-snapshot';
import type { Grammars } from '../text/syntax-tree';
import type { ModelCache, Subject } from './subject';
import { subjectOf } from './subject';

/** Everything that is read of a task folder; what rules and cheats know of a task depends on nothing else. */
export interface TaskReading {
  readonly disk: Snapshot;
  /** task.toml as a text; null where it is no plain file. Harbor follows a link here, wherever it leads. */
  readonly config: TextFile | null;
}

export async function readTaskFolder(files: Files, dir: string, signal?: AbortSignal): Promise<TaskReading> {
  const disk = await takeWholeSnapshot(files, dir, signal);
  const own = disk.texts.get('task.toml');
  const isRead = own !== undefined && (own.text !== null || disk.facts.get('task.toml')?.link === null);
  return { disk, config: isRead ? own : await readText(files, files.join(dir, 'task.toml'), 'task.toml') };
}

export interface ReadingOptions {
  readonly profile: Profile;
  readonly grammars: Grammars | null;
  readonly cache?: ModelCache;
}

export function subjectOfReading({ disk, config }: TaskReading, { profile, grammars, cache }: ReadingOptions): Subject {
  const text = config?.text ?? null;
  const toml = text === null ? null : readDocument(text);
  const layout = layoutOf(disk, toml?.config ?? null);
  return subjectOf({ toml, disk, layout, profile, grammars, ...(cache && { cache }) });
}
