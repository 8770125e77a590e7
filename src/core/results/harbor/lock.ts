import { Float, writeJson, type JsonObject } from './json';
import { utcTime } from './names';
import type { TrialSettings } from './trial-config';

export interface LockedTask {
  /** The folder's name. */
  readonly name: string;
  readonly version: string | null;
  /** `sha256:` and 64 hexadecimal digits: the package digest (harbor-task.md, section 17). */
  readonly digest: string;
}

/** A trial's lock: defaults present, nulls left out (harbor-results.md, section 4). */
export function trialLock(task: LockedTask, settings: TrialSettings): JsonObject {
  return {
    schema_version: 2,
    task: {
      name: task.name,
      version: task.version ?? undefined,
      type: 'local',
      digest: task.digest,
      source: settings.source ?? undefined,
      path: settings.taskPath,
    },
    install_only: false,
    timeout_multiplier: new Float(1),
    extra_instructions: [],
    agent: {
      name: settings.agent.name,
      skills: [],
      resume_trajectory: false,
      extra_allowed_hosts: [],
      kwargs: settings.agent.kwargs,
      mcp_servers: [],
    },
    bridge_inputs: {},
    skills: [],
    environment: {
      type: 'docker',
      force_build: false,
      delete: true,
      cpu_enforcement_policy: 'auto',
      memory_enforcement_policy: 'auto',
      extra_docker_compose: [],
      kwargs: {},
      extra_allowed_hosts: [],
    },
    verifier: { disable: false, environment_mode: 'shared' },
  };
}

export function trialLockFile(lock: JsonObject): string {
  return writeJson(lock, { indent: 4 });
}

/** Harbor's defaults (harbor-run.md, section 12): nothing is tried again. */
const retry: JsonObject = {
  max_retries: 0,
  exclude_exceptions: [
    'AgentAuthenticationError',
    'AgentSafetyRefusalError',
    'AgentTimeoutError',
    'ApiUsageLimitError',
    'ModelNotFoundError',
    'RewardFileEmptyError',
    'RewardFileNotFoundError',
    'VerifierOutputParseError',
    'VerifierTimeoutError',
  ],
  wait_multiplier: new Float(1),
  min_wait_sec: new Float(1),
  max_wait_sec: new Float(60),
};

export interface JobLock {
  readonly createdAt: Date;
  readonly concurrent: number;
  readonly trials: readonly JsonObject[];
  /** Of the program that wrote it; Harbor's readers pass over it. */
  readonly program: string;
}

export function jobLockFile(lock: JobLock): string {
  return writeJson(
    {
      schema_version: 3,
      created_at: utcTime(lock.createdAt),
      harbor: {},
      taskwright: { version: lock.program },
      n_concurrent_trials: lock.concurrent,
      retry,
      trials: lock.trials,
    },
    { indent: 4 },
  );
}
