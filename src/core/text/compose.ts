import type { Range } from './position';
import type { YamlMap, YamlTrouble } from './yaml/yaml-tree';

export type ComposeResult =
  | { readonly ok: true; readonly compose: ComposeFile }
  | { readonly ok: false; readonly errors: readonly YamlTrouble[] };

/** A text with its place. Variables (`${X}`) are left as written; `constant` is false where there are any. */
export interface ComposeText {
  readonly text: string;
  readonly range: Range;
  readonly constant: boolean;
}

export interface ComposeFlag {
  readonly value: boolean;
  readonly keyRange: Range;
  readonly range: Range;
}

/** A compose file as far as rules need it. What has another shape than Compose takes is left out, not guessed. */
export interface ComposeFile {
  readonly root: YamlMap;
  readonly topKeys: readonly { readonly key: string; readonly range: Range }[];
  /** The key `services`, null when it is missing. */
  readonly servicesKey: Range | null;
  /** False when `services` is there and is no mapping. */
  readonly servicesIsMap: boolean;
  readonly services: ReadonlyMap<string, ComposeService>;
  /** Names of top-level volumes. */
  readonly volumes: ReadonlySet<string>;
  readonly networks: ReadonlySet<string>;
  /** True where `include` or a service's `extends` may bring in what this file does not show. */
  readonly incomplete: boolean;
}

export interface ComposeService {
  readonly name: string;
  /** The service's key. */
  readonly nameRange: Range;
  readonly map: YamlMap;
  readonly image: ComposeText | null;
  readonly build: ComposeBuild | null;
  readonly platform: ComposeText | null;
  readonly user: ComposeText | null;
  readonly volumes: readonly ComposeVolume[];
  readonly ports: readonly ComposePort[];
  readonly expose: readonly ComposeText[];
  readonly dependsOn: readonly ComposeDependency[];
  readonly healthcheck: ComposeHealthcheck | null;
  readonly command: ComposeCommand | null;
  readonly entrypoint: ComposeCommand | null;
  readonly environment: readonly ComposeVariable[];
  readonly envFiles: readonly ComposeText[];
  readonly networks: readonly ComposeText[];
  readonly privileged: ComposeFlag | null;
  readonly pid: ComposeText | null;
  readonly ipc: ComposeText | null;
  readonly networkMode: ComposeText | null;
  readonly capAdd: readonly ComposeText[];
  readonly devices: readonly ComposeText[];
  readonly securityOpt: readonly ComposeText[];
}

export interface ComposeBuild {
  /** `.` when the long form names none. */
  readonly context: ComposeText;
  readonly dockerfile: ComposeText | null;
  readonly target: ComposeText | null;
  /** `dockerfile_inline`. */
  readonly inline: ComposeText | null;
  /** `additional_contexts` by name. */
  readonly contexts: readonly { readonly name: string; readonly value: ComposeText }[];
  readonly range: Range;
}

export interface ComposeVolume {
  readonly type: 'bind' | 'volume' | 'tmpfs' | 'anonymous' | 'other';
  /** Host path or volume name; null for an anonymous volume and tmpfs. */
  readonly source: ComposeText | null;
  readonly target: ComposeText | null;
  readonly readOnly: boolean;
  /** The whole item. */
  readonly range: Range;
}

export interface ComposePort {
  /** null for a range or a variable. */
  readonly published: number | null;
  readonly target: number | null;
  readonly range: Range;
}

export interface ComposeDependency {
  readonly service: string;
  /** `service_started` in the short form and by default. */
  readonly condition: string;
  /** False for the short form. */
  readonly long: boolean;
  /** Where the name stands. */
  readonly range: Range;
}

export interface ComposeHealthcheck {
  readonly disabled: boolean;
  readonly hasTest: boolean;
  readonly range: Range;
}

export interface ComposeCommand {
  /** null for the shell form. */
  readonly words: readonly ComposeText[] | null;
  /** The shell form as written; null for a list. */
  readonly shell: ComposeText | null;
  readonly range: Range;
}

export interface ComposeVariable {
  readonly name: string;
  /** null when it is taken from the host. */
  readonly value: ComposeText | null;
  readonly range: Range;
}
