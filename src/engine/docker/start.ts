import { randomBytes } from 'node:crypto';
import type { SandboxSpec, StartResult } from '../sandbox';
import { EngineError } from '../sandbox';
import { packFiles } from '../tar';
import { RefusedError, type EngineClient } from './client';
import { DockerSandbox, removeContainer, type ContainerState } from './container';
import type { Deadline } from './deadline';
import { FrameDecoder } from './exec-frames';
import { labelsOf, type Run } from './labels';

export interface StartContext {
  readonly client: EngineClient;
  readonly run: Run;
  readonly clockSkewMs: number;
  /** The network of this run that reaches outside. */
  readonly network: () => Promise<string>;
}

/** Makes and starts a container (harbor-run.md, section 4, "Docker-API equivalents"). Leaves nothing when it fails. */
export async function startContainer(
  context: StartContext,
  spec: SandboxSpec,
  deadline: Deadline,
): Promise<StartResult> {
  const { client } = context;
  let id: string | null = null;
  try {
    deadline.signal.throwIfAborted();
    const network = spec.network === 'no-network' ? 'none' : await context.network();
    deadline.signal.throwIfAborted();
    // Not cut short by the deadline: a request given up half-way may still make a container, whose id is then unknown.
    id = await createContainer(context, spec, network);
    deadline.signal.throwIfAborted();
    await openLogFolders(client, id, spec.logFolders);
    await client.json({
      method: 'POST',
      path: `/containers/${id}/start`,
      what: 'start a container',
      limitMs: 180_000,
      signal: deadline.signal,
    });
    const runsSince = performance.now();
    const problem = await checkStarted(client, id, spec, deadline.signal);
    if (problem !== null) {
      await removeContainer(client, id);
      return { ok: false, reason: 'start-failed', message: problem };
    }
    const workdir = spec.workdir ?? (spec.image.workdir === '' ? '/' : spec.image.workdir);
    const sandbox = new DockerSandbox(client, id, workdir, context.clockSkewMs, runsSince, spec.memoryMb !== null);
    return { ok: true, sandbox };
  } catch (error) {
    if (id !== null) await removeContainer(client, id);
    if (deadline.signal.aborted) {
      if (deadline.timedOut()) {
        return { ok: false, reason: 'timeout', message: `The container did not start within ${spec.limitSec} s.` };
      }
      return { ok: false, reason: 'cancelled', message: 'Cancelled while the container started.' };
    }
    if (error instanceof RefusedError) {
      return { ok: false, reason: 'start-failed', message: explainRefusal(error.message) };
    }
    if (error instanceof EngineError) return { ok: false, reason: 'engine-failed', message: error.message };
    throw error;
  }
}

async function createContainer(context: StartContext, spec: SandboxSpec, network: string): Promise<string> {
  const { client, run } = context;
  const readable = spec.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const body = {
    Image: spec.image.id,
    // The image's entrypoint stays: this is passed to it as arguments.
    Cmd: ['sh', '-c', 'sleep infinity'],
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: labelsOf(run, 'sandbox'),
    HostConfig: {
      NetworkMode: network,
      ...(spec.cpus === null ? {} : { NanoCpus: Math.round(spec.cpus * 1e9) }),
      ...(spec.memoryMb === null ? {} : { Memory: Math.round(spec.memoryMb * 1024 * 1024) }),
      ...(spec.pidsLimit === null ? {} : { PidsLimit: spec.pidsLimit }),
      // Without a source these are unnamed volumes: they go with the container, and are mount points as in Harbor.
      Mounts: spec.logFolders.map((path) => ({
        Type: 'volume',
        Target: path,
        VolumeOptions: { Labels: labelsOf(run, 'volume') },
      })),
    },
  };
  const created = await client.json<{ Id: string }>({
    method: 'POST',
    path: '/containers/create',
    query: { name: `taskwright-${readable === '' ? '' : `${readable}-`}${run.id}-${randomBytes(3).toString('hex')}` },
    body,
    what: 'make a container',
    limitMs: 120_000,
  });
  return created.Id;
}

/** Mode 777, as Harbor gives its mounts. An archive sets it before the start, for a tenth of what a command costs. */
async function openLogFolders(client: EngineClient, id: string, folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return;
  const entries = folders.map((path) => ({ name: `${path.replace(/^\/+|\/+$/g, '')}/`, content: '', mode: 0o777 }));
  await client.json({
    method: 'PUT',
    path: `/containers/${id}/archive`,
    query: { path: '/' },
    tar: packFiles(entries),
    what: 'make the log folders',
  });
}

/** A sentence when the container does not run or cannot be used, else null. */
async function checkStarted(
  client: EngineClient,
  id: string,
  spec: SandboxSpec,
  signal: AbortSignal,
): Promise<string | null> {
  let state = await inspect(client, id, signal);
  // An image with a health check counts as started when that says so, as Compose's `up --wait` has it.
  while (state.State.Running && state.State.Health?.Status === 'starting') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    signal.throwIfAborted();
    state = await inspect(client, id, signal);
  }
  if (state.State.Running && (state.Config?.Entrypoint?.length ?? 0) > 0) {
    await endsWithin(client, id, ENTRYPOINT_MS, signal);
    state = await inspect(client, id, signal);
  }
  if (!state.State.Running) {
    const logs = await lastLogs(client, id, signal);
    const said = logs === '' ? 'It printed nothing.' : `Its last output:\n${logs}`;
    return `The container ended by itself at once (exit code ${state.State.ExitCode}). The image's ENTRYPOINT gets the keep-alive command \`sh -c "sleep infinity"\` as arguments and has to run it. ${said}`;
  }
  if (state.State.Health?.Status === 'unhealthy') {
    const last = state.State.Health.Log?.at(-1)?.Output?.trim() ?? '';
    return `The image's HEALTHCHECK says "unhealthy"${last === '' ? '' : `: ${last}`}.`;
  }
  if (spec.workdir !== null && !(await folderExists(client, id, spec.workdir, signal))) {
    return `The working directory "${spec.workdir}" is not a folder of the image. Make it in the Dockerfile (WORKDIR ${spec.workdir}), or correct [environment].workdir.`;
  }
  return null;
}

/** An entrypoint that does not run the keep-alive mostly ends at once; without one there is nothing to wait for. */
const ENTRYPOINT_MS = 500;

/** Returns when a container has ended, or after so long. */
async function endsWithin(client: EngineClient, id: string, limitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await client.json({
      method: 'POST',
      path: `/containers/${id}/wait`,
      query: { condition: 'not-running' },
      what: 'wait for a container',
      limitMs,
      signal,
    });
  } catch (error) {
    // It runs on, or the engine is gone: the next question tells.
    if (!(error instanceof EngineError || error instanceof RefusedError)) throw error;
  }
}

async function inspect(client: EngineClient, id: string, signal: AbortSignal): Promise<ContainerState> {
  return client.json({ method: 'GET', path: `/containers/${id}/json`, what: 'describe a container', signal });
}

async function folderExists(client: EngineClient, id: string, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    // Ending in `/.` makes the engine follow links and refuse what is no folder.
    const answer = await client.stream({
      method: 'HEAD',
      path: `/containers/${id}/archive`,
      query: { path: `${path.replace(/\/+$/, '')}/.` },
      what: 'look for the working directory',
      signal,
    });
    answer.resume();
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

async function lastLogs(client: EngineClient, id: string, signal: AbortSignal): Promise<string> {
  const stream = await client.stream({
    method: 'GET',
    path: `/containers/${id}/logs`,
    query: { stdout: 'true', stderr: 'true', tail: '20' },
    what: 'give a container’s output',
    signal,
  });
  const frames = new FrameDecoder();
  const pieces: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    frames.push(chunk, (bytes) => pieces.push(Buffer.from(bytes)));
  }
  return Buffer.concat(pieces).toString('utf8').trim().slice(-4000);
}

function explainRefusal(message: string): string {
  if (/exec: "sh":.*(?:not found|no such file)/is.test(message)) {
    return `The image has no "sh", which keeps the container alive. Use a base image with a shell (and bash, which commands of a task need). Docker says: ${message}`;
  }
  if (/range of CPUs/i.test(message)) {
    return `The task asks for more CPUs ([environment].cpus) than this engine has. Docker says: ${message}`;
  }
  if (/minimum memory limit/i.test(message)) {
    return `The task's [environment].memory_mb is less than a container can have. Docker says: ${message}`;
  }
  return `The container cannot be started. Docker says: ${message}`;
}
