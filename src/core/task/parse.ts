import type { Finding } from '../finding';
import { subjectOf } from '../model/subject';
import { configurationRules } from '../rules/catalogue';
import { harborProfile } from '../rules/profile';
import { runRules } from '../rules/run';
import type { TaskConfig } from './config';
import { readDocument } from './document';

export interface ParsedConfig {
  /** Would Harbor accept the file? */
  readonly valid: boolean;
  /** null when it is not valid. */
  readonly config: TaskConfig | null;
  /** What the rules say that need nothing but task.toml; errors exactly when it is not valid. */
  readonly findings: readonly Finding[];
}

/** Judges the text of a task.toml alone. Never throws on any text. */
export function parseTaskConfig(text: string): ParsedConfig {
  const toml = readDocument(text);
  const alone = configurationRules.filter((rule) => rule.needsDisk !== true);
  return {
    valid: toml.config !== null,
    config: toml.config,
    findings: runRules(alone, subjectOf({ toml, disk: null, layout: null, profile: harborProfile, grammars: null })),
  };
}
