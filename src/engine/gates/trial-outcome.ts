import type { Files } from '../../core/files';
import type { CheatOutcome } from '../../core/gates/verdict';
import type { TrialRecord } from '../../core/results/record';
import { writeFileAtomic } from '../../node/atomic-write';

const largest = 4 * 1024 * 1024;

/**
 * Adds the outcome to the trial's `taskwright.json`: it is known only now, as it compares with the reward of doing
 * nothing. Best effort, since the verdict does not rest on it.
 */
export async function keepOutcome(record: TrialRecord, outcome: CheatOutcome, files: Files): Promise<void> {
  if (record.dir === null) return;
  const file = files.join(record.dir, 'taskwright.json');
  const read = await files.read(file, largest);
  if (!read.ok) return;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(read.bytes));
    if (!isObject(value) || !isObject(value.record) || !isObject(value.record.cheat)) return;
    value.record.cheat.outcome = outcome;
    await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`);
  } catch {
    // A file that cannot be read or written any more is the trial's loss, not the gate's.
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
