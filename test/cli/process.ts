import { execFile, execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import type { EngineEvent } from '../../src/protocol/engine';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A bundle of its own for a test file, with `media` where the program expects it; gone after the tests. */
export function useBundle(): { readonly path: string } {
  let dir = '';
  beforeAll(() => {
    mkdirSync(join(root, 'out/test'), { recursive: true });
    dir = mkdtempSync(join(root, 'out/test/cli-'));
    execFileSync(process.execPath, ['scripts/build.mjs', '--outdir', join(dir, 'dist')], { cwd: root });
    symlinkSync(join(root, 'media'), join(dir, 'media'));
  });
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    get path() {
      return join(dir, 'dist/cli.js');
    },
  };
}

/** A folder with a copy of some of the tasks below `test/tasks/gates`, or of other folders given by their path. */
export function useWorkspace(...tasks: readonly string[]): { readonly dir: string } {
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'taskwright gate '));
    for (const task of tasks) copyTask(task, dir);
  });
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    get dir() {
      return dir;
    },
  };
}

export function copyTask(task: string, to: string): string {
  const target = join(to, task.split('/').pop() ?? task);
  cpSync(join(root, 'test/tasks/gates', task), target, { recursive: true });
  return target;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What came on standard error so far. */
  readonly stderr: () => string;
}

export function start(cli: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Running {
  return watch(spawn(process.execPath, [cli, ...args], { cwd, env: { ...process.env, ...env } }));
}

/** As the editor does it: with a message channel. */
export function startForked(
  cli: string,
  args: readonly string[],
  cwd: string,
  onEvent: (event: EngineEvent, child: ChildProcess) => void,
): Running {
  const child = fork(cli, [...args], { cwd, silent: true, execArgv: [] });
  child.on('message', (event) => {
    onEvent(event as EngineEvent, child);
  });
  return watch(child);
}

export async function call(
  cli: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return start(cli, args, cwd, env).ended;
}

function watch(child: ChildProcess): Running {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Not `close`: it never comes for a child from which its parent disconnected while messages were on their way.
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const flowed = Promise.all(streams.map((stream) => once(stream, 'close')));
  const ended = once(child, 'exit').then(async ([code, signal]): Promise<Ended> => {
    await flowed;
    return { code: code as number | null, signal: signal as string | null, stdout, stderr };
  });
  return { child, ended, stderr: () => stderr };
}

/** Containers, networks, volumes and images that a process of ours made and left; nobody else's are looked at. */
export async function leftOf(pid: number): Promise<readonly string[]> {
  // The owner in labels and image names: machine, process, time (src/engine/docker/owner.ts).
  const owner = new RegExp(`[0-9a-f]{8}\\.${pid}\\.\\d+`);
  const list = async (kind: string, ...args: string[]): Promise<string[]> => {
    const { stdout } = await run('docker', [kind, 'ls', ...args, '--format', '{{json .}}']);
    return stdout
      .split('\n')
      .filter((line) => owner.test(line))
      .map((line) => `${kind} ${line}`);
  };
  const all = [list('container', '--all'), list('network'), list('volume'), list('image', '--all')];
  return (await Promise.all(all)).flat();
}

/** Ids of processes below one, as Linux has them. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
