import type { GateName } from './verdict';

/** What decides a verdict besides the task itself. */
export interface GateSettings {
  /** null: the key `reward`, else the only key there is. */
  readonly rewardKey: string | null;
  /** A finite number; a reward at or above it counts as a pass. */
  readonly passThreshold: number;
  /** Attempts a gate, from 1. */
  readonly attempts: number;
}

export const defaultGateSettings: GateSettings = { rewardKey: null, passThreshold: 1, attempts: 1 };

/** In the order in which they are run and shown. */
export const gateNames: readonly GateName[] = ['oracle', 'nop', 'cheat'];

export type GateNamesResult =
  { readonly ok: true; readonly gates: readonly GateName[] } | { readonly ok: false; readonly message: string };

/** Reads `oracle,nop`; the result has the order of `gateNames` and no name twice. */
export function parseGateNames(text: string): GateNamesResult {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const wrong = words.find((word) => !gateNames.some((name) => name === word));
  if (wrong !== undefined)
    return { ok: false, message: `there is no gate “${wrong}”; the gates are ${gateNames.join(', ')}` };
  if (words.length === 0) return { ok: false, message: `no gate was named; the gates are ${gateNames.join(', ')}` };
  return { ok: true, gates: gateNames.filter((name) => words.includes(name)) };
}
