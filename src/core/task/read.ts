import type { Files } from '../files';
import { subjectOf } from '../model/subject';
import { configurationRules } from '../rules/catalogue';
import type { Profile } from '../rules/profile';
import { harborProfile } from '../rules/profile';
import { runRules } from '../rules/run';
import type { RuleLevel } from '../settings/settings';
import { readDocument } from './document';
import { layoutOf } from './layout';
import { emptySnapshot, lastPart, readText, takeSnapshot } from './snapshot';
import type { Task } from './task';
import type { VerdictOptions } from './verdict';
import { firstError, harborVerdict } from './verdict';

/** Reads a task folder once. Anything can be there or not: trouble is in `harbor` and `findings`. */
export async function readTask(files: Files, dir: string, options: VerdictOptions = {}): Promise<Task> {
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
    harbor: harborVerdict(disk, toml, configFile, options),
    findings: runRules(configurationRules, subjectOf({ toml, disk, layout, profile: harborProfile, grammars: null })),
  };
}

export interface AloneOptions {
  /** Default: Harbor's. */
  readonly profile?: Profile;
  /** Severities by rule id. */
  readonly levels?: ReadonlyMap<string, RuleLevel>;
}

/** Judges a single task.toml as if its folder held everything else. */
export async function readConfigAlone(
  files: Files,
  file: string,
  { profile = harborProfile, levels = new Map() }: AloneOptions = {},
): Promise<Task> {
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
    findings: runRules(alone, subjectOf({ toml, disk: null, layout: null, profile, grammars: null }), { levels }),
  };
}
