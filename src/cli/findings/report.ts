import type { Finding, Severity } from '../../core/finding';
import type { CheckedFile, CheckedTask } from './checked-task';

/** Everything that `check` found. */
export interface CheckReport {
  readonly tasks: readonly CheckedTask[];
  /** Every taskwright.toml that something is to be said of. */
  readonly settings: readonly CheckedFile[];
}

export interface FindingSummary extends Readonly<Record<Severity, number>> {
  readonly tasks: number;
  readonly loadable: number;
  readonly suppressed: number;
}

/** What findings are about, in the order of the output. */
export function filesOf({ tasks, settings }: CheckReport): readonly CheckedFile[] {
  return [...settings, ...tasks];
}

export function summarizeFindings(report: CheckReport): FindingSummary {
  const counts: Record<Severity, number> = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const { findings } of filesOf(report)) for (const { severity } of findings) counts[severity]++;
  return {
    tasks: report.tasks.length,
    loadable: report.tasks.filter(({ harbor }) => harbor.outcome === 'loads').length,
    ...counts,
    suppressed: report.tasks.reduce((sum, { suppressed }) => sum + suppressed.length, 0),
  };
}

/** Is reading sure enough of it to show it where people have not asked for more? */
export function isShown({ confidence }: Finding): boolean {
  return confidence !== 'possible';
}

/** The report without what reading cannot be sure of. */
export function withoutPossible({ tasks, settings }: CheckReport): CheckReport {
  return {
    tasks: tasks.map((task) => ({ ...task, findings: task.findings.filter(isShown) })),
    settings,
  };
}
