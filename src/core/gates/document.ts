import type { GateResult } from './verdict';

/** The gates of one task, as `gate --format json` shows them (product.md). */
export interface GateTaskResult {
  /** The task's folder as a person would write it: relative to the working directory where that is shorter. */
  readonly path: string;
  readonly name: string;
  readonly gates: readonly GateResult[];
  /** Path of the receipt; null when none was kept. */
  readonly receipt: string | null;
}

export interface GateDocument {
  readonly version: 1;
  readonly tasks: readonly GateTaskResult[];
  readonly summary: GateSummary;
}

/** Counts gates, except `tasks`. */
export interface GateSummary {
  readonly tasks: number;
  readonly passed: number;
  readonly failed: number;
  readonly notProven: number;
}

export function gateDocument(tasks: readonly GateTaskResult[]): GateDocument {
  return { version: 1, tasks, summary: summarize(tasks) };
}

function summarize(tasks: readonly GateTaskResult[]): GateSummary {
  const verdicts = tasks.flatMap((task) => task.gates.map(({ verdict }) => verdict));
  return {
    tasks: tasks.length,
    passed: verdicts.filter((verdict) => verdict === 'passed').length,
    failed: verdicts.filter((verdict) => verdict === 'failed').length,
    notProven: verdicts.filter((verdict) => verdict === 'not-proven').length,
  };
}

/** All well means: there was something to judge, and every gate of it passed. */
export function allWell(summary: GateSummary): boolean {
  return summary.tasks > 0 && summary.passed > 0 && summary.failed === 0 && summary.notProven === 0;
}
