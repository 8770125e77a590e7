import type { Files } from '../files';
import type { Finding } from '../finding';
import type { ModelCache } from '../model/subject';
import { subjectOf } from '../model/subject';
import type { TaskReading } from '../model/task-reading';
import { readTaskFolder, subjectOfReading } from '../model/task-reading';
import type { RuleLevel, Settings } from '../settings/settings';
import { defaultSettings } from '../settings/settings';
import type { SuppressedFinding } from '../suppression/conclude';
import { conclude } from '../suppression/conclude';
import { readDocument } from '../task/document';
import { readConfigAlone } from '../task/read';
import type { HarborVerdict } from '../task/task';
import { harborVerdict } from '../task/verdict';
import type { Grammars } from '../text/syntax-tree';
import { configurationRules, rules } from './catalogue';
import type { Profile } from './profile';
import type { RunOptions } from './run';
import { runRules } from './run';

export interface CheckOptions extends Omit<RunOptions, 'levels'> {
  /** null: rules that read shell or Python are silent. */
  readonly grammars: Grammars | null;
  /** Default: those of a workspace without taskwright.toml. */
  readonly settings?: Settings;
  /** In place of the settings' own. */
  readonly profile?: Profile;
  readonly cache?: ModelCache;
  /** Was the task found in a folder of tasks? Harbor says nothing of one that it leaves out of a dataset. */
  readonly inDataset?: boolean;
  /** The task relative to the workspace root, with `/`; without it the settings' `[[allow]]` do not apply. */
  readonly taskPath?: string | null;
}

export interface JudgedTask {
  /** `[task].name`, else the folder's name. */
  readonly name: string;
  readonly harbor: HarborVerdict;
  /** False when task.toml is no text: nothing can point into it then, and `harbor` alone says what is wrong. */
  readonly isReadable: boolean;
  readonly findings: readonly Finding[];
  /** Findings that comments or taskwright.toml let pass, with the reason. */
  readonly suppressed: readonly SuppressedFinding[];
  /** Indexes of the `[[allow]]` of the settings that let something pass. */
  readonly usedAllowances: readonly number[];
  /** What was not looked at, as a sentence; null when everything was. */
  readonly limit: string | null;
}

/** Runs every rule over a task folder. Never rejects on any folder. */
export async function checkTask(files: Files, dir: string, options: CheckOptions): Promise<readonly Finding[]> {
  return judgeReading(await readTaskFolder(files, dir, options.signal), options).findings;
}

export function judgeReading(reading: TaskReading, options: CheckOptions): JudgedTask {
  const { settings = defaultSettings, profile = settings.profile, inDataset = false } = options;
  const subject = subjectOfReading(reading, { ...options, profile });
  const levels = levelsOf(settings, profile);
  return {
    name: subject.toml?.config?.task?.name ?? reading.disk.dirName,
    harbor: harborVerdict(reading.disk, subject.toml, reading.config, { inDataset }),
    isReadable: subject.toml !== null,
    ...conclude(runRules(rules, subject, { ...options, levels }), subject, {
      allow: settings.allow,
      taskPath: options.taskPath ?? null,
      levels,
      ruleIds,
    }),
    limit: reading.disk.limit,
  };
}

/** Judges a single task.toml as if its folder held everything else. */
export async function checkConfigAlone(files: Files, file: string, settings = defaultSettings): Promise<JudgedTask> {
  const { name, configText, harbor } = await readConfigAlone(files, file);
  const { profile } = settings;
  const toml = configText === null ? null : readDocument(configText);
  const subject = subjectOf({ toml, disk: null, layout: null, profile, grammars: null });
  const alone = configurationRules.filter((rule) => rule.needsDisk !== true);
  const findings = runRules(alone, subject, { levels: levelsOf(settings, profile) });
  const isReadable = toml !== null;
  return { name, harbor, isReadable, findings, suppressed: [], usedAllowances: [], limit: null };
}

export const ruleIds: ReadonlySet<string> = new Set(rules.map(({ id }) => id));

/** The severities in force where they are not the rules' own: a person's choice before the profile's. */
export function levelsOf({ rules: chosen }: Settings, { levels, families }: Profile): ReadonlyMap<string, RuleLevel> {
  const hidden = families === null ? [] : rules.filter(({ id }) => !families.some((family) => id.startsWith(family)));
  return new Map([...hidden.map(({ id }): [string, RuleLevel] => [id, 'off']), ...Object.entries(levels), ...chosen]);
}
