import { factFiles } from '../../core/cheats/fact-files';
import type { Facts } from '../../core/cheats/facts';
import { readStrategy } from '../../core/cheats/header';
import type { PlannedCheat, Strategy } from '../../core/cheats/strategy';
import type { Files } from '../../core/files';
import type { CheatRun } from '../trial/spec';

/** Seconds that a script of the catalogue may take (cheats.md, section 2). */
const scriptLimit = 60;
const maxScriptBytes = 256 * 1024;
/** Lies beside the strategies and is none. */
const probeName = 'probe.sh';

export type CatalogueResult =
  | { readonly ok: true; readonly strategies: readonly Strategy[]; readonly probeScript: string }
  | { readonly ok: false; readonly message: string };

/** Reads `media/cheats`. Its files ship with the program, so one that cannot be read is a broken installation. */
export async function loadStrategies(files: Files, dir: string): Promise<CatalogueResult> {
  const entries = await files.list(dir);
  if (entries === null)
    return { ok: false, message: `The cheats that belong to this program are missing (${dir}). Install it again.` };
  const strategies: Strategy[] = [];
  let probeScript: string | null = null;
  for (const { name, kind } of entries) {
    if (kind !== 'file' || !name.endsWith('.sh')) continue;
    const read = await files.read(files.join(dir, name), maxScriptBytes);
    if (!read.ok) return { ok: false, message: `${read.message} Install this program again.` };
    const text = new TextDecoder().decode(read.bytes);
    if (name === probeName) {
      probeScript = text;
      continue;
    }
    const strategy = readStrategy(name, text);
    if (!strategy.ok) return { ok: false, message: `A cheat of this program is broken: ${strategy.message}.` };
    strategies.push(strategy.strategy);
  }
  if (strategies.length === 0 || probeScript === null)
    return { ok: false, message: `The cheats that belong to this program are incomplete (${dir}). Install it again.` };
  return { ok: true, strategies, probeScript };
}

/** Makes a planned run ready: the script with its facts beside it, run as the agent. */
export function catalogueRun(
  planned: PlannedCheat & { readonly kind: 'run' },
  facts: Facts,
  rewardKey: string | null,
): CheatRun {
  const { strategy, run, label } = planned;
  const entry = `${strategy.id}.sh`;
  const encoder = new TextEncoder();
  return {
    label,
    source: 'catalogue',
    version: strategy.version,
    level: strategy.level,
    knowledge: strategy.knowledge,
    files: [
      { name: entry, content: encoder.encode(strategy.script), mode: 0o755 },
      ...factFiles(facts, rewardKey, strategy.knowledge).map(({ name, text }) => ({
        name,
        content: encoder.encode(text),
        mode: 0o644,
      })),
    ],
    entry,
    args: run === '' ? [] : [run],
    env: {},
    user: 'agent',
    timeoutSec: scriptLimit,
    expect: null,
    title: null,
    targets: null,
  };
}
