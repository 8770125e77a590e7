import { homedir } from 'node:os';
import path from 'node:path';
import type { Files } from '../../core/files';
import type { Finding } from '../../core/finding';
import type { JudgedTask } from '../../core/rules/check';
import { levelsOf } from '../../core/rules/check';
import { applyOrder } from '../../core/rules/run';
import type { PersonSettings } from '../../core/settings/effective';
import { settingsFile } from '../../core/settings/read';
import { unusedAllowances } from '../../core/settings/unused-allowances';
import { findTasks } from '../../core/task/find';
import { cacheFolder } from '../../node/cache-folder';
import { contentCache, trimContentCache } from '../../node/content-cache';
import { grammarFileBeside, grammarFiles } from '../../node/grammars';
import { politeSyncFiles } from '../../node/sync-files';
import type { CliContext } from '../context';
import { showPath } from '../select-tasks';
import type { CheckedFile, CheckedTask } from './checked-task';
import type { CacheData } from './checker-pool';
import { checkInWorkers } from './checker-pool';
import type { CheckJob, CheckOutcome } from './task-checker';
import { createChecker } from './task-checker';
import type { Workspaces } from './workspaces';
import { openWorkspaces } from './workspaces';

/** What was judged, and how to judge it again on other files. */
export interface SelectedTask extends CheckedTask {
  readonly judge: (files: Files) => Promise<readonly Finding[]>;
}

export type CheckSelection =
  | {
      readonly ok: true;
      readonly tasks: readonly SelectedTask[];
      /** Every taskwright.toml of theirs that something is to be said of. */
      readonly settings: readonly CheckedFile[];
      /** What a person should hear of and that is no task: a folder that only looks like one, a search cut short. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

export interface SelectOptions {
  /** What a person asked for on the command line. */
  readonly person?: PersonSettings;
  /** May verdicts be taken from the cache and kept in it? Default true. */
  readonly isCached?: boolean;
}

/** The cache of verdicts may hold this much; a verdict is a few kilobytes. */
const cacheBytes = 128 << 20;

/** So few tasks are done before worker threads would have started. */
const fewTasks = 12;

/**
 * The tasks at the paths a person gave: each a task's folder, a folder of tasks, or a task.toml, which is judged alone.
 * In the order of the paths, each once. A path with nothing in it is an error, even where others have something.
 */
export async function selectChecked(
  paths: readonly string[],
  context: CliContext,
  options: SelectOptions = {},
): Promise<CheckSelection> {
  const found = await findJobs(paths, context, options);
  if (!found.ok) return found;
  const notes = new Set(found.notes);
  const outcomes = await checkAll(found.jobs, context, options);
  const tasks = found.jobs.flatMap((job, index): SelectedTask[] => {
    const outcome = outcomes[index];
    if (outcome === undefined) return [];
    const shown = showPath(job.place, context.cwd);
    const folder = job.isAlone ? path.dirname(job.place) : job.place;
    const judged = 'failure' in outcome ? failedTask(job, outcome.failure) : outcome;
    if (judged.limit !== null) notes.add(`${shown}: ${judged.limit}`);
    const { name, harbor, isReadable, findings, suppressed } = judged;
    const failure = 'failure' in outcome ? outcome.failure : null;
    const judge = async (files: Files): Promise<readonly Finding[]> => {
      const { grammars, sha256 } = context;
      const again = parsedOutcome(await createChecker({ files, grammars, sha256, cache: null }).check(job));
      return 'failure' in again ? [] : again.findings;
    };
    return [{ path: shown, name, harbor, isReadable, dir: folder, findings, suppressed, failure, judge }];
  });
  return { ok: true, tasks, settings: settingsFindings(found, outcomes, context), notes: [...notes] };
}

type FoundJobs =
  | {
      readonly ok: true;
      readonly jobs: readonly CheckJob[];
      readonly workspaces: Awaited<ReturnType<Workspaces['all']>>;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

async function findJobs(
  paths: readonly string[],
  context: CliContext,
  { person = {} }: SelectOptions,
): Promise<FoundJobs> {
  const files = politeSyncFiles();
  const workspaces = openWorkspaces(files, context.cwd, person);
  const jobs = new Map<string, CheckJob>();
  const notes: string[] = [];
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const full = path.resolve(context.cwd, given);
    const { kind, places, others, message } = await findTasks(files, full, { signal: context.signal });
    if (places.length === 0 && !context.signal.aborted) {
      return { ok: false, message: message ?? `No task was found at ${given}.` };
    }
    if (message !== null) notes.push(message);
    for (const { dir, reason } of others) notes.push(`${showPath(dir, context.cwd)}: ${reason}`);
    for (const place of places) {
      if (jobs.has(place)) continue;
      const isAlone = kind === 'file';
      const folder = isAlone ? path.dirname(place) : place;
      const { settings, taskPath } = await workspaces.of(folder);
      jobs.set(place, { place, isAlone, inDataset: kind === 'dataset', taskPath, settings });
    }
  }
  return { ok: true, jobs: [...jobs.values()], workspaces: await workspaces.all(), notes };
}

async function checkAll(
  jobs: readonly CheckJob[],
  context: CliContext,
  { isCached = true }: SelectOptions,
): Promise<readonly (CheckOutcome | undefined)[]> {
  const { workerFile, signal, grammars, sha256, files } = context;
  const cache = isCached ? await checkCache(context) : null;
  if (jobs.length > fewTasks && workerFile !== null) {
    const outcomes = await checkInWorkers(jobs, { workerFile, size: context.cores, signal, cache });
    if (cache !== null) trimContentCache(cache.folder, cacheBytes);
    return outcomes;
  }
  const store = cache === null ? null : { store: contentCache(cache.folder), version: cache.version };
  const checker = createChecker({ files, grammars, sha256, cache: store });
  const outcomes: CheckOutcome[] = [];
  for (const job of jobs) {
    if (signal.aborted) break;
    outcomes.push(parsedOutcome(await checker.check(job)));
  }
  return outcomes;
}

function parsedOutcome(text: string): CheckOutcome {
  return JSON.parse(text) as CheckOutcome;
}

/** Where verdicts are kept. Another build of the rules or the parsers never sees those of this one. */
async function checkCache({ workerFile, env, files, sha256 }: CliContext): Promise<CacheData | null> {
  const folder = cacheFolder(process.platform, env, homedir());
  if (folder === null || workerFile === null) return null;
  const parts = [workerFile, ...Object.values(grammarFiles).map((file) => grammarFileBeside(workerFile, file))];
  const digests = await Promise.all(parts.map((part) => files.sha256(part)));
  return { folder: path.join(folder, 'check'), version: sha256(digests.join(' ')) };
}

/** What is to be said of each taskwright.toml, and of allowances in it that lead to nothing. */
function settingsFindings(
  { jobs, workspaces }: FoundJobs & { readonly ok: true },
  outcomes: readonly (CheckOutcome | undefined)[],
  { cwd }: CliContext,
): readonly CheckedFile[] {
  return workspaces.flatMap(({ workspace, settings }): CheckedFile[] => {
    const checked = jobs.flatMap((job, index) => {
      const outcome = outcomes[index];
      const isOurs = job.settings === settings && !job.isAlone && outcome !== undefined && !('failure' in outcome);
      return isOurs ? [{ taskPath: job.taskPath ?? '', usedAllowances: outcome.usedAllowances }] : [];
    });
    const levels = levelsOf(settings, settings.profile);
    const unused = unusedAllowances(settings, (ruleId) => levels.get(ruleId) === 'off', checked);
    const findings = applyOrder([...workspace.findings, ...unused]);
    const shown = showPath(path.join(workspace.root, settingsFile), cwd);
    return findings.length === 0 ? [] : [{ path: shown, dir: workspace.root, findings }];
  });
}

/** Nothing is known of it: it stands in the output by its path alone. */
function failedTask({ place }: CheckJob, failure: string): JudgedTask {
  const reason = `It was not checked: it ${failure}.`;
  return {
    name: path.basename(place),
    harbor: { outcome: 'refused', reason },
    isReadable: false,
    findings: [],
    suppressed: [],
    usedAllowances: [],
    limit: null,
  };
}
