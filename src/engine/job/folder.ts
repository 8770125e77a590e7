import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndedTrial } from '../../core/results/harbor/job-result';
import { isJsonObject, readJson, type JsonObject } from '../../core/results/harbor/json';
import { parseLocalTime } from '../../core/results/harbor/names';
import { readTrialRecord } from '../../core/results/taskwright-file';
import type { TrialRecord } from '../../core/results/record';
import type { Clock } from './options';
import { claimFolder, makeFolder } from '../trial/disk';

/** Makes the job's folder. A name that is taken gets a suffix: `name-2`, `name-3` … */
export async function claimJobFolder(jobsDir: string, wanted: string): Promise<string> {
  await makeFolder(jobsDir);
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (await claimFolder(join(jobsDir, name))) return name;
  }
}

export interface EarlierTrial {
  readonly record: TrialRecord;
  readonly ended: EndedTrial;
  readonly lock: JsonObject | null;
}

/** An earlier run of a job, as far as its folder tells. */
export interface EarlierJob {
  readonly id: string;
  readonly startedAt: Date;
  /** Trials that ended and were not cancelled. */
  readonly finished: readonly EarlierTrial[];
  /** Folders of this job's own trials that did not end, or were cancelled: they are run again. */
  readonly unfinished: readonly string[];
}

/** null when the folder holds no job that was run by this program. */
export async function readEarlierJob(dir: string, clock: Clock): Promise<EarlierJob | null> {
  const result = await readPlain(join(dir, 'result.json'));
  const id = result?.id;
  const started = result?.started_at;
  if (typeof id !== 'string' || typeof started !== 'string') return null;
  const startedAt = parseLocalTime(started, (at) => clock.offsetMinutes(at)) ?? clock.now();
  const finished: EarlierTrial[] = [];
  const unfinished: string[] = [];
  for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue;
    const trialDir = join(dir, entry.name);
    const config = await readPlain(join(trialDir, 'config.json'));
    // Whatever does not name this very job is someone else's, and stays untouched.
    if (config?.job_id !== id) continue;
    const trial = await readEarlierTrial(trialDir, id);
    if (trial === null || trial.record.exception?.type === 'CancelledError') unfinished.push(trialDir);
    else finished.push(trial);
  }
  return { id, startedAt, finished, unfinished };
}

async function readEarlierTrial(trialDir: string, jobId: string): Promise<EarlierTrial | null> {
  const result = await readPlain(join(trialDir, 'result.json'));
  const text = await readFile(join(trialDir, 'taskwright.json'), 'utf8').catch(() => null);
  const read = text === null ? null : readTrialRecord(text);
  if (result === null || read?.jobId !== jobId) return null;
  const record = { ...read.record, dir: trialDir };
  const lock = readJson(await readFile(join(trialDir, 'lock.json'), 'utf8').catch(() => ''));
  return { record, ended: endedTrial(record, result), lock: isJsonObject(lock) ? lock : null };
}

/** Harbor's own file has what a job's statistics need beside the record. */
function endedTrial(record: TrialRecord, result: Record<string, unknown>): EndedTrial {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const usage = member(result, 'agent_result');
  const number = (name: string): number | null => (typeof usage?.[name] === 'number' ? usage[name] : null);
  return {
    name: record.name,
    taskName: text(result.task_name) ?? record.taskDir,
    agent: record.agent,
    model: text(member(member(result, 'agent_info'), 'model_info')?.name),
    source: text(result.source),
    rewards: record.reading?.ok ? record.reading.rewards : null,
    exceptionType: record.exception?.type ?? null,
    usage:
      usage === null
        ? null
        : {
            inputTokens: number('n_input_tokens'),
            cacheTokens: number('n_cache_tokens'),
            outputTokens: number('n_output_tokens'),
            costUsd: number('cost_usd'),
          },
  };
}

function member(value: Record<string, unknown> | null, name: string): Record<string, unknown> | null {
  const found = value?.[name];
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null;
}

export async function removeTrials(dirs: readonly string[]): Promise<void> {
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
}

async function readPlain(path: string): Promise<Record<string, unknown> | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
