import { Float, writeJson, type Json } from './harbor/json';
import type { CheatRecord, RewardNumber, RewardReading, TrialRecord } from './record';

/**
 * What Harbor's files have no place for, in `taskwright.json` beside a trial's `result.json`, version 1. It is strict
 * JSON: numbers that are not finite are the texts `nan`, `inf` and `-inf`. Times are UTC. Readers must ignore members
 * that they do not know; a change that breaks them raises `version`.
 */
export interface TrialFacts {
  readonly version: 1;
  /** Version of Taskwright that ran the trial. */
  readonly program: string;
  readonly job: { readonly id: string; readonly name: string };
  readonly record: TrialRecord;
  readonly reward: RewardFacts | null;
  readonly agent: AgentFacts;
  readonly cheat: CheatFacts | null;
  readonly verifier: VerifierFacts | null;
  readonly image: ImageFacts | null;
  readonly limits: LimitFacts;
  readonly engine: EngineFacts;
  /** In the order they began. */
  readonly phases: readonly PhaseFacts[];
  /** What lay in a log folder and was not copied: links, devices, FIFOs, and what is over the limit of size. */
  readonly notCopied: readonly NotCopied[];
  /** Names of the variables whose values were taken out of the trial's files. */
  readonly redacted: readonly string[];
  /** Names of variables that look secret, but whose values are too short to take out without spoiling the files. */
  readonly notRedacted: readonly string[];
}

export interface RewardFacts {
  /** The key that counts by the setting in force, or null when none does. */
  readonly key: string | null;
  readonly value: number | string | null;
  /** `reward.json` or `reward.txt`; null when neither was there. */
  readonly file: string | null;
  readonly raw: string | null;
  readonly bothFiles: boolean;
  /** Keys that stand more than once in the JSON; the last one counts. */
  readonly duplicateKeys: readonly string[];
}

export interface AgentFacts {
  readonly exitCode: number | null;
  readonly ended: 'exited' | 'limit' | 'idle' | 'cancelled' | 'container-gone' | null;
  readonly outOfMemory: boolean;
  /** Where tokens and cost came from: `trajectory.json`, `usage.json`; null for neither. */
  readonly usageFrom: string | null;
  /** What is wrong with such a file, for people. */
  readonly remarks: readonly string[];
}

export interface CheatFacts {
  readonly version: number;
  readonly level: 1 | 2 | 3;
  readonly knowledge: 'blind' | 'informed';
  readonly source: string;
  readonly user: 'agent' | 'root';
  /** As the author wrote it: `0`, `<1`, `>=1`. */
  readonly expect: string | null;
  readonly title: string | null;
  readonly targets: string | null;
}

export interface VerifierFacts {
  readonly exitCode: number | null;
  readonly ended: string;
  readonly outOfMemory: boolean;
}

export interface ImageFacts {
  readonly id: string;
  readonly digest: string;
  readonly architecture: string;
  readonly os: string;
}

export interface LimitFacts {
  /** Seconds; null is no limit. */
  readonly buildSec: number | null;
  readonly agentSec: number | null;
  readonly verifierSec: number | null;
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly network: string | null;
}

export interface EngineFacts {
  readonly version: string;
  readonly apiVersion: string;
  readonly os: string;
  readonly architecture: string;
  readonly storageDriver: string;
}

export interface PhaseFacts {
  readonly name: 'image' | 'start' | 'agent' | 'artifacts' | 'verifier';
  /** UTC. */
  readonly startedAt: string;
  readonly durationSec: number;
}

export interface NotCopied {
  readonly path: string;
  readonly kind: string;
  /** Of a link. */
  readonly target: string | null;
  readonly why: string;
}

/** `text` is applied to every text value: it takes secrets out. */
export function trialFactsFile(facts: TrialFacts, text?: (text: string) => string): string {
  return `${writeJson(plain(facts), text ? { indent: 2, text } : { indent: 2 })}\n`;
}

/** Numbers here are plain JSON numbers, or texts where JSON has none. */
function plain(value: unknown): Json {
  if (typeof value === 'number') return strict(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return null;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

function strict(value: number): Json {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isInteger(value) ? value : new Float(value);
}

/** The record of an earlier run; null for a text that this program did not write, or not completely. */
export function readTrialRecord(text: string): { readonly record: TrialRecord; readonly jobId: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || value.version !== 1 || !isObject(value.job) || !isObject(value.record)) return null;
  const jobId = value.job.id;
  const record = value.record;
  const strings = ['name', 'taskDir', 'agent'].every((name) => typeof record[name] === 'string');
  if (typeof jobId !== 'string' || !strings || typeof record.attempt !== 'number') return null;
  const { reading, cheat } = record as { reading?: RewardReading | null; cheat?: CheatRecord | null };
  const read = {
    ...(record as unknown as TrialRecord),
    reading: reading ? numbers(reading) : null,
    cheat: cheat ? { ...cheat, late: cheat.late ? numbers(cheat.late) : null } : null,
  };
  return { record: read, jobId };
}

function numbers(reading: RewardReading): RewardReading {
  if (!reading.ok || reading.rewards === null) return reading;
  const rewards = Object.entries(reading.rewards).map(([key, number]): [string, RewardNumber] => [
    key,
    { kind: number.kind, value: fromStrict(number.value) },
  ]);
  return { ...reading, rewards: Object.fromEntries(rewards) };
}

function fromStrict(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value === 'inf') return Infinity;
  return value === '-inf' ? -Infinity : Number.NaN;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
