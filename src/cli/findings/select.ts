import path from 'node:path';
import type { Files } from '../../core/files';
import type { Finding } from '../../core/finding';
import type { JudgedTask } from '../../core/rules/check';
import { defaultSettings } from '../../core/settings/settings';
import { findTasks } from '../../core/task/find';
import type { CliContext } from '../context';
import { showPath } from '../select-tasks';
import type { CheckedTask } from './checked-task';
import { checkInWorkers } from './checker-pool';
import type { CheckJob, CheckOutcome } from './task-checker';
import { createChecker } from './task-checker';

/** What was judged, and how to judge it again on other files. */
export interface SelectedTask extends CheckedTask {
  readonly judge: (files: Files) => Promise<readonly Finding[]>;
}

export type CheckSelection =
  | {
      readonly ok: true;
      readonly tasks: readonly SelectedTask[];
      /** What a person should hear of and that is no task: a folder that only looks like one, a search cut short. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** So few tasks are done before worker threads would have started. */
const fewTasks = 12;

/**
 * The tasks at the paths a person gave: each a task's folder, a folder of tasks, or a task.toml, which is judged alone.
 * In the order of the paths, each once. A path with nothing in it is an error, even where others have something.
 */
export async function selectChecked(paths: readonly string[], context: CliContext): Promise<CheckSelection> {
  const found = await findJobs(paths, context);
  if (!found.ok) return found;
  const notes = new Set(found.notes);
  const outcomes = await checkAll(found.jobs, context);
  const tasks = found.jobs.flatMap((job, index): SelectedTask[] => {
    const outcome = outcomes[index];
    if (outcome === undefined) return [];
    const shown = showPath(job.place, context.cwd);
    const folder = job.isAlone ? path.dirname(job.place) : job.place;
    const judged = 'failure' in outcome ? failedTask(job, outcome.failure) : outcome;
    if (judged.limit !== null) notes.add(`${shown}: ${judged.limit}`);
    const { name, harbor, findings } = judged;
    const failure = 'failure' in outcome ? outcome.failure : null;
    const judge = async (files: Files): Promise<readonly Finding[]> => {
      const again = await createChecker({ files, grammars: await context.grammars() }).check(job);
      return 'failure' in again ? [] : again.findings;
    };
    return [{ path: shown, name, harbor, dir: folder, findings, failure, judge }];
  });
  return { ok: true, tasks, notes: [...notes] };
}

type FoundJobs =
  | { readonly ok: true; readonly jobs: readonly CheckJob[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

async function findJobs(paths: readonly string[], context: CliContext): Promise<FoundJobs> {
  const jobs = new Map<string, CheckJob>();
  const notes: string[] = [];
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const full = path.resolve(context.cwd, given);
    const { kind, places, others, message } = await findTasks(context.files, full, { signal: context.signal });
    if (places.length === 0 && !context.signal.aborted) {
      return { ok: false, message: message ?? `No task was found at ${given}.` };
    }
    if (message !== null) notes.push(message);
    for (const { dir, reason } of others) notes.push(`${showPath(dir, context.cwd)}: ${reason}`);
    for (const place of places) {
      if (jobs.has(place)) continue;
      const isAlone = kind === 'file';
      jobs.set(place, { place, isAlone, inDataset: kind === 'dataset', settings: defaultSettings });
    }
  }
  return { ok: true, jobs: [...jobs.values()], notes };
}

async function checkAll(
  jobs: readonly CheckJob[],
  context: CliContext,
): Promise<readonly (CheckOutcome | undefined)[]> {
  const { workerFile, signal } = context;
  if (jobs.length > fewTasks && workerFile !== null) {
    return checkInWorkers(jobs, { workerFile, size: context.cores, signal });
  }
  const checker = createChecker({ files: context.files, grammars: await context.grammars() });
  const outcomes: CheckOutcome[] = [];
  for (const job of jobs) {
    if (signal.aborted) break;
    outcomes.push(await checker.check(job));
  }
  return outcomes;
}

/** Nothing is known of it: it stands in the output by its path alone. */
function failedTask({ place }: CheckJob, failure: string): JudgedTask {
  const reason = `It was not checked: it ${failure}.`;
  return { name: path.basename(place), harbor: { outcome: 'refused', reason }, findings: [], limit: null };
}
