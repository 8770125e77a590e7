import { EventEmitter, type Disposable, type Event, type LogOutputChannel, type Memento } from 'vscode';
import type { Files } from '../core/files';
import { parseReceipt, staleness, type Receipt, type StaleInput } from '../core/gates/receipt';
import type {
  AttemptResult,
  FailedReason,
  GateName,
  GateResult,
  NotProvenReason,
  RewardAccount,
  Verdict,
} from '../core/gates/verdict';
import { findWorkspace, receiptPath } from '../core/workspace';
import { decodeGateResult } from './engine-events';
import type { Reader } from './reading';
import { gateNames, runSettings } from './settings';
import type { TaskEntry } from './task-index';

/** The last that is known of one gate of one task. */
export interface KnownVerdict {
  readonly gate: GateName;
  readonly verdict: Verdict;
  readonly reason: FailedReason | NotProvenReason | null;
  readonly message: string | null;
  readonly strategy: string | null;
  readonly reward: RewardAccount | null;
  /** Trials are known only of runs made here: a receipt keeps none, since job folders are not committed. */
  readonly attempts: readonly AttemptResult[];
  readonly at: Date;
  /** Inputs that differ from those it was proved with; null when that is not known. */
  readonly stale: readonly StaleInput[] | null;
}

export interface TaskVerdicts {
  readonly gates: ReadonlyMap<GateName, KnownVerdict>;
  /** Absolute path of the receipt; null when there is none. */
  readonly receipt: string | null;
}

const noVerdicts: TaskVerdicts = { gates: new Map(), receipt: null };
const stateKey = 'taskwright.lastResults';
const largestReceipt = 16 * 1024 * 1024;

interface KeptResult {
  readonly at: string;
  readonly result: GateResult;
}

/** What is known of every task's gates: from receipts, and from the last runs made in this workspace. */
export class Verdicts implements Disposable {
  private readonly known = new Map<string, TaskVerdicts>();
  private readonly changed = new EventEmitter<string>();
  private readonly reading = new Map<string, Promise<void>>();

  /** Gives the folder of the task. */
  readonly onDidChange: Event<string> = this.changed.event;

  constructor(
    private readonly files: Files,
    private readonly reader: Pick<Reader, 'inputs'>,
    private readonly memory: Memento,
    private readonly log: LogOutputChannel,
  ) {}

  dispose(): void {
    this.changed.dispose();
  }

  of(taskDir: string): TaskVerdicts {
    return this.known.get(taskDir) ?? noVerdicts;
  }

  /** Keeps a result at once; the receipt, which comes later, adds to it. */
  record(entry: TaskEntry, result: GateResult, at: Date): void {
    const kept: KeptResult = { at: at.toISOString(), result: shortened(result) };
    void this.memory.update(stateKey, { ...this.memory.get<object>(stateKey), [`${entry.id}#${result.gate}`]: kept });
    const before = this.of(entry.task.dir);
    const gates = new Map(before.gates);
    gates.set(result.gate, knownOf(kept.result, at, []));
    this.known.set(entry.task.dir, { gates, receipt: before.receipt });
    this.changed.fire(entry.task.dir);
  }

  /** Reads the receipt and looks what is stale. Calls for the same task follow each other. */
  read(entry: TaskEntry): Promise<void> {
    const before = this.reading.get(entry.id) ?? Promise.resolve();
    const next = before.then(() => this.readNow(entry));
    this.reading.set(entry.id, next);
    return next.finally(() => {
      if (this.reading.get(entry.id) === next) this.reading.delete(entry.id);
    });
  }

  private async readNow(entry: TaskEntry): Promise<void> {
    const { dir } = entry.task;
    const place = await findWorkspace(this.files, dir, entry.folder.uri.fsPath);
    const path = receiptPath(this.files, place);
    const receipt = await this.readReceipt(path);
    const current =
      receipt === null ? null : await this.reader.inputs(dir, entry.folder.uri.fsPath, runSettings(entry.uri));
    const gates = new Map<GateName, KnownVerdict>();
    for (const gate of gateNames) {
      const proof = receipt?.gates[gate];
      const kept = this.keptResult(entry, gate);
      const stale = receipt === null || current === null ? null : staleness(receipt, gate, current);
      if (proof === undefined) {
        if (kept !== null) gates.set(gate, knownOf(kept.result, new Date(kept.at), null));
        continue;
      }
      const at = new Date(proof.at);
      // A run made here knows more than its receipt (trials, durations). One that left no proof does not replace it:
      // it is shown as long as it is the newer.
      const newer = kept !== null && Date.parse(kept.at) >= at.getTime() - sameRunMs ? kept : null;
      if (newer !== null && newer.result.verdict === proof.verdict) {
        gates.set(gate, knownOf(newer.result, at, stale));
      } else if (newer !== null && Date.parse(newer.at) > at.getTime() + sameRunMs) {
        gates.set(gate, knownOf(newer.result, new Date(newer.at), null));
      } else {
        gates.set(gate, {
          gate,
          verdict: proof.verdict,
          reason: proof.reason,
          message: proof.message,
          strategy: proof.strategy ?? null,
          reward: proof.reward,
          attempts: proof.attempts.map((attempt) => ({ ...attempt, trial: null, durationSec: 0 })),
          at,
          stale,
        });
      }
    }
    this.known.set(dir, { gates, receipt: receipt === null ? null : path });
    this.changed.fire(dir);
  }

  private async readReceipt(path: string): Promise<Receipt | null> {
    const text = await this.files.read(path, largestReceipt);
    if (!text.ok) {
      if (text.reason !== 'missing') this.log.warn(`The receipt ${path} cannot be read: ${text.message}`);
      return null;
    }
    const reading = parseReceipt(new TextDecoder().decode(text.bytes));
    if (reading.ok) return reading.receipt;
    this.log.warn(`${path}: ${reading.message}`);
    return null;
  }

  private keptResult(entry: TaskEntry, gate: GateName): KeptResult | null {
    const all = this.memory.get<Readonly<Record<string, { at?: unknown; result?: unknown }>>>(stateKey, {});
    const kept = all[`${entry.id}#${gate}`];
    const result = decodeGateResult(kept?.result);
    if (result === null || typeof kept?.at !== 'string' || Number.isNaN(Date.parse(kept.at))) return null;
    return { at: kept.at, result };
  }
}

/** A run and its receipt are dated by two processes, one after the other. */
const sameRunMs = 5_000;

function knownOf(result: GateResult, at: Date, stale: readonly StaleInput[] | null): KnownVerdict {
  const { gate, verdict, reason, message, reward, attempts } = result;
  return { gate, verdict, reason, message, strategy: result.strategy ?? null, reward, attempts, at, stale };
}

/** What is remembered across reloads has no long texts. */
function shortened(result: GateResult): GateResult {
  const reward = result.reward === null ? null : { ...result.reward, raw: result.reward.raw.slice(0, 200) };
  return { ...result, reward, message: result.message?.slice(0, 2_000) ?? null };
}
