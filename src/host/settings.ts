import { workspace, type Uri } from 'vscode';
import type { GateName } from '../core/gates/verdict';

/**
 * What a person set for a run. null where nothing was set: then `taskwright.toml` or the program's own default decides
 * (product.md, "On disk").
 */
export interface RunSettings {
  readonly gates: readonly GateName[] | null;
  readonly rewardKey: string | null;
  readonly passThreshold: number | null;
  readonly jobsDir: string | null;
  readonly maxConcurrentTrials: number | null;
  readonly dockerHost: string | null;
}

/** Reads at use, for the resource at hand. */
export function runSettings(resource: Uri): RunSettings {
  const configuration = workspace.getConfiguration('taskwright', resource);
  const set = (name: string): unknown => {
    const found = configuration.inspect(name);
    const isSet =
      found?.globalValue !== undefined ||
      found?.workspaceValue !== undefined ||
      found?.workspaceFolderValue !== undefined;
    return isSet ? configuration.get(name) : undefined;
  };
  const gates = set('gates');
  const passThreshold = set('passThreshold');
  const trials = set('maxConcurrentTrials');
  return {
    gates: Array.isArray(gates) ? gateNames.filter((name) => gates.includes(name)) : null,
    rewardKey: text(set('rewardKey')),
    passThreshold: typeof passThreshold === 'number' && Number.isFinite(passThreshold) ? passThreshold : null,
    jobsDir: text(set('jobsDir')),
    maxConcurrentTrials: typeof trials === 'number' && Number.isInteger(trials) && trials > 0 ? trials : null,
    dockerHost: text(set('docker.host')),
  };
}

export const gateNames: readonly GateName[] = ['oracle', 'nop', 'cheat'];

export function codeLensEnabled(resource: Uri): boolean {
  return workspace.getConfiguration('taskwright', resource).get('codeLens.enabled', true);
}

export const runFinishedSetting = 'notifications.runFinished';

export function runFinishedNotices(): boolean {
  return workspace.getConfiguration('taskwright').get(runFinishedSetting, true);
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
