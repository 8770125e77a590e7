import type { Settings } from '../settings/settings';
import type { TextFile } from '../task/snapshot';
import type { TaskReading } from '../model/task-reading';

/**
 * Everything that a verdict on a task depends on, as one text of which a digest may be taken: two readings with the same
 * text are judged alike by the same rules. It holds every name with its kind, size, mode and link, and every content
 * that is read.
 */
export function readingKey({ disk, config }: TaskReading, settings: Settings, place: KeyPlace): string {
  const parts: string[] = [
    JSON.stringify([place.taskPath, place.inDataset, disk.dirName, disk.limit, disk.danglingLinks]),
    settingsKey(settings),
  ];
  for (const [path, kind] of disk.entries) {
    const fact = disk.facts.get(path);
    parts.push(JSON.stringify([path, kind, fact?.size, fact?.mode, fact?.link]));
    const text = disk.texts.get(path);
    if (text !== undefined) addText(parts, text);
  }
  // The facts of what is no entry: links that lead nowhere.
  for (const [path, { link }] of disk.facts) if (!disk.entries.has(path)) parts.push(JSON.stringify([path, link]));
  if (config !== null && config !== disk.texts.get('task.toml')) addText(parts, config);
  return parts.join('\n');
}

export interface KeyPlace {
  /** Relative to the workspace root; null where it is not below one. */
  readonly taskPath: string | null;
  readonly inDataset: boolean;
}

/** The length before a text keeps it from being taken for another part. */
function addText(parts: string[], { path, text, trouble }: TextFile): void {
  parts.push(JSON.stringify([path, trouble, text?.length]));
  if (text !== null) parts.push(text);
}

function settingsKey({ profile, rules, allow }: Settings): string {
  return JSON.stringify([profile, [...rules], allow]);
}
