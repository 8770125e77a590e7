import { createRequire } from 'node:module';
import type { Files } from '../core/files';
import type { GateInputs } from '../core/gates/receipt';
import type { Task } from '../core/task/task';

export interface PersonGateSettings {
  readonly rewardKey: string | null;
  readonly passThreshold: number | null;
}

/** What reads the disk. Paths are absolute. */
export interface Reader {
  /** Every task folder at or below `root`, those that Harbor refuses or drops too, and what only looks like one. */
  discover(root: string): Promise<{
    readonly tasks: readonly Task[];
    readonly others: readonly { readonly dir: string; readonly reason: string }[];
  }>;
  /** null when it is no task folder any more. `inDataset`: Harbor would be given a folder above it. */
  load(dir: string, inDataset: boolean): Promise<Task | null>;
  /**
   * What a run would rest on now. `folder`: the VS Code folder, where no workspace root is marked. `person`: what they
   * set in the editor; null where they set nothing, so that taskwright.toml decides.
   */
  inputs(dir: string, folder: string, person: PersonGateSettings): Promise<GateInputs>;
  /** What the task's package is now, as `sha256:<hex>`; null when a file cannot be read. */
  digest(dir: string): Promise<string | null>;
}

/** The reader of `reader.ts`, whose bundle is loaded when it is first needed. */
export function lazyReader(bundle: string, files: Files): Reader {
  let loaded: Reader | null = null;
  const reader = (): Reader => {
    loaded ??= (createRequire(bundle)(bundle) as { createReader(files: Files): Reader }).createReader(files);
    return loaded;
  };
  return {
    discover: async (root) => reader().discover(root),
    load: async (dir, inDataset) => reader().load(dir, inDataset),
    inputs: async (dir, folder, settings) => reader().inputs(dir, folder, settings),
    digest: async (dir) => reader().digest(dir),
  };
}
