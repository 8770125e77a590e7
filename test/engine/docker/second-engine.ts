import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './support';

/** Where scripts/machine/engine.sh lays a newer engine; its programs come first where it is there. */
const NEWER = process.env.TASKWRIGHT_ENGINE_DIR ?? '/opt/taskwright-engine';
const PATH = [join(NEWER, 'usr', 'sbin'), join(NEWER, 'usr', 'bin'), process.env.PATH ?? ''].join(':');

/** A second engine can be run by root where Docker Engine itself is installed. */
export const CAN_RUN_SECOND_ENGINE =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  PATH.split(':').some((dir) => existsSync(join(dir, 'dockerd')));

export interface SecondEngine {
  readonly host: string;
  readonly process: ChildProcess;
  docker(args: readonly string[], input?: Buffer): string;
  /** Ends it, its containers and everything it keeps on the disk. */
  remove(): Promise<void>;
}

/** An engine that a test may stop: with its own data, socket and network bridge, so that the first is left alone. */
export async function startSecondEngine(): Promise<SecondEngine> {
  const dir = await mkdtemp(join(tmpdir(), 'tw-engine-'));
  const bridge = `twt${process.pid % 100_000}`;
  const subnet = 200 + (process.pid % 50);
  execFileSync('ip', ['link', 'add', 'name', bridge, 'type', 'bridge']);
  execFileSync('ip', ['addr', 'add', `172.31.${subnet}.1/24`, 'dev', bridge]);
  execFileSync('ip', ['link', 'set', bridge, 'up']);
  const host = `unix://${dir}/docker.sock`;
  const args = [
    ...['--data-root', join(dir, 'data'), '--exec-root', join(dir, 'exec'), '--pidfile', join(dir, 'pid')],
    ...['-H', host, '--bridge', bridge, '--shutdown-timeout', '1', '--iptables=false', '--ip6tables=false'],
  ];
  const engine = spawn('dockerd', args, { stdio: 'ignore', env: { ...process.env, PATH } });
  const closed = new Promise<void>((resolve) =>
    engine.once('close', () => {
      resolve();
    }),
  );
  const docker = (list: readonly string[], input?: Buffer): string =>
    execFileSync('docker', ['-H', host, ...list], {
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      ...(input ? { input } : {}),
    });
  const remove = async (): Promise<void> => {
    engine.kill('SIGCONT');
    engine.kill('SIGTERM');
    await closed;
    execFileSync('ip', ['link', 'delete', bridge]);
    clearRemains(dir);
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    await until(
      'the second engine answers',
      () => {
        try {
          return docker(['version', '--format', '{{.Server.Version}}']) !== '';
        } catch {
          return false;
        }
      },
      60_000,
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { host, process: engine, docker, remove };
}

/** An engine that stops in the middle of a build leaves the step's process running and its network namespace mounted. */
function clearRemains(dir: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const root = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n', 1)[0] ?? '';
      if (root.includes(dir)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const point = line.split(' ')[4] ?? '';
    if (point.startsWith(`${dir}/`)) execFileSync('umount', ['-l', point]);
  }
}

/** An image of a shell and `sleep`, from this machine's own programs: small enough to be made in no time. */
export function importTinyImage(engine: SecondEngine, name: string): void {
  const programs = ['/bin/sh', '/bin/bash', '/bin/sleep', '/bin/true'];
  const libraries = programs.flatMap((program) =>
    [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map((match) => match[1]!),
  );
  const tar = execFileSync('tar', ['-ch', '-P', '--transform', 's,^/,,', ...new Set([...programs, ...libraries])], {
    maxBuffer: 100 * 1024 * 1024,
  });
  engine.docker(['import', '-c', 'ENV PATH=/bin', '-', name], tar);
}
