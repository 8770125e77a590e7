import { agentSettings, type HarborAgent } from './agent';
import { writeJson } from './json';

export interface JobSettings {
  readonly jobName: string;
  /** As written: relative to the working directory where that is shorter. */
  readonly jobsDir: string;
  readonly attempts: number;
  readonly concurrent: number;
  readonly agents: readonly HarborAgent[];
  readonly tasks: readonly { readonly path: string; readonly source: string | null }[];
}

/** The job's `config.json`: only what differs from Harbor's defaults (harbor-results.md, section 3). */
export function jobConfigFile(settings: JobSettings): string {
  const { agents } = settings;
  const isDefault = agents.length === 1 && agents[0]?.name === 'oracle';
  return writeJson(
    {
      job_name: settings.jobName,
      jobs_dir: settings.jobsDir === 'jobs' ? undefined : settings.jobsDir,
      n_attempts: settings.attempts === 1 ? undefined : settings.attempts,
      n_concurrent_trials: settings.concurrent === 4 ? undefined : settings.concurrent,
      agents: isDefault ? undefined : agents.map(agentSettings),
      tasks: settings.tasks.map((task) => ({ path: task.path, source: task.source ?? undefined })),
    },
    { indent: 4 },
  );
}
