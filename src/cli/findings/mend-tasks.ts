import type { Files } from '../../core/files';
import type { Fix } from '../../core/finding';
import { isSafeFix } from '../../core/rules/safe-fix';
import { readDocument } from '../../core/task/document';
import { readText } from '../../core/task/snapshot';
import type { CliContext } from '../context';
import { plainLine } from '../plain-text';
import { planMending, writeMending, type WriteResult } from './mend';
import type { SelectedTask } from './select';

/** Makes the fixes of every task that cannot change what it means, and tells each on standard error. */
export async function mendTasks(tasks: readonly SelectedTask[], context: CliContext): Promise<WriteResult> {
  const { files, sha256, signal } = context;
  for (const { path, dir, judge } of tasks) {
    const isSafe = async (on: Files, fix: Fix): Promise<boolean> => {
      const text = (await readText(on, on.join(dir, 'task.toml'), 'task.toml'))?.text ?? null;
      return text !== null && isSafeFix(fix, readDocument(text));
    };
    const plan = await planMending({ dir, files, sha256, signal, judge, isSafe });
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
