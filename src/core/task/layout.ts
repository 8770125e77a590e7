import type { OperatingSystem, TaskConfig } from './config';
import type { Snapshot } from './snapshot';
import { innerPath } from './snapshot';
import type { ScriptPair, StepLayout, TaskLayout } from './task';

/** Where the parts of a task are (harbor-task.md, section 2); without a configuration, as for a single-step Linux task. */
export function layoutOf(disk: Snapshot, config: TaskConfig | null): TaskLayout {
  const os = config?.environment.os ?? 'linux';
  return {
    os,
    environmentDir: existing(disk, 'environment'),
    dockerfile: existing(disk, 'environment/Dockerfile'),
    composeFile: existing(disk, 'environment/docker-compose.yaml'),
    ...partsIn(disk, '', os),
    steps: (config?.steps ?? []).map((step): StepLayout => {
      const dir = stepDir(step.name);
      return {
        name: step.name,
        dir: dir ?? `steps/${step.name}`,
        ...(dir === null ? nothing : partsIn(disk, `${dir}/`, os)),
      };
    }),
  };
}

/** The folder of a step, relative to the task folder; null when its name leads out of it. */
export function stepDir(name: string): string | null {
  const path = innerPath(`steps/${name}`);
  return path === '' ? null : path;
}

/** The extension of scripts on an operating system. */
export function scriptExtension(os: OperatingSystem): 'sh' | 'bat' {
  return os === 'windows' ? 'bat' : 'sh';
}

const nothing: ScriptPair = {
  instruction: null,
  testScript: null,
  testsDir: null,
  solutionDir: null,
  solveScript: null,
};

function partsIn(disk: Snapshot, prefix: string, os: OperatingSystem): ScriptPair {
  const extension = scriptExtension(os);
  return {
    instruction: existing(disk, `${prefix}instruction.md`),
    testScript: existing(disk, `${prefix}tests/test.${extension}`),
    testsDir: existing(disk, `${prefix}tests`),
    solutionDir: existing(disk, `${prefix}solution`),
    solveScript: existing(disk, `${prefix}solution/solve.${extension}`),
  };
}

function existing(disk: Snapshot, path: string): string | null {
  return disk.entries.has(path) ? path : null;
}
