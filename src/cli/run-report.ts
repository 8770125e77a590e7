import { createColors } from 'picocolors';
import { rewardOf } from '../core/gates/reward';
import { remarksOf } from '../core/gates/remarks';
import type { TrialRecord } from '../core/results/record';
import type { TaskTrials } from '../engine/runs/run-agent';
import { duration, plainLine } from './plain-text';
import { describeTrial } from './run-state';

export interface RunReportOptions {
  readonly color: boolean;
  readonly rewardKey: string | null;
  readonly jobDir: string;
  readonly showPath: (path: string) => string;
}

/** What every trial of a job earned, for people. */
export function runReport(tasks: readonly TaskTrials[], options: RunReportOptions): string {
  const colors = createColors(options.color);
  const lines: string[] = [];
  for (const { target, records, left } of tasks) {
    lines.push(`${colors.bold(plainLine(target.task.name))}  ${colors.dim(plainLine(target.path))}`);
    for (const record of records) lines.push(...trialLines(record, options));
    for (const { strategy, reason } of left)
      lines.push(colors.dim(`  cheat ${strategy}: not run, ${plainLine(reason)}`));
    lines.push('');
  }
  const records = tasks.flatMap(({ records }) => records);
  const values = records.flatMap((record) => {
    const decision = rewardOf(record, options.rewardKey);
    return decision.kind === 'reward' ? [decision.value] : [];
  });
  const mean = values.length === 0 ? '' : `, mean ${(values.reduce((a, b) => a + b, 0) / values.length).toFixed(3)}`;
  const without = records.length - values.length;
  lines.push(
    `${records.length} ${records.length === 1 ? 'trial' : 'trials'}: ${values.length} with a reward${mean}` +
      (without > 0 ? `, ${colors.yellow(`${without} without`)}` : ''),
  );
  lines.push(colors.dim(`job ${plainLine(options.jobDir)}`), '');
  return lines.join('\n');
}

function trialLines(record: TrialRecord, options: RunReportOptions): string[] {
  const colors = createColors(options.color);
  const what = describeTrial(record.agent, record.cheat?.strategy ?? null, record.attempt);
  const took = colors.dim(duration(record.durationSec));
  const decision = rewardOf(record, options.rewardKey);
  const trial = [
    ...remarksOf(record).map((remark) => `    ${plainLine(remark)}`),
    ...(record.dir === null ? [] : [colors.dim(`    ${plainLine(options.showPath(record.dir))}`)]),
  ];
  if (decision.kind === 'reward') {
    const { key, value, file } = decision.account;
    const exception = record.exception === null ? '' : `  ${plainLine(record.exception.type)}`;
    return [`  ${what}  ${plainLine(key)} ${String(value)} (${file})${exception}  ${took}`, ...trial];
  }
  return [
    `  ${what}  ${colors.yellow('no reward')}  ${decision.reason}: ${plainLine(decision.message)}  ${took}`,
    ...trial,
  ];
}
