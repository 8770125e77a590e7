import { agentSettings, type HarborAgent } from './agent';
import { Float, writeJson, type JsonObject } from './json';

/** What a trial was run with. Paths as they are written: relative to the working directory where that is shorter. */
export interface TrialSettings {
  readonly taskPath: string;
  /** Name of the dataset; null for a task of its own. */
  readonly source: string | null;
  readonly trialName: string;
  readonly trialsDir: string;
  readonly jobId: string;
  readonly agent: HarborAgent;
}

/** All fields, as inside `result.json` (harbor-results.md, sections 2 and 3). */
export function trialConfig(settings: TrialSettings): JsonObject {
  return {
    task: {
      path: settings.taskPath,
      git_url: null,
      git_commit_id: null,
      name: null,
      ref: null,
      overwrite: false,
      download_dir: null,
      source: settings.source,
    },
    trial_name: settings.trialName,
    trials_dir: settings.trialsDir,
    install_only: false,
    timeout_multiplier: new Float(1),
    agent_timeout_multiplier: null,
    verifier_timeout_multiplier: null,
    agent_setup_timeout_multiplier: null,
    environment_build_timeout_multiplier: null,
    agent: {
      name: settings.agent.name,
      import_path: null,
      model_name: null,
      n_concurrent: null,
      concurrency_group: null,
      skills: [],
      override_timeout_sec: null,
      override_setup_timeout_sec: null,
      max_timeout_sec: null,
      resume_trajectory: false,
      load_trajectory: null,
      extra_allowed_hosts: [],
      kwargs: settings.agent.kwargs,
      mcp_servers: [],
    },
    user_agent: null,
    environment: {
      type: 'docker',
      import_path: null,
      force_build: false,
      delete: true,
      cpu_enforcement_policy: 'auto',
      memory_enforcement_policy: 'auto',
      override_cpus: null,
      override_memory_mb: null,
      override_storage_mb: null,
      override_gpus: null,
      override_tpu: null,
      mounts: null,
      extra_docker_compose: [],
      kwargs: {},
      extra_allowed_hosts: [],
    },
    verifier: { override_timeout_sec: null, max_timeout_sec: null, disable: false },
    artifacts: [],
    extra_instruction_paths: [],
    extra_instructions: [],
    job_id: settings.jobId,
    source_trial: null,
  };
}

/** The trial's `config.json`: only what differs from the defaults, so no agent for the oracle. */
export function trialConfigFile(settings: TrialSettings): string {
  const { agent, source } = settings;
  const isDefault = agent.name === 'oracle' && Object.keys(agent.kwargs).length === 0;
  return writeJson(
    {
      task: { path: settings.taskPath, source: source ?? undefined },
      trial_name: settings.trialName,
      trials_dir: settings.trialsDir,
      agent: isDefault ? undefined : agentSettings(agent),
      job_id: settings.jobId,
    },
    { indent: 4 },
  );
}
