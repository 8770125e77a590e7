/**
 * The decoded task.toml, with Harbor's own names, coercions applied and defaults filled in (harbor-task.md). A value
 * that has no default and was not written is null.
 */
export type NetworkMode = 'public' | 'no-network' | 'allowlist';
export type OperatingSystem = 'linux' | 'windows';
export type User = string | number;

export interface TaskConfig {
  readonly schema_version: string;
  readonly task: PackageInfo | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly agent: AgentConfig;
  readonly verifier: VerifierConfig;
  readonly environment: EnvironmentConfig;
  readonly solution: SolutionConfig;
  readonly source: string | null;
  /** Empty for a single-step task. */
  readonly steps: readonly StepConfig[];
  readonly multi_step_reward_strategy: 'mean' | 'final' | null;
  readonly artifacts: readonly ArtifactConfig[];
}

export interface PackageInfo {
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  readonly authors: readonly { readonly name: string; readonly email: string | null }[];
  readonly keywords: readonly string[];
}

/** A phase's own network policy; null means that the baseline of its environment stays in force. */
export interface PhaseNetwork {
  readonly network_mode: NetworkMode | null;
  readonly allowed_hosts: readonly string[] | null;
}

export interface AgentConfig extends PhaseNetwork {
  /** Seconds; null is no limit. */
  readonly timeout_sec: number | null;
  readonly user: User | null;
}

export interface CollectHook {
  readonly command: string;
  readonly service: string;
  readonly timeout_sec: number;
  readonly user: User | null;
}

export interface VerifierConfig extends PhaseNetwork {
  /** Seconds. */
  readonly timeout_sec: number;
  readonly env: Readonly<Record<string, string>>;
  readonly user: User | null;
  readonly environment_mode: 'shared' | 'separate' | null;
  readonly environment: EnvironmentConfig | null;
  readonly collect: readonly CollectHook[];
}

export interface Healthcheck {
  readonly command: string;
  readonly interval_sec: number;
  readonly timeout_sec: number;
  readonly start_period_sec: number;
  readonly start_interval_sec: number;
  readonly retries: number;
}

export interface McpServer {
  readonly name: string;
  readonly transport: 'sse' | 'streamable-http' | 'stdio';
  readonly url: string | null;
  readonly command: string | null;
  readonly args: readonly string[];
}

export interface EnvironmentConfig {
  /** Seconds for build, pull and start together. */
  readonly build_timeout_sec: number;
  /** null also for an empty string, which Harbor treats as unset. */
  readonly docker_image: string | null;
  readonly os: OperatingSystem;
  readonly cpus: number | null;
  /** MiB. */
  readonly memory_mb: number | null;
  /** MiB; Docker ignores it. */
  readonly storage_mb: number | null;
  readonly gpus: number | null;
  readonly gpu_types: readonly string[] | null;
  readonly tpu: { readonly type: string; readonly topology: string } | null;
  readonly mcp_servers: readonly McpServer[];
  readonly env: Readonly<Record<string, string>>;
  readonly skills_dir: string | null;
  readonly healthcheck: Healthcheck | null;
  readonly workdir: string | null;
  readonly network_mode: NetworkMode;
  readonly allowed_hosts: readonly string[] | null;
}

export interface SolutionConfig {
  readonly env: Readonly<Record<string, string>>;
}

export interface StepConfig {
  readonly name: string;
  readonly agent: AgentConfig;
  readonly verifier: VerifierConfig;
  readonly min_reward: number | Readonly<Record<string, number>> | null;
  readonly healthcheck: Healthcheck | null;
  readonly artifacts: readonly ArtifactConfig[];
}

export interface ArtifactConfig {
  readonly source: string;
  readonly destination: string | null;
  readonly exclude: readonly string[];
  readonly service: string | null;
}
