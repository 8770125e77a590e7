import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { manifestFile, type ManifestEntry } from '../../core/results/harbor/manifest';
import { isExcluded, planArtifacts, type PlannedArtifact } from '../../core/results/artifacts';
import type { NotCopied } from '../../core/results/taskwright-file';
import type { ArtifactConfig } from '../../core/task/config';
import { EngineError, TransferError, type Sandbox } from '../sandbox';
import type { TrialScope } from './context';
import { DiskError, diskError, writeWhole } from './disk';
import { unpackInto, type UnpackReport } from '../untar';

/** What a trial may leave in one folder: enough for any log, and no way to fill a disk. */
const maxBytes = 2 * 1024 ** 3;

/**
 * Copies a log folder of the container below the trial's folder. Harbor's mounts would show everything; links, devices
 * and FIFOs stay behind here, because who reads a trial must not be led out of it. They are listed instead.
 */
export async function downloadFolder(
  scope: TrialScope,
  sandbox: Sandbox,
  path: string,
  target: string,
): Promise<readonly NotCopied[]> {
  const tar = await sandbox.get(path);
  if (tar === null) return [];
  const dir = join(scope.dir, target);
  const report = await unpackInto(tar, dir, { strip: true, maxBytes }).catch((error: unknown) => {
    throw archiveError(error, path, dir);
  });
  throwFailure(report, dir);
  return notCopied(report, target);
}

function notCopied(report: UnpackReport, target: string): readonly NotCopied[] {
  return report.entries
    .filter((entry) => entry.skipped !== null)
    .map((entry) => ({
      path: `${target}/${entry.name}`,
      kind: entry.kind,
      target: entry.linkname === null || entry.linkname === '' ? null : entry.linkname,
      why: entry.skipped ?? '',
    }));
}

/** Whose fault it is that an archive could not be unpacked: the host's disk, or an engine that broke off. */
function archiveError(error: unknown, path: string, target: string): Error {
  if (error instanceof EngineError || error instanceof TransferError || error instanceof DiskError) return error;
  if (error instanceof Error && 'syscall' in error && 'path' in error) return diskError(target, error);
  return brokenArchive(path, error);
}

export function brokenArchive(path: string, error: unknown): EngineError {
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineError(`Copying "${path}" out of the container broke off: ${reason}.`);
}

/** Collects what the task asks for, as far as it is there; never fails a trial (harbor-run.md, section 10). */
export async function collectArtifacts(
  scope: TrialScope,
  sandbox: Sandbox,
  entries: readonly ArtifactConfig[],
): Promise<readonly NotCopied[]> {
  const manifest: ManifestEntry[] = [];
  const skipped: NotCopied[] = [];
  for (const artifact of planArtifacts(entries)) {
    const line = await collect(scope, sandbox, artifact, skipped).catch((error: unknown): ManifestEntry => {
      if (!(error instanceof TransferError)) throw error;
      scope.log(`The artifact "${artifact.source}" was not collected: ${error.message}`);
      return entryOf(artifact, 'file', 'failed');
    });
    manifest.push(line);
  }
  await writeWhole(join(scope.dir, 'artifacts', 'manifest.json'), manifestFile(manifest));
  return skipped;
}

async function collect(
  scope: TrialScope,
  sandbox: Sandbox,
  artifact: PlannedArtifact,
  skipped: NotCopied[],
): Promise<ManifestEntry> {
  if (artifact.clash) return entryOf(artifact, guess(artifact), 'skipped');
  const target = `artifacts/${artifact.target}`;
  if (artifact.implicit) {
    skipped.push(...(await downloadFolder(scope, sandbox, artifact.path, target)));
    const names = await readdir(join(scope.dir, target)).catch(() => []);
    return entryOf(artifact, 'directory', names.length === 0 ? 'empty' : 'ok');
  }
  const tar = await sandbox.get(artifact.path);
  if (tar === null) return entryOf(artifact, guess(artifact), 'failed');
  return unpackArtifact(scope, tar, artifact, skipped);
}

/** A file or a folder, under its own name or another: it is unpacked beside its place and then moved there. */
async function unpackArtifact(
  scope: TrialScope,
  tar: Readable,
  artifact: PlannedArtifact,
  skipped: NotCopied[],
): Promise<ManifestEntry> {
  const target = join(scope.dir, 'artifacts', ...artifact.target.split('/'));
  const incoming = join(scope.dir, 'artifacts', `.incoming-${scope.context.random.uuid()}`);
  try {
    const report = await unpackInto(tar, incoming, {
      maxBytes,
      skip: (name) => name.includes('/') && isExcluded(name.slice(name.indexOf('/') + 1), artifact.exclude),
    });
    throwFailure(report, incoming);
    skipped.push(...notCopied(report, `artifacts/${artifact.target}`));
    const [name] = await readdir(incoming);
    if (name === undefined) return entryOf(artifact, guess(artifact), 'failed');
    const isFolder = (await lstat(join(incoming, name))).isDirectory();
    await mkdir(dirname(target), { recursive: true });
    await rename(join(incoming, name), target);
    return entryOf(artifact, isFolder ? 'directory' : 'file', 'ok');
  } catch (error) {
    throw archiveError(error, artifact.path, target);
  } finally {
    await rm(incoming, { recursive: true, force: true }).catch(() => undefined);
  }
}

function throwFailure(report: UnpackReport, dir: string): void {
  if (report.failure === null) return;
  // Node puts the code first: `ENOSPC: no space left on device, write`.
  const code = /^([A-Z]+):/u.exec(report.failure)?.[1] ?? '';
  throw diskError(dir, Object.assign(new Error(report.failure), { code }));
}

function entryOf(
  artifact: PlannedArtifact,
  type: ManifestEntry['type'],
  status: ManifestEntry['status'],
): ManifestEntry {
  return { source: artifact.source, destination: `artifacts/${artifact.target}`, type, status, service: null };
}

function guess(artifact: PlannedArtifact): ManifestEntry['type'] {
  return /\.[^/]+$/u.test(artifact.path) ? 'file' : 'directory';
}
