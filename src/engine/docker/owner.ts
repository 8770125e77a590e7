import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';

/** Who made a container or an image: a process, on a machine, that began at some time. */
export interface Owner {
  /** Eight hexadecimal digits for the machine's name and, on Linux, the process namespace. */
  readonly host: string;
  readonly pid: number;
  /** Unix seconds. */
  readonly startedAt: number;
}

export async function ownerOfThisProcess(hostname: string): Promise<Owner> {
  // Two containers may share a host's name, but their process ids mean different things.
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const host = createHash('sha256').update(`${hostname}\0${namespace}`).digest('hex').slice(0, 8);
  const startedAt = (await startOfProcess(process.pid)) ?? Math.round(Date.now() / 1000 - process.uptime());
  return { host, pid: process.pid, startedAt };
}

export function formatOwner(owner: Owner): string {
  return `${owner.host}.${owner.pid}.${owner.startedAt}`;
}

export function parseOwner(text: string): Owner | null {
  const match = /^([0-9a-f]{8})\.(\d{1,10})\.(\d{1,12})$/.exec(text);
  if (!match) return null;
  return { host: match[1] ?? '', pid: Number(match[2]), startedAt: Number(match[3]) };
}

/** What another machine left is taken for dead after a day: nobody here can ask whether its process lives. */
const FOREIGN_AGE_SEC = 24 * 3600;

/**
 * Whether the maker is surely gone. On this machine: no process of that id, or one that began at another time (ids are
 * used again). On another: a day has passed.
 */
export async function isDead(owner: Owner, here: Owner, ageSec: number): Promise<boolean> {
  if (owner.host !== here.host) return ageSec > FOREIGN_AGE_SEC;
  if (owner.pid === here.pid) return owner.startedAt !== here.startedAt;
  if (!exists(owner.pid)) return true;
  const startedAt = await startOfProcess(owner.pid);
  return startedAt !== null && Math.abs(startedAt - owner.startedAt) > 3;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Unix seconds; null when it cannot be told. */
async function startOfProcess(pid: number): Promise<number | null> {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (process.platform === 'darwin') {
    const text = await output('ps', ['-o', 'lstart=', '-p', String(pid)]);
    const time = Date.parse(text.trim());
    return Number.isNaN(time) ? null : Math.round(time / 1000);
  }
  return null;
}

async function startOnLinux(pid: number): Promise<number | null> {
  try {
    const [stat, system] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'latin1'),
      readFile('/proc/stat', 'latin1'),
    ]);
    // The command's name is in brackets and may hold anything; the 20th field after it is the start in ticks.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const boot = Number(/^btime (\d+)$/m.exec(system)?.[1]);
    return Number.isFinite(ticks + boot) ? Math.round(boot + ticks / 100) : null;
  } catch {
    return null;
  }
}

async function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 5000 }, (error, stdout) => {
      resolve(error ? '' : stdout);
    });
  });
}
