import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { networkPlan } from '../../core/task/network';
import { unsupportedReasons } from '../../core/task/support';
import type { Task } from '../../core/task/task';
import { resolveEnv } from '../../core/task/templates';
import type { TaskConfig } from '../../core/task/config';
import type { Image, ImageResult, ImageSource, Sandbox } from '../sandbox';
import type { TrialScope, Trouble } from './context';
import { uploadFolder } from './upload';

/** Mount points in Harbor, volumes here, so that a cheat finds the same (harbor-run.md, section 1). */
const logFolders = ['/logs/agent', '/logs/verifier', '/logs/artifacts'] as const;

export type Buildable =
  | {
      readonly ok: true;
      readonly config: TaskConfig;
      readonly source: ImageSource;
      /** Resolved `environment.env`. */
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly trouble: Trouble };

/** Everything that Harbor checks before a container starts (harbor-run.md, section 2), and what is not supported yet. */
export function checkTask(task: Task, hostEnv: Readonly<Record<string, string | undefined>>): Buildable {
  const { config } = task;
  if (config === null || task.harbor.outcome !== 'loads') {
    const message = `Harbor does not load this task: ${task.harbor.reason ?? 'its task.toml is not valid'}`;
    return fail('ValidationError', message, 'not-loadable');
  }
  const unsupported = unsupportedReasons(task);
  if (unsupported.length > 0) {
    return fail('NotSupportedError', unsupported.map((reason) => reason.message).join(' '), 'unsupported');
  }
  const source = imageSource(task, config);
  if (source === null) {
    return fail(
      'FileNotFoundError',
      'There is neither environment/Dockerfile nor [environment].docker_image, so there is nothing to run in. Add one of them.',
      'build-failed',
    );
  }
  const env = resolveEnv(config.environment.env, (name) => hostEnv[name]);
  if (!env.ok) return { ok: false, trouble: missingVariables(env.missing, '[environment.env]') };
  return { ok: true, config, source, env: env.env };
}

export function missingVariables(names: readonly string[], table: string): Trouble {
  const list = names.map((name) => `"${name}"`).join(', ');
  const message = `${table} needs the variable ${list}, which is not set. Set it, or give it a default: \${NAME:-value}.`;
  return { type: 'ValueError', message, undecided: 'blocked' };
}

function fail(type: string, message: string, undecided: Trouble['undecided']): Buildable {
  return { ok: false, trouble: { type, message, undecided } };
}

/** null where there is nothing to make an image from. */
export function imageSource(task: Task, config: TaskConfig): ImageSource | null {
  const { docker_image: reference } = config.environment;
  if (reference !== null && reference !== '') return { kind: 'image', reference };
  const { dockerfile, environmentDir } = task.layout;
  if (dockerfile === null || environmentDir === null) return null;
  return { kind: 'build', contextDir: join(task.dir, environmentDir), dockerfile: 'Dockerfile' };
}

export function imageTrouble(result: ImageResult & { readonly ok: false }, limitSec: number | null): Trouble {
  const place = result.line === null ? '' : ` (environment/Dockerfile, line ${result.line + 1})`;
  switch (result.reason) {
    case 'build-failed':
    case 'pull-failed':
      return {
        type: 'RuntimeError',
        message: withOutput(`${result.message}${place}`, result.output),
        undecided: 'build-failed',
      };
    case 'timeout':
      return {
        type: 'EnvironmentStartTimeoutError',
        message: `The image was not ready within ${String(limitSec)} s ([environment].build_timeout_sec). ${result.message}`,
        undecided: 'timeout',
      };
    case 'cancelled':
      return cancelled;
    case 'engine-failed':
      return { type: 'EngineError', message: result.message, undecided: 'engine-failed' };
  }
}

export const cancelled: Trouble = {
  type: 'CancelledError',
  message: 'The trial was cancelled.',
  undecided: 'cancelled',
};

function withOutput(message: string, output: string): string {
  const lines = output.trimEnd().split('\n').slice(-20).join('\n');
  return lines === '' ? message : `${message}\n${lines}`;
}

export type Started =
  { readonly ok: true; readonly sandbox: Sandbox } | { readonly ok: false; readonly trouble: Trouble };

export interface StartInput {
  readonly config: TaskConfig;
  readonly image: Image;
  readonly env: Readonly<Record<string, string>>;
  /** What is left of the limit for build and start together. */
  readonly limitSec: number | null;
  /** Cheats run with a limit of processes (cheats.md, section 10). */
  readonly pidsLimit: number | null;
}

export async function startSandbox(scope: TrialScope, input: StartInput): Promise<Started> {
  const { environment } = input.config;
  const result = await scope.context.engine.start({
    image: input.image,
    name: scope.name,
    cpus: environment.cpus,
    memoryMb: environment.memory_mb,
    pidsLimit: input.pidsLimit,
    env: input.env,
    workdir: environment.workdir,
    network: networkPlan(input.config).baseline.mode === 'public' ? 'public' : 'no-network',
    logFolders,
    signal: scope.signal,
    limitSec: input.limitSec,
  });
  if (!result.ok) return { ok: false, trouble: startTrouble(result.reason, result.message) };
  const trouble = await uploadEnvironment(scope, result.sandbox);
  if (trouble === null) return { ok: true, sandbox: result.sandbox };
  await result.sandbox[Symbol.asyncDispose]();
  return { ok: false, trouble };
}

function startTrouble(reason: 'start-failed' | 'timeout' | 'cancelled' | 'engine-failed', message: string): Trouble {
  switch (reason) {
    case 'start-failed':
      return { type: 'RuntimeError', message, undecided: 'start-failed' };
    case 'timeout':
      return { type: 'EnvironmentStartTimeoutError', message, undecided: 'timeout' };
    case 'cancelled':
      return cancelled;
    case 'engine-failed':
      return { type: 'EngineError', message, undecided: 'engine-failed' };
  }
}

/** A prebuilt image without a build definition gets the files of `environment/` (harbor-run.md, section 4, step 8). */
async function uploadEnvironment(scope: TrialScope, sandbox: Sandbox): Promise<Trouble | null> {
  const { layout, dir } = scope.task;
  if (layout.dockerfile !== null || layout.composeFile !== null || layout.environmentDir === null) return null;
  const folder = join(dir, layout.environmentDir);
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return null;
  const result = await uploadFolder(sandbox, folder, sandbox.workdir, null, scope.signal);
  if (result.ok) return null;
  return result.reason === 'cancelled'
    ? cancelled
    : { type: 'RuntimeError', message: result.message, undecided: 'start-failed' };
}
