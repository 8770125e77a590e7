import { homedir } from 'node:os';
import process from 'node:process';
import { connectDocker, type ConnectOptions } from '../engine/docker/connect';
import type { SandboxEngine } from '../engine/sandbox';
import type { EngineEvent } from '../protocol/engine';
import type { CliContext } from './context';

export type EngineConnection =
  | { readonly ok: true; readonly engine: SandboxEngine }
  | { readonly ok: false; readonly cancelled: boolean; readonly message: string };

/** Where to look for an engine, as every command does. */
export function connectOptions(context: CliContext, host: string | undefined): ConnectOptions {
  return {
    host: host ?? context.env.TASKWRIGHT_DOCKER_HOST ?? null,
    env: context.env,
    homedir: homedir(),
    platform: process.platform,
    signal: context.signal,
  };
}

/**
 * Finds the container engine, says which, and clears what dead runs left on it. The setting is given by
 * `--docker-host`, or by the editor in TASKWRIGHT_DOCKER_HOST.
 */
export async function connectEngine(
  context: CliContext,
  host: string | undefined,
  emit: (event: EngineEvent) => void,
): Promise<EngineConnection> {
  const result = await connectDocker(connectOptions(context, host));
  if (!result.ok) {
    const cancelled = result.reason === 'cancelled' || context.signal.aborted;
    if (!cancelled) emit({ type: 'engine-failed', reason: result.reason, message: result.message });
    return { ok: false, cancelled, message: result.message };
  }
  const { engine } = result;
  const { endpoint, source, version } = engine.info;
  emit({ type: 'engine-connected', endpoint, source, version });
  await engine.reap();
  return { ok: true, engine };
}
