import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectDocker, type ConnectOptions } from '../../../src/engine/docker/connect';
import type {
  Command,
  ExecOptions,
  Exit,
  Image,
  Sandbox,
  SandboxEngine,
  SandboxSpec,
} from '../../../src/engine/sandbox';

export const NEVER = new AbortController().signal;

/** The image that every machine of the project's tests has (scripts/machine/base-image.sh). */
export const BASE = 'python:3.13-slim';

export function connectOptions(over: Partial<ConnectOptions> = {}): ConnectOptions {
  return { host: null, env: process.env, homedir: homedir(), platform: process.platform, signal: NEVER, ...over };
}

/** A connection to the machine's engine. Without one these tests fail: they are about nothing else. */
export async function connectForTest(over: Partial<ConnectOptions> = {}): Promise<SandboxEngine> {
  const connected = await connectDocker(connectOptions(over));
  if (!connected.ok) throw new Error(`These tests need a Docker engine. ${connected.message}`);
  return connected.engine;
}

export async function baseImage(engine: SandboxEngine): Promise<Image> {
  const result = await engine.prepareImage({ kind: 'image', reference: BASE }, { signal: NEVER, limitSec: 60 });
  if (!result.ok) throw new Error(`These tests need the image ${BASE}. ${result.message}`);
  return result.image;
}

export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'taskwright-test-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), content);
  }
  return dir;
}

export function specOf(image: Image, over: Partial<SandboxSpec> = {}): SandboxSpec {
  return {
    image,
    name: 'engine test',
    cpus: null,
    memoryMb: null,
    pidsLimit: null,
    env: {},
    workdir: null,
    network: 'no-network',
    logFolders: [],
    signal: NEVER,
    limitSec: 60,
    ...over,
  };
}

export async function startForTest(
  engine: SandboxEngine,
  image: Image,
  over: Partial<SandboxSpec> = {},
): Promise<Sandbox> {
  const started = await engine.start(specOf(image, over));
  if (!started.ok) throw new Error(started.message);
  return started.sandbox;
}

export function bash(script: string, over: Partial<Command> = {}): Command {
  return { argv: ['bash', '-c', script], user: null, cwd: null, env: {}, ...over };
}

export async function run(sandbox: Sandbox, command: Command | string, over: Partial<ExecOptions> = {}): Promise<Exit> {
  return sandbox.exec(typeof command === 'string' ? bash(command) : command, {
    limitSec: 60,
    idleLimitSec: null,
    signal: NEVER,
    ...over,
  });
}

/** Waits for a condition, asking often; fails with what was waited for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited ${limitMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
