import type { ArtifactConfig } from '../../task/config';
import { parseTemplate } from '../../task/templates';
import type { TomlSource } from '../../text/toml-edit';
import type { TomlPath } from '../../text/toml-tree';
import { entryAt, valueAt } from '../../text/toml-tree';
import { envTables, hasSecretName } from './env-tables';
import { ruleFromProblems } from './from-problems';
import type { Subject } from '../../model/subject';
import type { Claim, Rule } from '../rule';
import { sourceOf, valueRange } from './toml-places';

const fromTable = ruleFromProblems({
  id: 'config-suspicious-value',
  severity: 'warning',
  confidence: 'certain',
  why: 'Harbor checks no range and no sense: the value is accepted, and will not do what it says.',
  docs: {
    finds:
      'A value that Harbor accepts and that cannot be meant: zero or negative cores, memory, storage, retries or limits, an allow-list without hosts, an accelerator that a local engine does not have, an artifact that is named twice, a verifier variable with the name of a secret and an everyday word as its value.',
    silent: 'An explicit `gpus = 0`.',
    bad: 'cpus = 0',
    good: 'cpus = 1',
  },
});

/** What the table of keys cannot say, since it takes more than one key. */
export const configSuspiciousValue: Rule = {
  ...fromTable,
  *check(subject: Subject) {
    yield* fromTable.check(subject);
    const source = sourceOf(subject.toml);
    const config = subject.toml?.config;
    if (source === null || !config) return;
    yield* emptyAllowLists(source);
    yield* accelerators(source);
    yield* strategyWithoutSteps(source, config.steps.length);
    yield* blankedVariables(source);
    yield* repeatedArtifacts(source, config.artifacts, ['artifacts'], []);
    for (const [index, step] of config.steps.entries()) {
      yield* repeatedArtifacts(source, step.artifacts, ['steps', index, 'artifacts'], config.artifacts);
      if (Number.isNaN(step.min_reward)) {
        const path = ['steps', index, 'min_reward'];
        yield {
          path,
          range: valueRange(source, path),
          message: 'No reward is smaller than nan, so this gate is always passed.',
        };
      }
    }
  },
};

function* stepIndexes(source: TomlSource): Generator<number> {
  const steps = valueAt(source.root, ['steps']);
  if (steps?.kind === 'array') yield* steps.items.keys();
}

function* emptyAllowLists(source: TomlSource): Generator<Claim> {
  const tables: TomlPath[] = [['environment'], ['agent'], ['verifier'], ['verifier', 'environment']];
  for (const index of stepIndexes(source)) {
    tables.push(['steps', index, 'agent'], ['steps', index, 'verifier'], ['steps', index, 'verifier', 'environment']);
  }
  for (const table of tables) {
    const mode = entryAt(source.root, [...table, 'network_mode'])?.value;
    const hosts = valueAt(source.root, [...table, 'allowed_hosts']);
    if (mode?.kind !== 'string' || mode.value !== 'allowlist') continue;
    if (hosts?.kind === 'array' && hosts.items.length > 0) continue;
    yield {
      path: [...table, 'network_mode'],
      range: mode.range,
      message: 'network_mode = "allowlist" without allowed_hosts lets nothing through, as "no-network" does.',
    };
  }
}

function* accelerators(source: TomlSource): Generator<Claim> {
  for (const table of [['environment'], ['verifier', 'environment']]) {
    const gpus = valueAt(source.root, [...table, 'gpus']);
    if (gpus && gpus.kind !== 'boolean' && 'value' in gpus && Number(gpus.value) > 0) {
      const path = [...table, 'gpus'];
      yield {
        path,
        severity: 'information',
        range: gpus.range,
        message: 'Docker refuses to run a task that asks for GPUs.',
      };
    }
    if (valueAt(source.root, [...table, 'tpu'])) {
      const path = [...table, 'tpu'];
      const range = entryAt(source.root, path)?.keyRange ?? valueRange(source, path);
      yield { path, severity: 'information', range, message: 'Docker refuses to run a task that asks for a TPU.' };
    }
  }
}

function* strategyWithoutSteps(source: TomlSource, steps: number): Generator<Claim> {
  const entry = entryAt(source.root, ['multi_step_reward_strategy']);
  if (!entry || steps > 0) return;
  yield {
    path: ['multi_step_reward_strategy'],
    range: entry.keyRange,
    message: 'multi_step_reward_strategy has no effect: the task has no [[steps]].',
  };
}

/** After the trial, Harbor blanks the values of such variables out of every result file. */
function* blankedVariables(source: TomlSource): Generator<Claim> {
  for (const { path, entries } of envTables(source.root)) {
    if (path.at(-2) !== 'verifier') continue;
    for (const { key, value } of entries) {
      if (value.kind !== 'string' || !hasSecretName(key) || parseTemplate(value.value) !== null) continue;
      if (!/^[\w.-]{1,8}$/u.test(value.value)) continue;
      yield {
        path: [...path, key],
        range: value.range,
        message: `The name ${key} reads like a secret, so Harbor replaces ${JSON.stringify(value.value)} by [REDACTED] in every result file of a trial.`,
      };
    }
  }
}

function* repeatedArtifacts(
  source: TomlSource,
  artifacts: readonly ArtifactConfig[],
  path: TomlPath,
  before: readonly ArtifactConfig[],
): Generator<Claim> {
  const all = [...before, ...artifacts];
  for (const [index, artifact] of artifacts.entries()) {
    const earlier = all.slice(0, before.length + index).find((other) => overlaps(other, artifact));
    if (!earlier) continue;
    const item = valueAt(source.root, [...path, index]);
    yield {
      path: [...path, index],
      range: item?.range ?? valueRange(source, path),
      message:
        trimmed(earlier.source) === trimmed(artifact.source)
          ? `${JSON.stringify(artifact.source)} is collected already; Harbor skips the second entry.`
          : `${JSON.stringify(artifact.source)} overlaps ${JSON.stringify(earlier.source)}; Harbor skips the later of the two.`,
    };
  }
}

function overlaps(a: ArtifactConfig, b: ArtifactConfig): boolean {
  if ((a.service ?? 'main') !== (b.service ?? 'main')) return false;
  const [first, second] = [`${trimmed(a.source)}/`, `${trimmed(b.source)}/`];
  return first.startsWith(second) || second.startsWith(first);
}

function trimmed(path: string): string {
  return path.replace(/\/+$/u, '');
}
