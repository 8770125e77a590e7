import type { Rewards } from './trial-result';

export interface Graded {
  readonly taskName: string;
  /** null: no verifier result, or none with rewards. */
  readonly rewards: Rewards | null;
}

/**
 * Harbor's pass@k of one group of trials (harbor-results.md, section 6), by k; empty as soon as one trial has rewards
 * other than a single 0 or 1. Errors count as failures, and k = 1 is never there.
 */
export function passAtK(trials: readonly Graded[]): ReadonlyMap<number, number> {
  const tasks = new Map<string, { trials: number; passed: number }>();
  for (const trial of trials) {
    const passed = trial.rewards === null ? 0 : binary(trial.rewards);
    if (passed === null) return new Map();
    const task = tasks.get(trial.taskName) ?? { trials: 0, passed: 0 };
    task.trials++;
    task.passed += passed;
    tasks.set(trial.taskName, task);
  }
  const counts = [...tasks.values()];
  const smallest = counts.length === 0 ? 0 : Math.min(...counts.map((task) => task.trials));
  return new Map(
    attemptCounts(smallest).map((k) => {
      const sum = counts.reduce((total, task) => total + estimate(task.trials, task.passed, k), 0);
      return [k, sum / counts.length];
    }),
  );
}

function binary(rewards: Rewards): 0 | 1 | null {
  const values = Object.values(rewards);
  const value = values.length === 1 ? values[0]?.value : undefined;
  return value === 0 || value === 1 ? value : null;
}

/** Powers of two from 2 and multiples of 5, up to the smallest number of attempts. */
function attemptCounts(most: number): number[] {
  const counts = new Set<number>();
  for (let k = 2; k <= most; k *= 2) counts.add(k);
  for (let k = 5; k <= most; k += 5) counts.add(k);
  return [...counts].sort((a, b) => a - b);
}

function estimate(trials: number, passed: number, k: number): number {
  const failed = trials - passed;
  if (failed < k) return 1;
  let allFail = 1;
  for (let i = 0; i < k; i++) allFail *= (failed - i) / (trials - i);
  return 1 - allFail;
}
