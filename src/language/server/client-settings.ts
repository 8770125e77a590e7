import type { Connection } from 'vscode-languageserver/node';
import type { RuleLevel, Settings } from '../../core/settings/settings';
import { defaultSettings } from '../../core/settings/settings';
import { uriOfPath } from './places';

/** What a person set in the editor for a task; null where nothing was. */
export interface ClientSettings {
  readonly rules: ReadonlyMap<string, RuleLevel>;
  readonly profile: string | null;
}

const nothing: ClientSettings = { rules: new Map(), profile: null };

/** The settings in force for a task: what the repository says, and over it what a person set in the editor. */
export class SettingsSource {
  private readonly kept = new Map<string, Promise<Settings>>();
  /** False for a client that cannot be asked. */
  isSupported = false;

  constructor(private readonly connection: Connection) {}

  forgetAll(): void {
    this.kept.clear();
  }

  /** The same object until `forgetAll`. */
  of(dir: string): Promise<Settings> {
    const known = this.kept.get(dir);
    if (known !== undefined) return known;
    const found = this.ask(dir).then((client) => withClientSettings(defaultSettings, client));
    this.kept.set(dir, found);
    return found;
  }

  private async ask(dir: string): Promise<ClientSettings> {
    if (!this.isSupported) return nothing;
    try {
      const scopeUri = uriOfPath(dir);
      return readSettings(await this.connection.workspace.getConfiguration({ scopeUri, section: 'taskwright' }));
    } catch {
      return nothing;
    }
  }
}

function readSettings(value: unknown): ClientSettings {
  if (typeof value !== 'object' || value === null) return nothing;
  const { rules, profile } = value as { readonly rules?: unknown; readonly profile?: unknown };
  const levels =
    typeof rules === 'object' && rules !== null
      ? Object.entries(rules).filter((entry): entry is [string, RuleLevel] => isLevel(entry[1]))
      : [];
  return { rules: new Map(levels), profile: typeof profile === 'string' ? profile : null };
}

function isLevel(value: unknown): value is RuleLevel {
  return typeof value === 'string' && ['error', 'warning', 'information', 'hint', 'off'].includes(value);
}

/** What a person set wins over `taskwright.toml`. */
function withClientSettings(settings: Settings, client: ClientSettings): Settings {
  return { ...settings, rules: new Map([...settings.rules, ...client.rules]) };
}
