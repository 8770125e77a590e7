import type { Connection } from 'vscode-languageserver/node';
import type { Files } from '../../core/files';
import { ruleIds } from '../../core/rules/check';
import type { PersonSettings } from '../../core/settings/effective';
import { effectiveSettings } from '../../core/settings/effective';
import { settingsFile } from '../../core/settings/read';
import type { Settings } from '../../core/settings/settings';
import { readWorkspaceSettings } from '../../core/settings/workspace-settings';
import { readText } from '../../core/task/snapshot';
import { findWorkspace, pathBelow } from '../../core/workspace';
import { uriOfPath } from './places';
import path from 'node:path';

/** What is in force for a task, and where it comes from. */
export interface TaskSettings {
  readonly settings: Settings;
  /** Absolute folder of taskwright.toml, whether it is there or not. */
  readonly root: string;
  /** The task's folder relative to it, with `/`. */
  readonly taskPath: string;
  /** The text of taskwright.toml; null where there is none. */
  readonly text: string | null;
}

/** The settings of tasks: what the repository says, and over it what a person set in the editor. */
export class SettingsSource {
  /** Absolute paths of workspace folders. */
  folders: readonly string[] = [];
  /** False for a client that cannot be asked. */
  asksClient = false;
  private readonly kept = new Map<string, Promise<TaskSettings>>();

  constructor(
    private readonly connection: Connection,
    private readonly files: Files,
  ) {}

  forgetAll(): void {
    this.kept.clear();
  }

  /** The same object until `forgetAll`. */
  of(dir: string): Promise<TaskSettings> {
    const known = this.kept.get(dir);
    if (known !== undefined) return known;
    const found = this.read(dir);
    this.kept.set(dir, found);
    return found;
  }

  private async read(dir: string): Promise<TaskSettings> {
    const { files } = this;
    const folder = this.folders.find((one) => pathBelow(one, dir) !== null) ?? path.dirname(dir);
    const { root, taskPath } = await findWorkspace(files, dir, folder);
    const [{ table }, file, person] = await Promise.all([
      readWorkspaceSettings(files, root, [...ruleIds]),
      readText(files, files.join(root, settingsFile), settingsFile),
      this.ask(dir),
    ]);
    return { settings: effectiveSettings(table, person), root, taskPath, text: file?.text ?? null };
  }

  private async ask(dir: string): Promise<PersonSettings> {
    if (!this.asksClient) return {};
    try {
      const scopeUri = uriOfPath(dir);
      const found: unknown = await this.connection.workspace.getConfiguration({ scopeUri, section: 'taskwright' });
      return personSettings(found);
    } catch {
      return {};
    }
  }
}

function personSettings(value: unknown): PersonSettings {
  if (typeof value !== 'object' || value === null) return {};
  const { rules, profile } = value as { readonly rules?: unknown; readonly profile?: unknown };
  return {
    profile: typeof profile === 'string' ? profile : null,
    rules: typeof rules === 'object' ? (rules as Readonly<Record<string, unknown>> | null) : null,
  };
}
