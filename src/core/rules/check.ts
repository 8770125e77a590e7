import type { Files } from '../files';
import type { Finding } from '../finding';
import type { ModelCache } from '../model/subject';
import { subjectOf } from '../model/subject';
import { readDocument } from '../task/document';
import { layoutOf } from '../task/layout';
import { readText } from '../task/snapshot';
import { takeWholeSnapshot } from '../task/whole-snapshot';
import type { Grammars } from '../text/syntax-tree';
import { rules } from './catalogue';
import type { Profile } from './profile';
import { harborProfile } from './profile';
import type { RunOptions } from './run';
import { runRules } from './run';

export interface CheckOptions extends RunOptions {
  /** null: rules that read shell or Python are silent. */
  readonly grammars: Grammars | null;
  /** Default: Harbor's. */
  readonly profile?: Profile;
  readonly cache?: ModelCache;
}

/** Runs every rule over a task folder. Never rejects on any folder. */
export async function checkTask(files: Files, dir: string, options: CheckOptions): Promise<readonly Finding[]> {
  const disk = await takeWholeSnapshot(files, dir, options.signal);
  // Harbor follows a link here, wherever it leads.
  const text = disk.texts.get('task.toml')?.text ?? (await readText(files, files.join(dir, 'task.toml'), ''))?.text;
  const toml = text === undefined || text === null ? null : readDocument(text);
  const layout = layoutOf(disk, toml?.config ?? null);
  const { grammars, profile = harborProfile, cache } = options;
  return runRules(rules, subjectOf({ toml, disk, layout, profile, grammars, ...(cache && { cache }) }), options);
}
