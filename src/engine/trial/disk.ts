import { appendFile, mkdir } from 'node:fs/promises';
import { writeFileAtomic } from '../../node/atomic-write';
import { makeFolders } from '../../node/make-folder';

/** A file of the host could not be written. The message says which, why and what to do. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
}

/** Writes a whole file or nothing: a reader never sees half of it. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await writeFileAtomic(path, content);
  } catch (error) {
    throw diskError(path, error);
  }
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    throw diskError(path, error);
  }
}

/** Makes a folder that must not be there yet; false when it is. */
export async function claimFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw diskError(path, error);
  }
}

export function diskError(path: string, error: unknown): DiskError {
  const [reason, advice] = known[codeOf(error)] ?? [error instanceof Error ? error.message : String(error), elsewhere];
  return new DiskError(`"${path}" could not be written: ${reason}. ${advice}`);
}

const elsewhere = 'Choose another folder with --jobs-dir (in VS Code: taskwright.jobsDir).';
const space = 'Free some space, or choose another folder with --jobs-dir (in VS Code: taskwright.jobsDir).';

const known: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ENOSPC: ['the disk is full', space],
  EDQUOT: ['the quota is used up', space],
  EACCES: ['permission denied', elsewhere],
  EPERM: ['permission denied', elsewhere],
  EROFS: ['the file system is read-only', elsewhere],
  ENOTDIR: ['part of its path is a file', elsewhere],
  ENAMETOOLONG: ['the path is too long', elsewhere],
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Lines of a log, appended in order. A disk that fails is reported once, by `flush`. */
export class LogFile {
  private last: Promise<void> = Promise.resolve();
  private failure: DiskError | null = null;

  constructor(readonly path: string) {}

  /** Makes the file, so that it stands there before the first line. Throws a `DiskError`. */
  async open(): Promise<void> {
    await appendFile(this.path, '').catch((error: unknown) => {
      throw diskError(this.path, error);
    });
  }

  write(line: string): void {
    this.last = this.last.then(async () => {
      if (this.failure !== null) return;
      await appendFile(this.path, `${line}\n`).catch((error: unknown) => {
        this.failure = diskError(this.path, error);
      });
    });
  }

  /** Waits until everything is written; the reason when it is not. */
  async flush(): Promise<DiskError | null> {
    await this.last;
    return this.failure;
  }
}
