import type { Sha256 } from '../files';
import { gateNames } from './settings';
import type {
  CheatOutcome,
  FailedReason,
  GateName,
  GateResult,
  NotProvenReason,
  RewardAccount,
  Verdict,
} from './verdict';

/** What a verdict rests on: a receipt is stale as soon as one of these differs. */
export interface GateInputs {
  /** Path in the task, with `/` → SHA-256 of the file. */
  readonly files: Readonly<Record<string, string>>;
  /** `cheats/<path>` or `variants/<path>` of the author's entries → SHA-256. Only the cheat gate rests on them. */
  readonly authors: Readonly<Record<string, string>>;
  readonly settings: ReceiptSettings;
}

export interface ReceiptSettings {
  readonly rewardKey: string | null;
  readonly passThreshold: number;
  readonly attempts: number;
}

/** What a verdict was reached with. Shown to people; makes nothing stale. */
export interface ReceiptMachine {
  readonly imageDigest: string | null;
  readonly architecture: string | null;
  /** The container engine's version. */
  readonly engine: string;
  /** This program's version. */
  readonly taskwright: string;
  /** Limits in force; seconds, MiB and cores, null is no limit. */
  readonly limits: ReceiptLimits;
  /** Cheats of the catalogue that were tried → their version. Empty but for the cheat gate. */
  readonly strategies: Readonly<Record<string, number>>;
}

export interface ReceiptLimits {
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly buildSec: number | null;
  readonly agentSec: number | null;
  readonly verifierSec: number | null;
}

export interface ReceiptAttempt {
  readonly reward: number | string | null;
  readonly exception: string | null;
  readonly strategy?: string;
  readonly outcome?: CheatOutcome;
}

export interface ReceiptGate {
  readonly verdict: Verdict;
  readonly reason: FailedReason | NotProvenReason | null;
  readonly message: string | null;
  readonly strategy?: string | null;
  readonly reward: RewardAccount | null;
  readonly attempts: readonly ReceiptAttempt[];
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly machine: ReceiptMachine;
  /** Key in the receipt's `inputs`. */
  readonly inputs: string;
}

/** One task's proofs, kept at `.taskwright/receipts/<task path>.json` and meant to be committed. */
export interface Receipt {
  readonly version: 1;
  /** Task folder relative to the workspace root, with `/`. */
  readonly path: string;
  readonly name: string;
  readonly gates: Readonly<Partial<Record<GateName, ReceiptGate>>>;
  /** Named by their own digest, as gates that ran together share them. */
  readonly inputs: Readonly<Record<string, GateInputs>>;
}

/** A verdict that is about the task. One that only tells of this run (stopped, no engine) proves nothing worth keeping. */
export function isWorthKeeping(result: GateResult): boolean {
  if (result.attempts.length === 0) return false;
  const passing = new Set<GateResult['reason']>(['cancelled', 'engine-failed', 'blocked', 'not-loadable']);
  return !passing.has(result.reason);
}

export interface NewProof {
  readonly result: GateResult;
  readonly at: Date;
  readonly machine: ReceiptMachine;
}

/** Replaces the proofs of the gates that ran, keeps the others, and drops inputs that nothing rests on any more. */
export function updateReceipt(
  previous: Receipt | null,
  task: { readonly path: string; readonly name: string },
  proofs: readonly NewProof[],
  inputs: GateInputs,
  sha256: Sha256,
): Receipt {
  const key = sha256(sortedJson(inputs)).slice(0, 16);
  const gates: Partial<Record<GateName, ReceiptGate>> = { ...previous?.gates };
  for (const { result, at, machine } of proofs) {
    gates[result.gate] = {
      verdict: result.verdict,
      reason: result.reason,
      message: result.message,
      ...(result.strategy === undefined ? {} : { strategy: result.strategy }),
      reward: result.reward,
      attempts: result.attempts.map(({ reward, exception, strategy, outcome }) => ({
        reward,
        exception,
        ...(strategy === undefined ? {} : { strategy }),
        ...(outcome === undefined ? {} : { outcome }),
      })),
      at: at.toISOString(),
      machine,
      inputs: key,
    };
  }
  const used = new Set(Object.values(gates).map((gate) => gate.inputs));
  const known = { ...previous?.inputs, [key]: inputs };
  return {
    version: 1,
    path: task.path,
    name: task.name,
    gates,
    inputs: Object.fromEntries(Object.entries(known).filter(([name]) => used.has(name))),
  };
}

export interface StaleInput {
  /** A path, or `setting passThreshold`. */
  readonly name: string;
  readonly change: 'changed' | 'added' | 'removed';
}

/**
 * What differs between a kept proof and the task as it is now; empty when the proof holds. `attempts` is compared only
 * in one direction: a proof by more attempts than are asked for now still holds.
 */
export function staleness(receipt: Receipt, gate: GateName, current: GateInputs): readonly StaleInput[] {
  const proof = receipt.gates[gate];
  if (proof === undefined) return [];
  const kept = Object.hasOwn(receipt.inputs, proof.inputs) ? receipt.inputs[proof.inputs] : undefined;
  if (kept === undefined) return [{ name: 'the record of inputs', change: 'removed' }];
  const stale = compare(kept.files, current.files);
  if (gate === 'cheat') stale.push(...compare(kept.authors, current.authors));
  if (kept.settings.rewardKey !== current.settings.rewardKey)
    stale.push({ name: 'setting rewardKey', change: 'changed' });
  if (kept.settings.passThreshold !== current.settings.passThreshold)
    stale.push({ name: 'setting passThreshold', change: 'changed' });
  if (kept.settings.attempts < current.settings.attempts) stale.push({ name: 'number of attempts', change: 'changed' });
  return stale;
}

export type ReceiptReading =
  { readonly ok: true; readonly receipt: Receipt } | { readonly ok: false; readonly message: string };

/** Reads a receipt that someone may have edited or merged badly: never throws, and never makes up a proof. */
export function parseReceipt(text: string): ReceiptReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, message: 'The receipt is not valid JSON.' };
  }
  if (!isObject(value)) return { ok: false, message: 'The receipt is not a JSON object.' };
  if (value.version !== 1) return { ok: false, message: 'The receipt has a version that this program does not know.' };
  const { gates, inputs, path, name } = value;
  if (!isObject(gates) || !isObject(inputs) || typeof path !== 'string' || typeof name !== 'string')
    return { ok: false, message: 'The receipt lacks its gates, its inputs or its task.' };
  for (const [gate, proof] of Object.entries(gates)) {
    if (!gateNames.some((known) => known === gate) || !isProof(proof))
      return { ok: false, message: `The receipt's entry for “${gate}” is damaged.` };
  }
  for (const entry of Object.values(inputs))
    if (!isInputs(entry)) return { ok: false, message: "The receipt's record of inputs is damaged." };
  return { ok: true, receipt: value as unknown as Receipt };
}

/** JSON with sorted keys and a final line break, so that two runs differ only where something changed. */
export function receiptText(receipt: Receipt): string {
  return `${sortedJson(receipt, 2)}\n`;
}

function sortedJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, part: unknown) =>
      isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : part,
    indent,
  );
}

function compare(kept: Readonly<Record<string, string>>, current: Readonly<Record<string, string>>): StaleInput[] {
  const names = [...new Set([...Object.keys(kept), ...Object.keys(current)])].sort();
  return names.flatMap((name): StaleInput[] => {
    if (!Object.hasOwn(kept, name)) return [{ name, change: 'added' }];
    if (!Object.hasOwn(current, name)) return [{ name, change: 'removed' }];
    return kept[name] === current[name] ? [] : [{ name, change: 'changed' }];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isProof(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { verdict, at, inputs, attempts, machine, reward, message, reason } = value;
  return (
    (verdict === 'passed' || verdict === 'failed' || verdict === 'not-proven') &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof inputs === 'string' &&
    Array.isArray(attempts) &&
    attempts.every(isObject) &&
    isObject(machine) &&
    (reward === null || isObject(reward)) &&
    (message === null || typeof message === 'string') &&
    (reason === null || typeof reason === 'string')
  );
}

function isInputs(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { files, authors, settings } = value;
  const digests = (part: unknown): boolean =>
    isObject(part) && Object.values(part).every((digest) => typeof digest === 'string');
  return (
    digests(files) &&
    digests(authors) &&
    isObject(settings) &&
    (settings.rewardKey === null || typeof settings.rewardKey === 'string') &&
    typeof settings.passThreshold === 'number' &&
    typeof settings.attempts === 'number'
  );
}
