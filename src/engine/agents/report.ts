import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readUsage } from '../../core/results/usage';
import type { AgentReport } from '../trial/context';

const maxBytes = 256 * 1024 * 1024;

/** Reads what an agent says of itself in the folder that was copied from `/logs/agent`. */
export async function readReport(agentDir: string): Promise<AgentReport> {
  const remarks: string[] = [];
  const read = async (name: string): Promise<string | null> => {
    const path = join(agentDir, name);
    const stat = await lstat(path).catch(() => null);
    if (!stat?.isFile()) return null;
    if (stat.size <= maxBytes) return readFile(path, 'utf8');
    remarks.push(`${name} is longer than 256 MiB and was not read.`);
    return null;
  };
  const told = readUsage(await read('trajectory.json'), await read('usage.json'));
  return {
    usage: told.usage,
    usageFrom: told.from,
    version: told.version,
    model: told.model,
    remarks: [...remarks, ...told.remarks],
  };
}
