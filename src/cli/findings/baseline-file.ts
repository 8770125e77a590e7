import path from 'node:path';
import { writeFileAtomic } from '../../node/atomic-write';
import type { CliContext } from '../context';
import { baselineOf, parseBaseline, withoutKnown, type Baseline } from './baseline';
import type { CheckedTask } from './checked-task';

export type BaselineFile =
  | {
      readonly ok: true;
      readonly baseline: Baseline;
      /** Absolute folder of the file, from which tasks are named in it. */
      readonly folder: string;
    }
  | { readonly ok: false; readonly message: string };

const maxBytes = 64 << 20;

export async function readBaseline(given: string, context: CliContext): Promise<BaselineFile> {
  const file = path.resolve(context.cwd, given);
  const read = await context.files.read(file, maxBytes);
  if (!read.ok) return { ok: false, message: `${read.message} Write a baseline with --write-baseline.` };
  const parsed = parseBaseline(new TextDecoder().decode(read.bytes));
  if (!parsed.ok) return { ok: false, message: `${given} ${parsed.message}. Write one with --write-baseline.` };
  return { ok: true, baseline: parsed.baseline, folder: path.dirname(file) };
}

export async function writeBaseline(
  given: string,
  tasks: readonly CheckedTask[],
  context: CliContext,
): Promise<BaselineFile> {
  const file = path.resolve(context.cwd, given);
  const folder = path.dirname(file);
  const named = tasks.map((task) => ({ key: keyOf(task, folder, context), findings: task.findings }));
  const baseline = baselineOf(named);
  try {
    await writeFileAtomic(file, `${JSON.stringify(baseline, null, 2)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `the baseline ${given} could not be written: ${why}` };
  }
  return { ok: true, baseline, folder };
}

/** The tasks with what is new in them; how much the baseline let pass is told on standard error. */
export function newFindings(
  tasks: readonly CheckedTask[],
  { baseline, folder }: BaselineFile & { readonly ok: true },
  context: CliContext,
): readonly CheckedTask[] {
  const left = tasks.map((task) => ({
    ...task,
    findings: withoutKnown(task.findings, baseline.tasks[keyOf(task, folder, context)] ?? {}),
  }));
  const total = (list: readonly CheckedTask[]): number => list.reduce((sum, { findings }) => sum + findings.length, 0);
  const count = total(tasks) - total(left);
  context.stderr.write(`${count} ${count === 1 ? 'finding is' : 'findings are'} in the baseline.\n`);
  return left;
}

/** Seen from the baseline's own folder, a task keeps its key wherever the command is run. */
function keyOf(task: CheckedTask, folder: string, context: CliContext): string {
  return path.relative(folder, path.resolve(context.cwd, task.path)).split(path.sep).join('/') || '.';
}
