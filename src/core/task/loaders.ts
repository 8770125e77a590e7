import type { TaskConfig } from './config';
import { scriptExtension, stepDir } from './layout';
import type { Snapshot } from './snapshot';
import { verifierMode } from './verifier-mode';

/**
 * Harbor's tests of whether a folder is a task (harbor-task.md, section 1). They disagree, so each stands for itself.
 * `files` names what is missing, relative to the task folder.
 */
export interface LoadTrouble {
  readonly kind: 'no-config' | 'unreadable-config' | 'invalid-config' | 'no-environment' | 'missing-file';
  readonly file: string;
}

export interface LoaderSubject {
  readonly disk: Snapshot;
  /** null when task.toml is missing or Harbor refuses it. */
  readonly config: TaskConfig | null;
}

/** Test D: `view`, `publish` and others only look for the file. */
function hasConfig({ disk }: LoaderSubject): boolean {
  return disk.entries.has('task.toml');
}

/** Test A: a folder given to `run -p`, or a child of a dataset. Empty when Harbor takes it for a task. */
export function strictTroubles(subject: LoaderSubject): readonly LoadTrouble[] {
  return withEnvironment(subject, loaderTroubles(subject));
}

/** Test C: the loader of every trial; does not ask for `environment/`. */
export function loaderTroubles(subject: LoaderSubject): readonly LoadTrouble[] {
  const { disk, config } = subject;
  if (!hasConfig(subject)) return [{ kind: 'no-config', file: 'task.toml' }];
  if (config === null) {
    const isText = typeof disk.texts.get('task.toml')?.text === 'string';
    return [{ kind: isText ? 'invalid-config' : 'unreadable-config', file: 'task.toml' }];
  }
  return missingFiles(disk, config).map((file) => ({ kind: 'missing-file', file }));
}

/** The files of harbor-task.md, section 2.4 that are not there, in Harbor's order of looking. */
export function missingFiles(disk: Snapshot, config: TaskConfig): readonly string[] {
  const has = (path: string): boolean => disk.entries.has(path);
  const testScript = `tests/test.${scriptExtension(config.environment.os)}`;
  const missing: string[] = [];
  if (config.steps.length === 0) {
    if (!has('instruction.md')) missing.push('instruction.md');
    if (verifierMode(config).mode === 'shared' && !has(testScript)) missing.push(testScript);
    return missing;
  }
  config.steps.forEach((step, index) => {
    const dir = stepDir(step.name);
    if (dir === null || !has(dir)) {
      missing.push(`${dir ?? `steps/${step.name}`}/`);
      return;
    }
    if (!has(`${dir}/instruction.md`)) missing.push(`${dir}/instruction.md`);
    const isShared = verifierMode(config, index).mode === 'shared';
    if (isShared && !has(`${dir}/${testScript}`) && !has(testScript)) missing.push(`${dir}/${testScript}`);
  });
  return [...new Set(missing)];
}

function withEnvironment({ disk }: LoaderSubject, troubles: readonly LoadTrouble[]): readonly LoadTrouble[] {
  if (disk.entries.has('environment') || troubles.some((trouble) => trouble.kind === 'no-config')) return troubles;
  return [...troubles, { kind: 'no-environment', file: 'environment/' }];
}

/** One trouble as the start of a sentence. */
export function describeTrouble(trouble: LoadTrouble): string {
  switch (trouble.kind) {
    case 'no-config':
      return 'task.toml is missing';
    case 'unreadable-config':
      return 'task.toml cannot be read';
    case 'invalid-config':
      return 'task.toml is not valid';
    case 'no-environment':
      return 'environment/ is missing';
    case 'missing-file':
      return `${trouble.file} is missing`;
  }
}
