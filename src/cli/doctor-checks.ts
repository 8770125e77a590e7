import { access, constants, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { ConnectResult } from '../engine/docker/connect';
import type { EngineInfo } from '../engine/sandbox';

/** One thing that was looked at. Only a `problem` keeps tasks from being run. */
export interface Check {
  readonly id: string;
  readonly status: 'ok' | 'warning' | 'problem';
  /** What was found, one sentence. */
  readonly message: string;
  /** How to mend it; null when there is nothing to mend. */
  readonly remedy: string | null;
}

const gigabyte = 1e9;

const ok = (id: string, message: string): Check => ({ id, status: 'ok', message, remedy: null });
const warning = (id: string, message: string, remedy: string): Check => ({ id, status: 'warning', message, remedy });
const problem = (id: string, message: string, remedy: string): Check => ({ id, status: 'problem', message, remedy });

/** The smallest version that the bundles are built for. */
const oldestNode = [20, 19] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (isNew) return ok('node', `Node.js ${version}.`);
  return problem('node', `Node.js ${version} is too old.`, `Install Node.js ${oldestNode.join('.')} or later.`);
}

export function checkConnection(result: ConnectResult): Check {
  if (!result.ok) return problem('engine', result.message, 'Then run taskwright doctor again.');
  const { version, apiVersion, endpoint, source } = result.engine.info;
  return ok('engine', `Docker engine ${version} (API ${apiVersion}) at ${endpoint}, found by ${source}.`);
}

/** What of an engine that answers matters to a run. */
export function checkEngine(info: EngineInfo): readonly Check[] {
  return [
    info.os === 'linux'
      ? ok('engine-os', `It runs Linux containers on ${info.architecture}.`)
      : problem('engine-os', `It runs ${info.os} containers.`, 'Switch Docker to Linux containers.'),
    info.buildKit
      ? ok('engine-builder', 'It builds with BuildKit.')
      : warning(
          'engine-builder',
          'It has no BuildKit: Dockerfiles with heredocs or RUN --mount do not build.',
          'Use Docker Engine 23 or later.',
        ),
    ok('engine-storage', `Its storage driver is ${info.storageDriver}.`),
    checkSize(info),
  ];
}

function checkSize({ cpus, memoryBytes }: EngineInfo): Check {
  const size = `It has ${cpus} ${cpus === 1 ? 'CPU' : 'CPUs'} and ${gigabytes(memoryBytes)} of memory.`;
  if (memoryBytes >= 2 * gigabyte) return ok('engine-size', size);
  return warning(
    'engine-size',
    `${size} Tasks often ask for 2 GB and more.`,
    'Give the machine, or the virtual machine Docker runs in, more memory.',
  );
}

export function checkLeftovers(reaped: { containers: number; images: number; volumes: number }): Check {
  const counts = [
    [reaped.containers, 'container'],
    [reaped.images, 'image'],
    [reaped.volumes, 'volume'],
  ] as const;
  const removed = counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count > 1 ? 's' : ''}`);
  if (removed.length === 0) return ok('leftovers', 'No earlier run left anything behind.');
  return ok('leftovers', `Removed what earlier runs that died had left behind: ${removed.join(', ')}.`);
}

/** Whether trials can be written. Probes the folder itself if it is there, else the one it would be made in. */
export async function checkJobsDir(dir: string): Promise<Check> {
  const place = await nearestExisting(dir);
  const elsewhere = 'Choose another folder with --jobs-dir, or the setting taskwright.jobsDir.';
  if (!(await stat(place)).isDirectory()) return problem('jobs-dir', `${place} is not a folder.`, elsewhere);
  try {
    await access(place, constants.W_OK);
    // The right to write says nothing about a full quota; a folder of our own may be tried for real.
    if (place === dir) await rm(await mkdtemp(path.join(dir, '.taskwright-doctor-')), { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return problem('jobs-dir', `The jobs folder ${dir} cannot be written: ${why}`, elsewhere);
  }
  return ok('jobs-dir', `The jobs folder is ${dir}${place === dir ? '' : ' (made by the first run)'}.`);
}

/** Free space where jobs are written, or where a local engine keeps its images. */
export async function checkSpace(id: string, what: string, dir: string): Promise<Check> {
  const { bavail, bsize } = await statfs(await nearestExisting(dir));
  const free = bavail * bsize;
  const message = `${gigabytes(free)} free for ${what}.`;
  if (free >= 5 * gigabyte) return ok(id, message);
  const remedy = 'Free some space: old jobs, and images and build caches that Docker keeps (docker system df).';
  return free >= gigabyte ? warning(id, message, remedy) : problem(id, message, remedy);
}

async function nearestExisting(dir: string): Promise<string> {
  for (let place = dir; ; place = path.dirname(place)) {
    const found = await stat(place).catch(() => null);
    if (found !== null || place === path.dirname(place)) return place;
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / gigabyte).toFixed(1)} GB`;
}
