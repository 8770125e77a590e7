import { hostname } from 'node:os';
import type { EngineInfo, SandboxEngine } from '../sandbox';
import { describeConnection, EngineClient } from './client';
import { candidates, type Endpoint, type Surroundings } from './endpoints';
import { DockerEngine } from './engine';
import { ownerOfThisProcess } from './owner';

export interface ConnectOptions {
  /** The setting `taskwright.docker.host`; null or empty when it is not set. */
  readonly host: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
  /** Milliseconds an endpoint has to answer. Default 5,000; five times as much over ssh. */
  readonly answerMs?: number;
}

/** One place that was looked at in vain. */
export interface Tried {
  readonly endpoint: string;
  readonly source: string;
  /** Half a sentence: `no socket is there`. */
  readonly why: string;
  readonly reason: 'missing' | 'denied' | 'refused' | 'timeout' | 'invalid' | 'failed';
}

export type ConnectResult =
  | { readonly ok: true; readonly engine: SandboxEngine; readonly tried: readonly Tried[] }
  | {
      readonly ok: false;
      /** What stands out among the attempts. */
      readonly reason: 'no-engine' | 'denied' | 'not-answering' | 'bad-host' | 'cancelled';
      /** What happened and what to do next. */
      readonly message: string;
      readonly tried: readonly Tried[];
    };

/** Newest version of the interface that this adapter was written for; an older engine is asked in its own. */
const API_VERSION = '1.45';

/** Finds an engine that answers: setting, DOCKER_HOST, Docker context, rootless and well-known sockets, default. */
export async function connectDocker(options: ConnectOptions): Promise<ConnectResult> {
  const uid = process.getuid?.() ?? null;
  const around: Surroundings = { ...options, uid };
  const tried: Tried[] = [];
  for (const candidate of await candidates(around)) {
    if (options.signal.aborted) return { ok: false, reason: 'cancelled', message: 'Cancelled.', tried };
    if (!candidate.ok) {
      tried.push({ endpoint: candidate.url, source: candidate.source, why: candidate.message, reason: 'invalid' });
      continue;
    }
    const answer = await probe(candidate.endpoint, options);
    if (answer.ok) {
      const owner = await ownerOfThisProcess(hostname());
      return { ok: true, engine: new DockerEngine(answer.client, answer.info, owner, answer.clockSkewMs), tried };
    }
    tried.push(answer.tried);
  }
  if (options.signal.aborted) return { ok: false, reason: 'cancelled', message: 'Cancelled.', tried };
  return { ok: false, ...explain(tried, options.platform), tried };
}

type Probe = { ok: true; client: EngineClient; info: EngineInfo; clockSkewMs: number } | { ok: false; tried: Tried };

interface VersionAnswer {
  Components?: { Name?: string }[];
  Version?: string;
  ApiVersion?: string;
}

interface InfoAnswer {
  OSType?: string;
  Architecture?: string;
  NCPU?: number;
  MemTotal?: number;
  Driver?: string;
  DockerRootDir?: string;
  SystemTime?: string;
}

async function probe(endpoint: Endpoint, options: ConnectOptions): Promise<Probe> {
  const limitMs = (options.answerMs ?? 5000) * (endpoint.address.kind === 'ssh' ? 5 : 1);
  const client = new EngineClient(endpoint, options.env);
  const ask = { signal: options.signal, limitMs };
  try {
    const ping = await client.stream({ ...ask, method: 'GET', path: '/_ping', what: 'say that it is there' });
    ping.resume();
    const [version, info] = await Promise.all([
      client.json<VersionAnswer>({ ...ask, method: 'GET', path: '/version', what: 'give its version' }),
      client.json<InfoAnswer>({ ...ask, limitMs: limitMs * 2, method: 'GET', path: '/info', what: 'describe itself' }),
    ]);
    if (typeof version.ApiVersion !== 'string') {
      return failed(endpoint, 'invalid', 'something answers there that is not a Docker engine');
    }
    client.useVersion(olderOf(version.ApiVersion, API_VERSION));
    const isPodman = version.Components?.some((one) => /podman/i.test(one.Name ?? '')) ?? false;
    const engineTime = Date.parse(info.SystemTime ?? '');
    return {
      ok: true,
      client,
      clockSkewMs: Number.isNaN(engineTime) ? 0 : engineTime - Date.now(),
      info: {
        endpoint: endpoint.url,
        source: endpoint.source,
        version: version.Version ?? 'unknown',
        apiVersion: version.ApiVersion,
        os: info.OSType ?? 'unknown',
        architecture: info.Architecture ?? 'unknown',
        cpus: info.NCPU ?? 1,
        memoryBytes: info.MemTotal ?? 0,
        // The greeting's word about a builder is only a preference: since version 1.39 of the interface every Docker
        // engine for Linux has BuildKit, which is what Compose, and so Harbor, uses. A refusal is met by falling back.
        buildKit: info.OSType !== 'windows' && !isPodman && olderOf(version.ApiVersion, '1.39') === '1.39',
        storageDriver: info.Driver ?? 'unknown',
        ...(info.DockerRootDir === undefined ? {} : { dataRoot: info.DockerRootDir }),
      },
    };
  } catch (error) {
    client.close();
    return classify(endpoint, error, limitMs);
  }
}

function classify(endpoint: Endpoint, error: unknown, limitMs: number): Probe {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const message = cause instanceof Error ? cause.message : String(cause);
  switch (code) {
    case 'ENOENT':
      return failed(endpoint, 'missing', 'no socket is there');
    case 'EACCES':
    case 'EPERM':
      return failed(endpoint, 'denied', 'permission denied');
    case 'ECONNREFUSED':
      return failed(endpoint, 'refused', 'the connection was refused, so no engine is running behind it');
    default:
      if (message.includes('did not answer within')) {
        return failed(endpoint, 'timeout', `it accepted the connection but did not answer within ${limitMs / 1000} s`);
      }
      return failed(endpoint, 'failed', cause instanceof Error ? describeConnection(cause) : message);
  }
}

function failed(endpoint: Endpoint, reason: Tried['reason'], why: string): Probe {
  return { ok: false, tried: { endpoint: endpoint.url, source: endpoint.source, why, reason } };
}

export function olderOf(a: string, b: string): string {
  const [aMajor = 0, aMinor = 0] = a.split('.').map(Number);
  const [bMajor = 0, bMinor = 0] = b.split('.').map(Number);
  return aMajor < bMajor || (aMajor === bMajor && aMinor < bMinor) ? a : b;
}

type Explanation = Pick<ConnectResult & { ok: false }, 'reason' | 'message'>;

function explain(tried: readonly Tried[], platform: NodeJS.Platform): Explanation {
  // Sockets that are simply not there say little; those that are, or that a person named, say what is wrong.
  const telling = tried.filter((one) => one.reason !== 'missing');
  const only = tried.length === 1 ? tried[0] : undefined;
  const list = (telling.length > 0 ? telling : tried.filter((one) => /default|setting|DOCKER|context/.test(one.source)))
    .map((one) => `${one.endpoint} (${one.source}): ${one.why}`)
    .join('; ');
  const looked = list === '' ? '' : ` Looked at ${list}.`;
  const denied = telling.find((one) => one.reason === 'denied');
  if (denied) {
    const how =
      platform === 'linux'
        ? 'Add yourself to the group "docker" (`sudo usermod -aG docker "$USER"`) and log in again, or use rootless Docker.'
        : 'Check who may use its socket.';
    return { reason: 'denied', message: `Docker is there but this user may not use it.${looked} ${how}` };
  }
  const invalid = telling.find((one) => one.reason === 'invalid');
  if (invalid && only) {
    return {
      reason: 'bad-host',
      message: `The Docker host "${only.endpoint}" (${only.source}) cannot be used: ${only.why}. Correct it, or clear it to have Docker found by itself.`,
    };
  }
  if (telling.some((one) => one.reason === 'timeout')) {
    return { reason: 'not-answering', message: `Docker does not answer.${looked} Restart it and try again.` };
  }
  return { reason: 'no-engine', message: `No Docker engine answers.${looked} ${startAdvice(platform, only)}` };
}

function startAdvice(platform: NodeJS.Platform, only: Tried | undefined): string {
  if (only)
    return `Start that engine, or correct ${only.source === 'setting' ? '--docker-host (in VS Code the setting taskwright.docker.host)' : only.source}.`;
  if (platform === 'linux') {
    return 'Start Docker (`sudo systemctl start docker`), or install Docker Engine; if it listens elsewhere, set DOCKER_HOST or --docker-host (in VS Code the setting taskwright.docker.host).';
  }
  return 'Start Docker Desktop (or Colima, OrbStack, Rancher Desktop), or install one; if it listens elsewhere, set DOCKER_HOST or --docker-host (in VS Code the setting taskwright.docker.host).';
}
