import type { NetworkMode, TaskConfig } from '../core/task/config';
import { readDocument } from '../core/task/document';
import { networkPlan } from '../core/task/network';
import { verifierMode } from '../core/task/verifier-mode';
import { linesOf } from '../core/text/lines';
import type { Position, Range } from '../core/text/position';
import type { TomlPath, TomlTable } from '../core/text/toml-tree';
import { entryAt, tableAt } from '../core/text/toml-tree';
import { sectionsOf } from './toml/places';
import { scanToml } from './toml/scan';

/** What is in force and not written at a place of task.toml. */
export interface InlayHint {
  readonly position: Position;
  readonly text: string;
  readonly tooltip: string;
}

/** Behind headers what their missing keys come to, behind values what Harbor makes of them. None in an invalid file. */
export function hintsOf(text: string, range: Range | null = null): readonly InlayHint[] {
  const { root, config } = readDocument(text);
  if (root === null || config === null) return [];
  const lines = linesOf(text);
  const hints: InlayHint[] = [];
  for (const { header, path, entries } of sectionsOf(scanToml(text))) {
    if (header !== null) {
      const facts = factsOf(path, config, root);
      if (facts.length > 0) {
        const tooltip = facts.map(({ why }) => why).join('\n\n');
        hints.push({ position: lines.position(header.end), text: facts.map(({ say }) => say).join(', '), tooltip });
      }
    }
    for (const { segments, value } of entries) {
      const [only, ...more] = segments;
      if (only === undefined || more.length > 0 || value === null) continue;
      const said = valueHint(only.name, [...path, only.name], config, text.slice(value.start, value.end));
      if (said !== null) hints.push({ position: lines.position(value.end), ...said });
    }
  }
  return range === null
    ? hints
    : hints.filter(({ position: { line } }) => line >= range.start.line && line <= range.end.line);
}

interface Fact {
  readonly say: string;
  readonly why: string;
}

function factsOf(path: TomlPath, config: TaskConfig, root: TomlTable): readonly Fact[] {
  const has = (...keys: string[]): boolean => keys.some((key) => entryAt(root, [...path, key]) !== undefined);
  const [table, second, third] = path;
  const facts: Fact[] = [];
  const say = (isSaid: boolean, words: string, why: string): void => {
    if (isSaid) facts.push({ say: words, why });
  };
  const step = table === 'steps' && typeof second === 'number' ? second : null;
  if ((path.length === 1 && table === 'environment') || (table === 'verifier' && second === 'environment' && !third)) {
    say(!has('cpus'), 'cpus: no limit', 'Without `cpus` the container may use every core of the host.');
    say(
      !has('memory_mb', 'memory'),
      'memory: no limit',
      'Without `memory_mb` the container may use all memory of the host.',
    );
    say(!has('network_mode', 'allow_internet'), 'network: public', 'Without `network_mode` the network is open.');
  } else if (path.length === 1 && table === 'agent') {
    say(!has('timeout_sec'), 'no time limit', 'Without `timeout_sec` an agent may run for ever.');
    sayNetwork(config.environment.network_mode, networkPlan(config).agent.mode, '[environment]');
  } else if (path.length === 1 && table === 'verifier') {
    say(!has('timeout_sec'), 'timeout: 600 s', 'Without `timeout_sec` the verification is stopped after 600 seconds.');
    const { mode } = verifierMode(config, null);
    say(!has('environment_mode'), mode, modeWords(mode));
    const plan = networkPlan(config);
    sayNetwork(plan.verifierBaseline.mode, plan.verifier.mode, 'its environment');
  } else if (step !== null && path.length === 2) {
    const hasTable = (name: string): boolean => tableAt(root, [...path, name]) !== undefined;
    if (!hasTable('agent')) sayAgent(config.agent.timeout_sec);
    if (!hasTable('verifier')) sayVerifier();
  } else if (step !== null && path.length === 3) {
    if (third === 'agent' && !has('timeout_sec')) sayAgent(config.agent.timeout_sec);
    if (third === 'verifier' && !has('timeout_sec')) sayVerifier();
  }
  return facts;

  function sayAgent(seconds: number | null): void {
    const words = seconds === null ? 'agent: no time limit' : `agent: ${seconds} s`;
    say(true, words, 'A step without its own `agent.timeout_sec` has the limit of the task.');
  }
  function sayVerifier(): void {
    say(true, 'verifier: 600 s', 'A step does not inherit `verifier.timeout_sec`: without its own it has 600 seconds.');
  }
  function sayNetwork(baseline: NetworkMode, mode: NetworkMode, from: string): void {
    const isInherited = !has('network_mode') && baseline !== 'public' && baseline === mode;
    say(isInherited, `network: ${mode}`, `Without a \`network_mode\` of its own the policy of ${from} is in force.`);
  }
}

function valueHint(
  name: string,
  path: TomlPath,
  config: TaskConfig,
  written: string,
): Omit<InlayHint, 'position'> | null {
  if (path[0] !== 'environment' || path.length !== 2) {
    return name.endsWith('timeout_sec') ? secondsHint(written) : null;
  }
  const { memory_mb: memory, storage_mb: storage, network_mode: mode } = config.environment;
  const said =
    name === 'memory' && memory !== null
      ? `${memory} MiB`
      : name === 'storage' && storage !== null
        ? `${storage} MiB`
        : name === 'allow_internet'
          ? `network: ${mode}`
          : name === 'memory_mb' && memory !== null && memory >= 1024
            ? `${trimmed(memory / 1024)} GiB`
            : null;
  if (said !== null) return { text: said, tooltip: 'What Harbor makes of this value.' };
  return name.endsWith('timeout_sec') ? secondsHint(written) : null;
}

function secondsHint(written: string): Omit<InlayHint, 'position'> | null {
  const seconds = Number(written.replaceAll('_', ''));
  if (!Number.isFinite(seconds) || seconds < 120) return null;
  const hours = seconds / 3600;
  const text = hours >= 2 ? `${trimmed(hours)} h` : `${trimmed(seconds / 60)} min`;
  return { text, tooltip: 'The same in other words.' };
}

function trimmed(value: number): string {
  return value.toFixed(2).replace(/\.?0+$/u, '');
}

function modeWords(mode: 'shared' | 'separate'): string {
  return mode === 'shared'
    ? "The verifier runs in the agent's container: without `environment_mode` and `[verifier.environment]` it is shared."
    : 'The verifier runs in a container of its own, since there is a `[verifier.environment]`.';
}
