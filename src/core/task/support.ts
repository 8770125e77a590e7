import { networkPlan, samePolicy } from './network';
import { verifierMode } from './verifier-mode';
import type { Task } from './task';

export type UnsupportedFeature =
  | 'multi-step'
  | 'separate-verifier'
  | 'compose'
  | 'allow-list'
  | 'phase-network'
  | 'healthcheck'
  | 'collect-hooks'
  | 'sidecar-artifacts'
  | 'gpus'
  | 'tpu'
  | 'windows';

export interface UnsupportedReason {
  readonly feature: UnsupportedFeature;
  /** One sentence that names the feature and where the task asks for it. */
  readonly message: string;
}

/**
 * What a task asks for that Taskwright does not run yet, in a fixed order; empty when it can be run. A task without a
 * configuration gives none: whether it loads is said by `task.harbor`.
 */
export function unsupportedReasons(task: Task): readonly UnsupportedReason[] {
  const { config, layout } = task;
  if (config === null) return [];
  const reasons: UnsupportedReason[] = [];
  const add = (feature: UnsupportedFeature, message: string): void => void reasons.push({ feature, message });
  const environment = config.environment;

  if (environment.os === 'windows') add('windows', 'Windows tasks ([environment].os) are not supported yet.');
  if (config.steps.length > 0) add('multi-step', 'Tasks with several steps ([[steps]]) are not supported yet.');
  if (
    verifierMode(config).mode === 'separate' ||
    config.steps.some((_, i) => verifierMode(config, i).mode === 'separate')
  ) {
    add('separate-verifier', 'A separate verifier environment ([verifier]) is not supported yet.');
  }
  if (layout.composeFile !== null) add('compose', `A compose file (${layout.composeFile}) is not supported yet.`);
  networkReasons(task, add);
  if (environment.healthcheck !== null || config.steps.some((step) => step.healthcheck !== null)) {
    add('healthcheck', 'A healthcheck ([environment.healthcheck] or [steps.healthcheck]) is not supported yet.');
  }
  if (config.verifier.collect.length > 0 || config.steps.some((step) => step.verifier.collect.length > 0)) {
    add('collect-hooks', 'Collect hooks ([[verifier.collect]]) are not supported yet.');
  }
  const artifacts = [...config.artifacts, ...config.steps.flatMap((step) => step.artifacts)];
  const sidecar = artifacts.find((artifact) => artifact.service !== null && artifact.service !== 'main');
  if (sidecar)
    add('sidecar-artifacts', `Artifacts of another service (${sidecar.service ?? ''}) are not supported yet.`);
  if ((environment.gpus ?? 0) > 0) add('gpus', 'GPUs ([environment].gpus) cannot be given to a task by Docker.');
  if (environment.tpu !== null) add('tpu', 'A TPU ([environment.tpu]) cannot be given to a task by Docker.');
  return reasons;
}

function networkReasons(task: Task, add: (feature: UnsupportedFeature, message: string) => void): void {
  if (task.config === null) return;
  const { config } = task;
  const plans = config.steps.length === 0 ? [networkPlan(config)] : config.steps.map((_, i) => networkPlan(config, i));
  if (plans.some((plan) => [plan.baseline, plan.agent, plan.verifierBaseline, plan.verifier].some(isAllowList))) {
    add('allow-list', 'An allow-list of hosts (network_mode = "allowlist") is not supported yet.');
  }
  if (
    plans.some((plan) => !samePolicy(plan.agent, plan.baseline) || !samePolicy(plan.verifier, plan.verifierBaseline))
  ) {
    add(
      'phase-network',
      'A network policy of the agent or verifier that differs from that of [environment] is not supported yet.',
    );
  }
}

function isAllowList(policy: { readonly mode: string }): boolean {
  return policy.mode === 'allowlist';
}
