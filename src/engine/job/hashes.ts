import { packageDigest, taskChecksum } from '../../core/task/hashes';
import { nodeFiles, sha256 } from '../../node/files';
import type { TaskHashes } from '../trial/context';

/**
 * Both hashes that Harbor keeps of a task. Where a file cannot be read (a link that leads nowhere) there is none: any
 * text will do for the first, and the second is all zeros, since its form is fixed.
 */
export async function hashTask(dir: string): Promise<TaskHashes> {
  return {
    checksum: (await taskChecksum(nodeFiles, dir, sha256)) ?? 'unknown',
    digest: (await packageDigest(nodeFiles, dir, sha256)) ?? `sha256:${'0'.repeat(64)}`,
  };
}
