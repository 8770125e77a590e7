import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { rules } from '../../src/core/rules/catalogue';
import { levelsOf } from '../../src/core/rules/check';
import { profiles } from '../../src/core/rules/profile';
import { effectiveSettings } from '../../src/core/settings/effective';
import { settingKeys } from '../../src/core/settings/keys';
import { readSettings } from '../../src/core/settings/read';
import { settingsSchema } from '../../src/core/settings/schema';
import { defaultSettings } from '../../src/core/settings/settings';
import { unusedAllowances } from '../../src/core/settings/unused-allowances';
import { plainValue } from '../../src/core/task/decode-free';
import { applyEdits } from '../../src/core/text/edits';
import { readToml } from '../../src/core/text/toml';
import { shown } from './rules/checked';
import { soundConfig } from './memory-files';
import { checkTask } from '../../src/core/rules/check';
import { memoryFiles, taskTree } from './memory-files';

const ruleIds = rules.map(({ id }) => id);
const read = (text: string) => readSettings(text, ruleIds);
const said = (text: string): readonly string[] =>
  read(text).findings.map(
    ({ ruleId, range: { start, end }, message }) =>
      `${ruleId} ${start.line + 1}:${start.character + 1}-${end.character + 1} ${message}`,
  );

const whole = `profile = "isolated"

[parameters]
canary = "CANARY 1"
canary-files = ["tests/**"]
max-name-length = 40
binary-reward = false
min-criteria = 3
max-criteria = 30

[rules]
tests-fixed-sleep = "hint"
docker-unpinned-pip = "off"

[[allow]]
rule = "config-unknown-key"
path = "tasks/old"
reason = "kept for our own tools"

[gates]
gates = ["nop", "oracle"]
attempts = 3
pass-threshold = 0.5
reward-key = "score"

[metadata]
allow-others = false

[metadata.keys.difficulty]
required = true
type = "string"
values = ["easy", "hard"]
`;

describe('taskwright.toml', () => {
  test('is read', () => {
    const { table, findings } = read(whole);
    expect(findings).toEqual([]);
    const settings = effectiveSettings(table);
    expect(settings.profile).toMatchObject({
      name: 'isolated',
      canary: 'CANARY 1',
      canaryFiles: ['tests/**'],
      maxNameLength: 40,
      binaryReward: false,
      rubricSize: { min: 3, max: 30 },
      metadata: { allowsOthers: false, keys: { difficulty: { required: true, type: 'string' } } },
    });
    expect([...settings.rules]).toEqual([
      ['tests-fixed-sleep', 'hint'],
      ['docker-unpinned-pip', 'off'],
    ]);
    expect(settings.allow).toMatchObject([
      { rule: 'config-unknown-key', path: 'tasks/old', range: { start: { line: 14 } } },
    ]);
    expect(settings.gates).toEqual({ gates: ['oracle', 'nop'], attempts: 3, passThreshold: 0.5, rewardKey: 'score' });
  });

  test('may be empty, or not be there', () => {
    expect(effectiveSettings(read('').table)).toEqual(defaultSettings);
    expect(effectiveSettings(null)).toEqual(defaultSettings);
  });

  test.each([
    ['profile =', 'settings-syntax 1:9-10 The value is missing, so none of this file is in force.'],
    ['profil = "harbor"', 'settings-unknown-key 1:1-7 taskwright.toml has no key profil. Did you mean profile?'],
    ['[gates]\nattempt = 2', 'settings-unknown-key 2:1-8 [gates] has no key attempt. Did you mean attempts?'],
    [
      '[gates]\npass_threshold = 2',
      'settings-unknown-key 2:1-15 [gates] has no key pass_threshold. Did you mean pass-threshold?',
    ],
    [
      '[gates]\nattempts = 0',
      'settings-invalid-value 2:12-13 gates.attempts has to be a whole number from 1 to 999999.',
    ],
    ['[gates]\npass-threshold = nan', 'settings-invalid-value 2:18-21 gates.pass-threshold has to be a finite number.'],
    [
      '[gates]\ngates = ["flake"]',
      'settings-invalid-value 2:10-17 gates.gates has to be a list of these: "oracle", "nop", "cheat".',
    ],
    ['[rules]\nnothing = "off"', 'settings-unknown-rule 2:1-8 There is no rule nothing.'],
    [
      '[rules]\ntests-fixed-sleeps = "off"',
      'settings-unknown-rule 2:1-19 There is no rule tests-fixed-sleeps. Did you mean tests-fixed-sleep?',
    ],
    [
      '[rules]\ntests-fixed-sleep = "warn"',
      'settings-invalid-value 2:21-27 rules.tests-fixed-sleep has to be one of "error", "warning", "information", "hint", "off".',
    ],
    [
      '[[allow]]\nrule = "tests-fixed-sleep"\npath = "a"',
      'settings-invalid-value 1:1-10 The key reason is missing in [[allow]].',
    ],
    ['[[allow]]\nrule = "nothing"\npath = "a"\nreason = "b"', 'settings-unknown-rule 2:8-17 There is no rule nothing.'],
    ['allow = 1', 'settings-invalid-value 1:9-10 allow has to be a list of tables, written as [[allow]].'],
    ['[metadata.keys]\na = 1', 'settings-invalid-value 2:5-6 metadata.keys.a has to be a table.'],
  ])('%j is reported, and the rest holds', (text, expected) => {
    expect(said(text)).toEqual([expected]);
    expect(effectiveSettings(read(text).table).profile.name).toBe('harbor');
  });

  test('is mended where a name was misspelt', () => {
    const text = '[rules]\ntests-fixed-sleeps = "off"\n';
    const [finding] = read(text).findings;
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe('[rules]\ntests-fixed-sleep = "off"\n');
  });

  test('gives way to what a person set', () => {
    const { table } = read(whole);
    const settings = effectiveSettings(table, {
      profile: 'rubric-only',
      rules: { 'tests-fixed-sleep': 'error', 'docker-x': 7 },
    });
    expect(settings.profile.name).toBe('rubric-only');
    expect(settings.rules.get('tests-fixed-sleep')).toBe('error');
    expect(settings.rules.has('docker-x')).toBe(false);
    expect(effectiveSettings(table, { profile: 'unheard-of' }).profile.name).toBe('isolated');
  });

  test('has a schema that takes what the reader takes', () => {
    const validate = new Ajv({ strict: false }).compile(settingsSchema(ruleIds));
    const accepts = (text: string): boolean => {
      const toml = readToml(text);
      return toml.ok && validate(plainValue(toml.root));
    };
    expect(accepts(whole)).toBe(true);
    for (const text of [
      '',
      '[rules]\n',
      '[[allow]]\nrule="tests-fixed-sleep"\npath="x"\nreason="y"\n',
      'x = 1',
      'profile = "x"',
      '[gates]\nattempts = 0',
      '[[allow]]\nrule="x"',
      '[rules]\nnothing = "off"',
    ]) {
      expect([text, accepts(text)]).toEqual([text, read(text).findings.length === 0]);
    }
  });
});

describe('a profile', () => {
  const level = (name: keyof typeof profiles, id: string): string | undefined =>
    levelsOf(defaultSettings, profiles[name]).get(id);

  test('names only rules that exist', () => {
    const named = Object.values(profiles).flatMap(({ levels }) => Object.keys(levels));
    expect(named.filter((id) => !ruleIds.includes(id))).toEqual([]);
  });

  test('changes severities and hides families', () => {
    expect(level('harbor', 'config-syntax')).toBe(undefined);
    expect(level('shared-legacy', 'verifier-runtime-install')).toBe('information');
    expect(level('isolated', 'verifier-runtime-install')).toBe('error');
    expect(level('rubric-only', 'config-syntax')).toBe('off');
    expect(level('rubric-only', 'rubric-weight')).toBe(undefined);
    const own = { ...defaultSettings, rules: new Map([['config-syntax', 'error'] as const]) };
    expect(levelsOf(own, profiles['rubric-only']).get('config-syntax')).toBe('error');
  });
});

describe('a schema of metadata', () => {
  async function found(metadata: string, schema: string): Promise<readonly string[]> {
    const settings = effectiveSettings(read(schema).table);
    const files = memoryFiles(taskTree('/t/a', { 'task.toml': `${soundConfig}${metadata}` }));
    const findings = await checkTask(files, '/t/a', { grammars: null, settings });
    return findings.filter(({ ruleId }) => ruleId === 'config-metadata-schema').map(({ message }) => message);
  }

  test.each([
    ['[metadata]\ndifficulty = "hard"\n', []],
    ['', ['[metadata] lacks difficulty, which taskwright.toml asks of every task.']],
    ['[metadata]\ndifficulty = 3\n', ['difficulty is no string, which taskwright.toml asks for.']],
    ['[metadata]\ndifficulty = "odd"\n', ['"odd" is none of the values of difficulty: "easy", "hard".']],
    ['[metadata]\ndifficulty = "easy"\nx = 1\n', ['taskwright.toml knows no x in [metadata]; it knows difficulty.']],
  ])('holds %j to it', async (metadata, expected) => {
    expect(await found(metadata, whole)).toEqual(expected);
  });

  test('is asked for by nobody else', async () => {
    expect(await shown('config-metadata-schema', { 'task.toml': `${soundConfig}[metadata]\nx = 1\n` })).toEqual([]);
  });
});

describe('an allowance without use', () => {
  const settings = (path: string) =>
    effectiveSettings(read(`[[allow]]\nrule = "config-unknown-key"\npath = "${path}"\nreason = "x"\n`).table);
  const unused = (path: string, used: readonly number[] = []): number =>
    unusedAllowances(settings(path), () => false, [{ taskPath: 'tasks/a', usedAllowances: used }]).length;

  test('is told where all that it can mean was checked', () => {
    expect(['tasks/a', '/tasks/a/', 'tasks/a/tests/*.py'].map((path) => unused(path))).toEqual([1, 1, 1]);
    expect(['tasks/b', 'tasks/*', 'tasks', 'task.toml', 'tasks/ab'].map((path) => unused(path))).toEqual([
      0, 0, 0, 0, 0,
    ]);
    expect(unused('tasks/a', [0])).toBe(0);
  });
});

test('every key has a place in the documentation', () => {
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const names = (keys: typeof settingKeys): readonly string[] =>
    Object.entries(keys).flatMap(([name, { shape }]) => [
      name,
      ...(shape.kind === 'table' || shape.kind === 'tables' ? names(shape.keys) : []),
    ]);
  const isTold = (name: string): boolean =>
    [`\`${name}\``, `[${name}`, `.${name}.`, `## ${name}`, `${name} = `].some((written) => page.includes(written));
  expect(names(settingKeys).filter((name) => !isTold(name))).toEqual([]);
});
