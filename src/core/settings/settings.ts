import type { Severity } from '../finding';
import type { GateSettings } from '../gates/settings';
import { defaultGateSettings, gateNames } from '../gates/settings';
import type { GateName } from '../gates/verdict';
import type { Profile } from '../rules/profile';
import { harborProfile } from '../rules/profile';
import type { Range } from '../text/position';

export type RuleLevel = Severity | 'off';

/** One `[[allow]]` of taskwright.toml. */
export interface Allowance {
  /** A rule's id. */
  readonly rule: string;
  /** A glob of files, relative to the workspace root, with `/`. */
  readonly path: string;
  readonly reason: string;
  /** The header or the inline table, in taskwright.toml. */
  readonly range: Range;
}

export interface GateDefaults extends GateSettings {
  readonly gates: readonly GateName[];
}

/** What `taskwright.toml` and a person's own settings come to. Plain data: it goes to worker threads. */
export interface Settings {
  readonly profile: Profile;
  /** Severities by rule id; what is not in it is as the profile and the rule say. */
  readonly rules: ReadonlyMap<string, RuleLevel>;
  readonly allow: readonly Allowance[];
  readonly gates: GateDefaults;
}

export const defaultSettings: Settings = {
  profile: harborProfile,
  rules: new Map(),
  allow: [],
  gates: { ...defaultGateSettings, gates: gateNames },
};
