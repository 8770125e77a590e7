import type { Finding } from '../../core/finding';
import type { CliContext } from '../context';
import { plainLine } from '../plain-text';
import { planMending, writeMending, type WriteResult } from './mend';
import type { SelectedTask } from './select';

/** Makes the preferred fixes of every task, and tells each on standard error. `adjust` applies the person's rules. */
export async function mendTasks(
  tasks: readonly SelectedTask[],
  adjust: (findings: readonly Finding[]) => readonly Finding[],
  context: CliContext,
): Promise<WriteResult> {
  const { files, sha256, signal } = context;
  for (const { path, dir, judge } of tasks) {
    const plan = await planMending({ dir, files, sha256, signal, judge: async (on) => adjust(await judge(on)) });
    // Cancelled: what was worked out so far is not written half.
    if (signal.aborted) break;
    const written = await writeMending(plan, files, sha256);
    if (!written.ok) return written;
    for (const { finding, fix } of plan.mended) {
      context.stderr.write(`fixed ${plainLine(`${path}: ${fix.title} (${finding.ruleId})`)}\n`);
    }
    for (const { finding, fix } of plan.leftOut) {
      context.stderr.write(`left out ${plainLine(`${path}: ${fix.title} (${finding.ruleId})`)}\n`);
    }
  }
  return { ok: true };
}
