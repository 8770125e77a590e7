import type { Files } from '../files';
import { readDocument } from './document';
import { layoutOf } from './layout';
import { emptySnapshot, lastPart, readText, takeSnapshot } from './snapshot';
import type { Task } from './task';
import type { VerdictOptions } from './verdict';
import { firstError, harborVerdict } from './verdict';

/** Reads a task folder once, without judging it. Anything can be there or not: what Harbor refuses is in `harbor`. */
export async function readTask(files: Files, dir: string, options: VerdictOptions = {}): Promise<Task> {
  const configFile = await readText(files, files.join(dir, 'task.toml'), 'task.toml');
  const text = configFile?.text ?? null;
  const toml = text === null ? null : readDocument(text);
  const config = toml?.config ?? null;
  const disk = await takeSnapshot(files, dir, config?.steps.map((step) => step.name) ?? []);
  return {
    dir,
    dirName: disk.dirName,
    name: config?.task?.name ?? disk.dirName,
    configText: text,
    config,
    layout: layoutOf(disk, config),
    harbor: harborVerdict(disk, toml, configFile, options),
  };
}

/** Reads a single task.toml as if its folder held everything else. */
export async function readConfigAlone(files: Files, file: string): Promise<Task> {
  const found = await readText(files, file, 'task.toml');
  const text = found?.text ?? null;
  const toml = text === null ? null : readDocument(text);
  const config = toml?.config ?? null;
  const trouble = found === null ? 'does not exist' : found.trouble;
  const error = firstError(toml);
  const why = trouble ?? `is not valid${error === null ? '' : ` (${error})`}`;
  return {
    dir: file,
    dirName: lastPart(file),
    name: config?.task?.name ?? lastPart(file),
    configText: text,
    config,
    layout: layoutOf(emptySnapshot, config),
    harbor:
      config === null
        ? { outcome: 'refused', reason: `task.toml ${why}: Harbor refuses it.` }
        : { outcome: 'loads', reason: null },
  };
}
