import type { Connection } from 'vscode-languageserver/node';
import type { RuleLevel, Settings } from '../../core/settings/settings';
import { uriOfPath } from './places';

/** What a person set in the editor for a task; null where nothing was. */
export interface ClientSettings {
  readonly rules: ReadonlyMap<string, RuleLevel>;
  readonly profile: string | null;
}

const nothing: ClientSettings = { rules: new Map(), profile: null };

/** Asks for the settings `taskwright.rules` and `taskwright.profile` of a resource, and keeps the answer. */
export class SettingsSource {
  private readonly kept = new Map<string, Promise<ClientSettings>>();
  /** False for a client that cannot be asked. */
  isSupported = false;

  constructor(private readonly connection: Connection) {}

  forgetAll(): void {
    this.kept.clear();
  }

  of(dir: string): Promise<ClientSettings> {
    if (!this.isSupported) return Promise.resolve(nothing);
    const known = this.kept.get(dir);
    if (known !== undefined) return known;
    const asked = this.connection.workspace
      .getConfiguration({ scopeUri: uriOfPath(dir), section: 'taskwright' })
      .then(readSettings, () => nothing);
    this.kept.set(dir, asked);
    return asked;
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
export function withClientSettings(settings: Settings, client: ClientSettings): Settings {
  return { ...settings, rules: new Map([...settings.rules, ...client.rules]) };
}
