import type { Finding, Severity } from '../../core/finding';
import type { HarborVerdict } from '../../core/task/task';

/** Something that findings are about: a task, or a taskwright.toml. */
export interface CheckedFile {
  /** As a person would write it: relative to the working directory where that is shorter. */
  readonly path: string;
  /** Absolute folder that the findings' files are relative to. */
  readonly dir: string;
  readonly findings: readonly Finding[];
}

/** A task, or a task.toml alone, as `check` judged it. */
export interface CheckedTask extends CheckedFile {
  readonly name: string;
  readonly harbor: HarborVerdict;
  /** Why it was not checked, as a predicate such as `made the checker end`; absent or null when it was. */
  readonly failure?: string | null;
}

export interface FindingSummary extends Readonly<Record<Severity, number>> {
  readonly tasks: number;
  readonly loadable: number;
}

export function summarizeFindings(tasks: readonly CheckedTask[]): FindingSummary {
  const severities = tasks.flatMap((task) => task.findings.map(({ severity }) => severity));
  const count = (severity: Severity): number => severities.filter((one) => one === severity).length;
  return {
    tasks: tasks.length,
    loadable: tasks.filter(({ harbor }) => harbor.outcome === 'loads').length,
    error: count('error'),
    warning: count('warning'),
    information: count('information'),
    hint: count('hint'),
  };
}
