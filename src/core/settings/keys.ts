import { gateNames } from '../gates/settings';
import { profileNames } from '../rules/profile';

/** What a key of taskwright.toml may hold. */
export type SettingShape =
  | { readonly kind: 'text'; readonly choices?: readonly string[] }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'texts'; readonly choices?: readonly string[]; readonly least?: number }
  | { readonly kind: 'table'; readonly keys: SettingKeys }
  /** A table whose keys the person names: `rule` ids, or any. */
  | { readonly kind: 'map'; readonly keys: 'rule' | 'any'; readonly item: SettingShape }
  | { readonly kind: 'tables'; readonly keys: SettingKeys };

export interface SettingKey {
  readonly shape: SettingShape;
  readonly doc: string;
  /** The value in force without the key, as TOML; absent where there is none. */
  readonly default?: string;
  readonly isRequired?: boolean;
}

export type SettingKeys = Readonly<Record<string, SettingKey>>;

export const levels = ['error', 'warning', 'information', 'hint', 'off'] as const;
export const metadataTypes = ['string', 'integer', 'number', 'boolean', 'array', 'table', 'date'] as const;

const text: SettingShape = { kind: 'text' };
const texts: SettingShape = { kind: 'texts' };
const boolean: SettingShape = { kind: 'boolean' };
const whole = (min: number, max: number): SettingShape => ({ kind: 'number', isWhole: true, min, max });

const parameters: SettingKeys = {
  canary: { shape: text, doc: 'The text that marks a file as not for training.' },
  'canary-files': {
    shape: texts,
    doc: 'Files of a task that have to hold the canary: patterns as in `.gitignore`, from the task folder.',
    default: '[]',
  },
  'max-name-length': { shape: whole(1, 1000), doc: 'Characters of a task’s name.', default: '60' },
  'binary-reward': { shape: boolean, doc: 'Must a reward be 0 or 1?', default: 'false' },
  'digest-pinned': { shape: boolean, doc: 'Must a base image be pinned by digest?', default: 'false' },
  'network-mode-allowed': { shape: boolean, doc: 'May a task set `network_mode` at all?', default: 'true' },
  'solutions-withheld': { shape: boolean, doc: 'Are tasks published without their solutions?', default: 'false' },
  'rubric-files': {
    shape: texts,
    doc: 'Names of rubric files in the task folder.',
    default: '["rubric.toml", "rubric.yaml", "rubric.yml", "rubric.json"]',
  },
  'large-file-bytes': { shape: whole(1, 1e12), doc: 'Bytes from which on a file is large.', default: '5000000' },
  'large-task-bytes': { shape: whole(1, 1e13), doc: 'Bytes from which on a task is large.', default: '50000000' },
  'max-instruction-tokens': {
    shape: whole(1, 1e6),
    doc: 'Tokens of an instruction, by estimate.',
    default: '1500',
  },
  'min-criteria': { shape: whole(1, 1000), doc: 'Criteria that a rubric should at least have.', default: '7' },
  'max-criteria': { shape: whole(1, 1000), doc: 'Criteria that a rubric should at most have.', default: '20' },
};

const allow: SettingKeys = {
  rule: { shape: text, doc: 'The id of the rule whose findings are let pass.', isRequired: true },
  path: {
    shape: text,
    doc: 'Files, as a pattern of `.gitignore` seen from the workspace root: a folder stands for all in it.',
    isRequired: true,
  },
  reason: { shape: text, doc: 'Why that is right here; it is shown wherever the finding would be.', isRequired: true },
};

const gates: SettingKeys = {
  gates: {
    shape: { kind: 'texts', choices: gateNames, least: 1 },
    doc: 'The gates that are run.',
    default: '["oracle", "nop", "cheat"]',
  },
  attempts: { shape: whole(1, 999_999), doc: 'Attempts a gate.', default: '1' },
  'pass-threshold': {
    shape: { kind: 'number', isWhole: false },
    doc: 'The reward that counts as a pass.',
    default: '1',
  },
  'reward-key': {
    shape: text,
    doc: 'The reward that counts; without it the key `reward`, else the only one there is.',
  },
};

const metadataKey: SettingKeys = {
  required: { shape: boolean, doc: 'Must every task have the key?', default: 'false' },
  type: { shape: { kind: 'text', choices: metadataTypes }, doc: 'The type of its value; without it any.' },
  values: {
    shape: { kind: 'texts', least: 1 },
    doc: 'The texts that are allowed, also as the items of a list; without it any.',
  },
};

/** Every key of taskwright.toml: what reads it, its JSON Schema and its page are made of this. */
export const settingKeys: SettingKeys = {
  profile: {
    shape: { kind: 'text', choices: profileNames },
    doc: 'The set of choices that the rules follow.',
    default: '"harbor"',
  },
  parameters: { shape: { kind: 'table', keys: parameters }, doc: 'Choices that differ from those of the profile.' },
  rules: {
    shape: { kind: 'map', keys: 'rule', item: { kind: 'text', choices: levels } },
    doc: 'Severities by rule id.',
  },
  allow: { shape: { kind: 'tables', keys: allow }, doc: 'Findings that are let pass, each with a reason.' },
  gates: { shape: { kind: 'table', keys: gates }, doc: 'What `taskwright gate` does when its options do not say.' },
  metadata: {
    shape: {
      kind: 'table',
      keys: {
        keys: {
          shape: { kind: 'map', keys: 'any', item: { kind: 'table', keys: metadataKey } },
          doc: 'The keys, by name.',
        },
        'allow-others': { shape: boolean, doc: 'May `[metadata]` hold other keys?', default: 'true' },
      },
    },
    doc: 'What this repository asks of `[metadata]` in task.toml, which Harbor leaves free.',
  },
};
