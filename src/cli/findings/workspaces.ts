import type { FileStat, Files } from '../../core/files';
import { rules } from '../../core/rules/catalogue';
import type { PersonSettings } from '../../core/settings/effective';
import { effectiveSettings } from '../../core/settings/effective';
import type { Settings } from '../../core/settings/settings';
import type { WorkspaceSettings } from '../../core/settings/workspace-settings';
import { readWorkspaceSettings } from '../../core/settings/workspace-settings';
import { findWorkspace } from '../../core/workspace';

export interface TaskSettings {
  readonly workspace: WorkspaceSettings;
  readonly settings: Settings;
  /** The task relative to the workspace root, with `/`. */
  readonly taskPath: string;
}

export interface Workspaces {
  of(taskDir: string): Promise<TaskSettings>;
  /** Every workspace that was asked for. */
  all(): Promise<readonly Omit<TaskSettings, 'taskPath'>[]>;
}

/** Finds the workspace of tasks and its settings, reading each taskwright.toml once. */
export function openWorkspaces(files: Files, cwd: string, person: PersonSettings = {}): Workspaces {
  const ruleIds = rules.map(({ id }) => id);
  const known = new Map<string, Promise<{ readonly workspace: WorkspaceSettings; readonly settings: Settings }>>();
  const looking = rememberingStat(files);
  const read = async (root: string): Promise<{ workspace: WorkspaceSettings; settings: Settings }> => {
    const workspace = await readWorkspaceSettings(files, root, ruleIds);
    return { workspace, settings: effectiveSettings(workspace.table, person) };
  };
  return {
    of: async (taskDir) => {
      const { root, taskPath } = await findWorkspace(looking, taskDir, cwd);
      const found = known.get(root) ?? read(root);
      known.set(root, found);
      return { ...(await found), taskPath };
    },
    all: () => Promise.all(known.values()),
  };
}

/** Thousands of tasks ask after the same folders above them. */
function rememberingStat(files: Files): Files {
  const known = new Map<string, Promise<FileStat | null>>();
  return {
    ...files,
    stat: (path) => {
      const stat = known.get(path) ?? files.stat(path);
      known.set(path, stat);
      return stat;
    },
  };
}
