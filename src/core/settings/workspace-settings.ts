import type { Files } from '../files';
import type { Finding } from '../finding';
import { fingerprint } from '../rules/fingerprint';
import { readText } from '../task/snapshot';
import type { PlainTable } from './read';
import { readSettings, settingsFile, settingsRules } from './read';

/** A workspace's taskwright.toml. */
export interface WorkspaceSettings {
  /** Absolute folder of the file. */
  readonly root: string;
  /** null where there is no file. */
  readonly table: PlainTable | null;
  /** About the file itself, whose name they have relative to `root`. */
  readonly findings: readonly Finding[];
}

/** Reads taskwright.toml at a workspace root. What cannot be read is reported and never stops anything. */
export async function readWorkspaceSettings(
  files: Files,
  root: string,
  ruleIds: readonly string[],
): Promise<WorkspaceSettings> {
  const file = await readText(files, files.join(root, settingsFile), settingsFile);
  if (file === null) return { root, table: null, findings: [] };
  if (file.text !== null) return { root, ...readSettings(file.text, ruleIds) };
  const { id, severity, why } = settingsRules.syntax;
  const message = `${settingsFile} ${file.trouble ?? 'cannot be read'}, so none of it is in force.`;
  const start = { line: 0, character: 0 };
  const finding: Finding = {
    ruleId: id,
    severity,
    confidence: 'certain',
    file: settingsFile,
    range: { start, end: start },
    message,
    why,
    fixes: [],
    fingerprint: fingerprint(id, message),
  };
  return { root, table: null, findings: [finding] };
}
