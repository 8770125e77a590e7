import type { Files } from '../files';
import { subjectOf } from '../model/subject';
import { configurationRules } from '../rules/catalogue';
import { harborProfile } from '../rules/profile';
import { runRules } from '../rules/run';
import type { TomlDocument } from './document';
import { readDocument } from './document';
import { layoutOf } from './layout';
import type { LoadTrouble } from './loaders';
import { describeTrouble, loaderTroubles, strictTroubles } from './loaders';
import { emptySnapshot, lastPart, readText, takeSnapshot } from './snapshot';
import type { HarborVerdict, Task } from './task';

export interface ReadOptions {
  /**
   * Is the folder a child of a dataset that Harbor would be given? Harbor leaves such a child out without a message,
   * while a folder that is given alone ends the run with an error.
   */
  readonly inDataset?: boolean;
}

/** Reads a task folder once. Anything can be there or not: trouble is in `harbor` and `findings`. */
export async function readTask(files: Files, dir: string, options: ReadOptions = {}): Promise<Task> {
  const configFile = await readText(files, files.join(dir, 'task.toml'), 'task.toml');
  const text = configFile?.text ?? null;
  const toml = text === null ? null : readDocument(text);
  const config = toml?.config ?? null;
  const disk = await takeSnapshot(files, dir, config?.steps.map((step) => step.name) ?? []);
  const layout = layoutOf(disk, config);
  return {
    dir,
    dirName: disk.dirName,
    name: config?.task?.name ?? disk.dirName,
    configText: text,
    config,
    layout,
    harbor: verdict(
      strictTroubles({ disk, config }),
      loaderTroubles({ disk, config }),
      { error: firstError(toml), unreadable: configFile === null ? 'is no regular file' : configFile.trouble },
      options,
    ),
    findings: runRules(configurationRules, subjectOf({ toml, disk, layout, profile: harborProfile, grammars: null })),
  };
}

/** Judges a single task.toml as if its folder held everything else. */
export async function readConfigAlone(files: Files, file: string): Promise<Task> {
  const found = await readText(files, file, 'task.toml');
  const text = found?.text ?? null;
  const toml = text === null ? null : readDocument(text);
  const alone = configurationRules.filter((rule) => rule.needsDisk !== true);
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
    findings: runRules(alone, subjectOf({ toml, disk: null, layout: null, profile: harborProfile, grammars: null })),
  };
}

function verdict(
  strict: readonly LoadTrouble[],
  loader: readonly LoadTrouble[],
  config: ConfigTrouble,
  { inDataset = false }: ReadOptions,
): HarborVerdict {
  const [first, ...more] = strict;
  if (first === undefined) return { outcome: 'loads', reason: null };
  const sentence = [first, ...more].map((trouble) => describe(trouble, config)).join(', ');
  const byPath = loader.length === 0 ? '; only a job that names the task by its path would run it' : '';
  return inDataset
    ? { outcome: 'dropped', reason: `${sentence}: Harbor leaves it out of the dataset without a message${byPath}.` }
    : { outcome: 'refused', reason: `${sentence}: Harbor does not take this folder for a task${byPath}.` };
}

/** Why there is no configuration, as far as the file itself tells. */
interface ConfigTrouble {
  /** The first error of its text. */
  readonly error: string | null;
  /** A predicate, such as `is not UTF-8 text`, where there is no text. */
  readonly unreadable: string | null;
}

function describe(trouble: LoadTrouble, { error, unreadable }: ConfigTrouble): string {
  const what = describeTrouble(trouble);
  if (trouble.kind === 'unreadable-config' && unreadable !== null) return `task.toml ${unreadable}`;
  return trouble.kind === 'invalid-config' && error !== null ? `${what} (${error})` : what;
}

/** Where and why the configuration is refused, for a sentence that names the folder's trouble. */
function firstError(toml: TomlDocument | null): string | null {
  const error = toml?.problems.find((problem) => problem.severity === 'error');
  return error === undefined ? null : `line ${error.range.start.line + 1}: ${error.message.replace(/\.$/u, '')}`;
}
