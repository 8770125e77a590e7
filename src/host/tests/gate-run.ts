import { l10n, type TestItem, type TestRun } from 'vscode';
import type { Files } from '../../core/files';
import type { AttemptResult, GateName, GateResult } from '../../core/gates/verdict';
import type { EngineEvent, Phase } from '../../protocol/engine';
import type { Activity } from '../activity';
import type { TaskEntry } from '../task-index';
import type { Verdicts } from '../verdicts';
import { gateLabel, outcomeWord, phaseWords, reasonWords, secondsWords, verdictWord } from '../words';
import type { TestItems } from './items';
import { attemptMessages, failedMessages, reasonText, tailLines, undecidedMessage } from './messages';
import { RunOutput } from './output';
import type { Selected } from './selection';

interface Trial {
  readonly gate: GateName;
  readonly strategy: string | null;
  readonly dir: string;
  readonly name: string;
  phase: Phase | null;
}

export interface GateRunNeeds {
  readonly items: TestItems;
  readonly verdicts: Verdicts;
  readonly activity: Activity;
  readonly files: Files;
  readonly now: () => Date;
  /** The reward that counts as a pass, for what messages say. */
  readonly threshold: (entry: TaskEntry) => number;
}

/**
 * Shows what the engine tells as one test run. Every gate that was asked for ends with exactly one state, whatever the
 * engine does; events of gates that were not asked for, and events after `close`, change nothing.
 */
export class GateRun {
  private readonly output: RunOutput;
  private readonly open = new Map<string, Set<GateName>>();
  private readonly entries = new Map<string, TaskEntry>();
  private readonly trials = new Map<string, Trial>();
  private readonly tails = new Map<string, string[]>();
  private readonly begun = new Set<string>();
  private readonly reports: Promise<void>[] = [];
  private lastPhase = new Map<string, Phase>();
  private closed = false;
  readonly results: GateResult[] = [];

  constructor(
    private readonly run: TestRun,
    selection: readonly Selected[],
    private readonly needs: GateRunNeeds,
  ) {
    this.output = new RunOutput(run);
    for (const { entry, gates } of selection) {
      this.entries.set(entry.task.dir, entry);
      this.open.set(entry.task.dir, new Set(gates));
      needs.activity.queue(entry.task.dir, gates);
      for (const gate of gates)
        this.withItem(entry, gate, (item) => {
          run.enqueued(item);
        });
    }
  }

  /** A line of our own for the whole run. */
  say(text: string): void {
    this.output.line(text, null);
  }

  onEvent(event: EngineEvent): void {
    if (this.closed) return;
    switch (event.type) {
      case 'engine-connected':
        this.say(l10n.t('Container engine {0} at {1} ({2})', event.version, event.endpoint, event.source));
        return;
      case 'job-started':
        this.say(l10n.t('Job folder {0}', event.dir));
        return;
      case 'gate-started':
        this.start(event.task, event.gate, null);
        return;
      case 'trial-started': {
        const gate = gateOfAgent(event.agent);
        if (gate === null) return;
        this.trials.set(event.trial, {
          gate,
          strategy: event.strategy,
          dir: event.dir,
          name: event.trial,
          phase: null,
        });
        this.start(event.task, gate, event.strategy);
        return;
      }
      case 'phase':
        this.onPhase(event);
        return;
      case 'output':
        this.onOutput(event);
        return;
      case 'trial-finished': {
        const entry = this.entries.get(event.task);
        const item = this.itemOf(event.task, event.trial);
        if (entry === undefined) return;
        const what = event.strategy ?? event.agent;
        const reward = event.reward === null ? l10n.t('no reward') : l10n.t('reward {0}', event.reward);
        const trouble = event.exception === null ? '' : `, ${event.exception}`;
        this.output.line(
          `${entry.task.dirName} ${what}: ${reward}${trouble}, ${secondsWords(event.durationSec)}`,
          item,
        );
        return;
      }
      case 'gate-finished':
        this.onVerdict(event.task, event.result);
        return;
      case 'task-finished': {
        const entry = this.entries.get(event.task);
        if (entry !== undefined) this.reports.push(this.needs.verdicts.read(entry));
        return;
      }
      case 'engine-failed':
        this.say(event.message);
        return;
    }
  }

  /** Gives every gate that is still open its end: stopped by a person, or left without a verdict for a reason. */
  async close(
    end:
      { readonly kind: 'cancelled' } | { readonly kind: 'over'; readonly why: string; readonly of: readonly string[] },
  ): Promise<void> {
    for (const [dir, gates] of this.open) {
      const entry = this.entries.get(dir);
      if (entry === undefined || (end.kind === 'over' && !end.of.includes(dir))) continue;
      for (const gate of [...gates]) {
        gates.delete(gate);
        this.needs.activity.end(dir, gate);
        this.withItem(entry, gate, (item) => {
          if (end.kind === 'cancelled') this.run.skipped(item);
          else this.breakOff(entry, gate, item, end.why);
          this.closeStrategies(item);
        });
      }
    }
    await Promise.all(this.reports);
  }

  /** Ends the run in the interface; whatever comes later is dropped. */
  end(): void {
    this.closed = true;
    for (const [dir, gates] of this.open) for (const gate of gates) this.needs.activity.end(dir, gate);
    this.output.close();
    this.run.end();
  }

  /** The engine ended without a verdict. An older verdict stays; where there is none, this is what is known. */
  private breakOff(entry: TaskEntry, gate: GateName, item: TestItem, why: string): void {
    const { dir } = entry.task;
    const phase = this.lastPhase.get(dir) ?? null;
    this.run.errored(item, undecidedMessage(entry, gate, why, phase, this.tailOf(dir, gate), null));
    if (this.needs.verdicts.of(dir).gates.has(gate)) return;
    const result: GateResult = {
      gate,
      verdict: 'not-proven',
      reason: 'engine-failed',
      message: why,
      strategy: null,
      reward: null,
      attempts: [],
    };
    this.needs.verdicts.record(entry, result, this.needs.now());
  }

  private start(dir: string, gate: GateName, strategy: string | null): void {
    const entry = this.entries.get(dir);
    if (entry === undefined || this.open.get(dir)?.has(gate) !== true) return;
    this.needs.activity.run(dir, gate, null);
    this.withItem(entry, gate, (item) => {
      this.begin(item);
    });
    if (strategy === null) return;
    const item = this.needs.items.strategy(entry, strategy);
    if (item !== null) this.begin(item);
  }

  private begin(item: TestItem): void {
    if (this.begun.has(item.id)) return;
    this.begun.add(item.id);
    this.run.started(item);
  }

  private onPhase(event: Extract<EngineEvent, { type: 'phase' }>): void {
    this.lastPhase.set(event.task, event.phase);
    const words = phaseWords(event.phase, event.detail);
    const trial = event.trial === null ? null : (this.trials.get(event.trial) ?? null);
    if (trial === null) {
      this.needs.activity.runAll(event.task, words);
      return;
    }
    trial.phase = event.phase;
    const shown = trial.strategy === null ? words : `${trial.strategy}, ${words}`;
    this.needs.activity.run(event.task, trial.gate, shown);
  }

  private onOutput(event: Extract<EngineEvent, { type: 'output' }>): void {
    const trial = event.trial === null ? null : (this.trials.get(event.trial) ?? null);
    const key = trial === null ? event.task : trial.name;
    const tail = this.tails.get(key) ?? [''];
    this.tails.set(key, tail);
    const [first = '', ...others] = event.text.split('\n');
    tail[tail.length - 1] = ((tail.at(-1) ?? '') + first).slice(-2_000);
    tail.push(...others.map((line) => line.slice(0, 2_000)));
    tail.splice(0, Math.max(0, tail.length - tailLines - 1));
    this.output.append(key, event.text, this.itemOf(event.task, event.trial), () =>
      trial === null
        ? l10n.t('More output is not shown here.')
        : l10n.t('More output is not shown here; all of it is in {0}', trial.dir),
    );
  }

  private onVerdict(dir: string, result: GateResult): void {
    const entry = this.entries.get(dir);
    if (entry === undefined || this.open.get(dir)?.delete(result.gate) !== true) return;
    const known = this.withTrialFolders(result);
    this.results.push(known);
    this.output.line(
      `${entry.task.dirName} ${gateLabel(result.gate)}: ${verdictWord(result.verdict)}${result.reason === null ? '' : `, ${reasonWords(result.reason)}`}`,
      this.needs.items.gate(entry, result.gate),
    );
    this.needs.verdicts.record(entry, known, this.needs.now());
    this.needs.activity.end(dir, result.gate);
    // Reported when its message is ready; `close` waits for it.
    this.reports.push(this.report(entry, known));
  }

  private async report(entry: TaskEntry, result: GateResult): Promise<void> {
    const item = this.needs.items.gate(entry, result.gate);
    if (item === null) return;
    this.begin(item);
    if (result.gate === 'cheat') await this.reportStrategies(entry, result);
    const milliseconds = result.attempts.reduce((sum, { durationSec }) => sum + durationSec * 1_000, 0);
    const threshold = this.needs.threshold(entry);
    switch (result.verdict) {
      case 'passed':
        this.run.passed(item, milliseconds);
        return;
      case 'failed': {
        const trial = decidingTrial(result);
        this.run.failed(item, await failedMessages(this.needs.files, entry, result, trial, threshold), milliseconds);
        return;
      }
      case 'not-proven': {
        const why = result.message ?? reasonText(result);
        if (result.reason === 'cancelled' || result.reason === 'blocked') {
          this.output.line(why, item);
          this.run.skipped(item);
          return;
        }
        const trial = decidingTrial(result);
        const phase = trial === null ? (this.lastPhase.get(entry.task.dir) ?? null) : phaseOf(this.trials, trial);
        const tail = this.tailOf(entry.task.dir, result.gate);
        this.run.errored(item, undecidedMessage(entry, result.gate, why, phase, tail, trial), milliseconds);
      }
    }
  }

  private async reportStrategies(entry: TaskEntry, result: GateResult): Promise<void> {
    const threshold = this.needs.threshold(entry);
    for (const attempt of result.attempts) {
      if (attempt.strategy === undefined) continue;
      const item = this.needs.items.strategy(entry, attempt.strategy);
      if (item === null) continue;
      item.description = attempt.outcome === undefined ? '' : outcomeWord(attempt.outcome, attempt.strategy);
      const milliseconds = attempt.durationSec * 1_000;
      switch (attempt.outcome) {
        case 'resisted':
        case 'late-hit':
          this.run.passed(item, milliseconds);
          break;
        case 'hit':
        case 'partial-hit':
          this.run.failed(item, await attemptMessages(this.needs.files, entry, attempt, threshold), milliseconds);
          break;
        case 'denied':
        case 'broken': {
          const why = attempt.message ?? outcomeWord(attempt.outcome, attempt.strategy);
          this.run.errored(item, undecidedMessage(entry, 'cheat', why, null, [], attempt.trial), milliseconds);
          break;
        }
        case 'n/a':
        case undefined:
          this.run.skipped(item);
          break;
      }
    }
  }

  /** A run that ends early leaves no cheat spinning. */
  private closeStrategies(item: TestItem): void {
    for (const [, child] of item.children) if (this.begun.has(child.id)) this.run.skipped(child);
  }

  /** Results name a trial's folder as a person would write it; kept is where it is. */
  private withTrialFolders(result: GateResult): GateResult {
    const attempts = result.attempts.map((attempt): AttemptResult => {
      const name = attempt.trial?.split(/[/\\]/).pop() ?? null;
      const trial = name === null ? undefined : this.trials.get(name);
      return { ...attempt, trial: trial?.dir ?? null };
    });
    return { ...result, attempts };
  }

  private tailOf(dir: string, gate: GateName): readonly string[] {
    const own = [...this.trials.values()].filter((trial) => trial.gate === gate).at(-1);
    const lines = (own === undefined ? undefined : this.tails.get(own.name)) ?? this.tails.get(dir) ?? [];
    return lines.slice(-tailLines).filter((line, at, all) => line !== '' || at < all.length - 1);
  }

  private itemOf(dir: string, trialName: string | null): TestItem | null {
    const entry = this.entries.get(dir);
    if (entry === undefined) return null;
    const trial = trialName === null ? undefined : this.trials.get(trialName);
    if (trial === undefined) return this.needs.items.get(entry.id);
    if (trial.strategy !== null) return this.needs.items.strategy(entry, trial.strategy);
    return this.needs.items.gate(entry, trial.gate);
  }

  private withItem(entry: TaskEntry, gate: GateName, use: (item: TestItem) => void): void {
    const item = this.needs.items.gate(entry, gate);
    if (item !== null) use(item);
  }
}

function gateOfAgent(agent: string): GateName | null {
  return agent === 'oracle' || agent === 'nop' || agent === 'cheat' ? agent : null;
}

/** The trial that a message is about: the one of the named strategy, else the last that has a folder. */
function decidingTrial(result: GateResult): string | null {
  const named = result.attempts.find(
    (attempt) => attempt.strategy !== undefined && attempt.strategy === result.strategy,
  );
  return named?.trial ?? result.attempts.findLast(({ trial }) => trial !== null)?.trial ?? null;
}

function phaseOf(trials: ReadonlyMap<string, Trial>, dir: string): Phase | null {
  for (const trial of trials.values()) if (trial.dir === dir) return trial.phase;
  return null;
}
