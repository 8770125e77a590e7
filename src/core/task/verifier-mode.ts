import type { EnvironmentConfig, TaskConfig, VerifierConfig } from './config';

export type ResolvedVerifier =
  | { readonly mode: 'shared' }
  | {
      readonly mode: 'separate';
      readonly environment: EnvironmentConfig;
      /** True when no table describes the verifier's environment, so that `[environment]` is copied. */
      readonly isCopy: boolean;
    };

/** Who verifies where, for the task (`step` null) or for one step (harbor-task.md, section 12). */
export function verifierMode(config: TaskConfig, step: number | null = null): ResolvedVerifier {
  const own = step === null ? undefined : config.steps[step]?.verifier;
  const mode = (own && modeOf(own)) ?? modeOf(config.verifier) ?? 'shared';
  if (mode === 'shared') return { mode };
  const environment = own?.environment ?? config.verifier.environment;
  return { mode, environment: environment ?? config.environment, isCopy: environment === null };
}

function modeOf(verifier: VerifierConfig): 'shared' | 'separate' | null {
  return verifier.environment_mode ?? (verifier.environment === null ? null : 'separate');
}
