import type { Files } from '../core/files';
import { readGateInputs } from '../core/gates/inputs';
import { effectiveSettings } from '../core/settings/effective';
import { readWorkspaceSettings } from '../core/settings/workspace-settings';
import { discoverTasks } from '../core/task/discover';
import { readTask } from '../core/task/read';
import { packageDigest } from '../core/task/hashes';
import { findWorkspace } from '../core/workspace';
import { sha256 } from '../node/files';
import type { Reader } from './reading';

// A bundle of its own (dist/reader.js): the reader of TOML is more than all the rest of the extension, and is loaded
// with the first search for tasks.

/** Reads tasks from the disk, as the command line does. */
export function createReader(files: Files): Reader {
  return {
    discover: async (root) => {
      const { kind, tasks, others } = await discoverTasks(files, root);
      // A folder in which there is nothing at all is no news in an editor that shows it.
      return { tasks, others: kind === 'none' ? others.filter(({ dir }) => dir !== root) : others };
    },
    load: async (dir, inDataset) => {
      const stat = await files.stat(files.join(dir, 'task.toml'));
      return stat?.kind === 'file' ? readTask(files, dir, { inDataset }) : null;
    },
    digest: (dir) => packageDigest(files, dir, sha256),
    inputs: async (dir, folder, person) => {
      const workspace = await findWorkspace(files, dir, folder);
      // The ids of the rules matter only to findings on the file, which are the language server's business.
      const { gates } = effectiveSettings((await readWorkspaceSettings(files, workspace.root, [])).table);
      return readGateInputs(files, dir, workspace, {
        rewardKey: person.rewardKey ?? gates.rewardKey,
        passThreshold: person.passThreshold ?? gates.passThreshold,
        attempts: gates.attempts,
      });
    },
  };
}
