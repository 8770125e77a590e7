import type { BuildStep, Image, ImageResult } from '../sandbox';
import { EngineError } from '../sandbox';
import { megabytes } from './build-progress';
import { RefusedError, type EngineClient } from './client';
import { onAbort, type Deadline } from './deadline';
import { whileAlive } from './heartbeat';
import { jsonLines } from './json-lines';

export interface ImageInspect {
  readonly Id: string;
  readonly RepoDigests?: readonly string[] | null;
  readonly RepoTags?: readonly string[] | null;
  readonly Architecture?: string;
  readonly Os?: string;
  readonly Config?: {
    readonly WorkingDir?: string;
    readonly User?: string;
    readonly Env?: readonly string[] | null;
  } | null;
}

/** null when there is no such image on the engine. */
export async function inspectImage(
  client: EngineClient,
  reference: string,
  signal: AbortSignal,
): Promise<Image | null> {
  try {
    const found = await client.json<ImageInspect>({
      method: 'GET',
      path: `/images/${reference}/json`,
      what: 'describe an image',
      signal,
    });
    return {
      id: found.Id,
      digest: found.RepoDigests?.[0]?.replace(/^.*@/, '') ?? found.Id,
      architecture: found.Architecture ?? 'unknown',
      os: found.Os ?? 'unknown',
      workdir: found.Config?.WorkingDir ?? '',
      user: found.Config?.User ?? '',
      env: found.Config?.Env ?? [],
    };
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return null;
    throw error;
  }
}

export interface PullRequest {
  readonly reference: string;
  /** Base64 of the registry's credentials; null without. */
  readonly auth: string | null;
  readonly onStep: (step: BuildStep) => void;
  readonly onOutput: (text: string) => void;
}

export type PullResult = { readonly ok: true } | Extract<ImageResult, { ok: false }>;

/** Without a tag the engine would fetch every tag there is. */
function withTag(reference: string): string {
  return reference.includes('@') || /:[^/]+$/.test(reference) ? reference : `${reference}:latest`;
}

export async function pullImage(client: EngineClient, request: PullRequest, limit: Deadline): Promise<PullResult> {
  const { reference } = request;
  const progress = new PullProgress(request);
  const fail = (reason: 'pull-failed' | 'timeout' | 'cancelled' | 'engine-failed', message: string): PullResult => ({
    ok: false,
    reason,
    message,
    line: null,
    output: progress.text(),
  });
  request.onStep({ index: 1, total: 1, name: `pull ${reference}` });
  try {
    await whileAlive(client, limit.signal, (signal) => follow(client, request, progress, signal));
    return progress.error === null ? { ok: true } : fail('pull-failed', explain(reference, progress.error));
  } catch (error) {
    if (limit.signal.aborted) {
      return limit.timedOut()
        ? fail('timeout', `The image "${reference}" was not pulled within its time limit.`)
        : fail('cancelled', 'The pull was cancelled.');
    }
    if (error instanceof RefusedError) return fail('pull-failed', explain(reference, error.message));
    if (error instanceof EngineError) return fail('engine-failed', error.message);
    return fail('engine-failed', `Docker (${client.endpoint.url}) broke off the pull: ${String(error)}`);
  }
}

async function follow(
  client: EngineClient,
  request: PullRequest,
  progress: PullProgress,
  signal: AbortSignal,
): Promise<void> {
  const stream = await client.stream({
    method: 'POST',
    path: '/images/create',
    query: { fromImage: withTag(request.reference) },
    ...(request.auth === null ? {} : { headers: { 'X-Registry-Auth': request.auth } }),
    what: 'pull an image',
    signal,
    limitMs: null,
  });
  const forget = onAbort(signal, () => {
    stream.destroy(new Error('The pull was given up.'));
  });
  try {
    for await (const record of jsonLines(stream)) progress.take(record);
  } finally {
    forget();
    stream.destroy();
  }
}

function explain(reference: string, message: string): string {
  const advice = /unauthorized|denied|authentication|no basic auth/i.test(message)
    ? `If it is private, log in (\`docker login\`) and pull it yourself: \`docker pull ${reference}\`.`
    : /not found|unknown|no such/i.test(message) && !/no such host/i.test(message)
      ? 'Check its name and tag.'
      : `Its registry cannot be reached from the engine: check the network, a proxy or a mirror; \`docker pull ${reference}\` shows more.`;
  return `The image "${reference}" is not on this engine and cannot be pulled: ${message.trim().replace(/\.$/, '')}. ${advice}`;
}

/** Progress of a pull, said once a state of a layer changes and for each quarter of what it downloads. */
class PullProgress {
  error: string | null = null;
  private readonly quarters = new Map<string, number>();
  private readonly last = new Map<string, string>();
  private lines: string[] = [];

  constructor(private readonly request: PullRequest) {}

  text(): string {
    return this.lines.join('');
  }

  take(record: unknown): void {
    const { id, status, progressDetail, error } = (record ?? {}) as {
      id?: string;
      status?: string;
      progressDetail?: { current?: number; total?: number };
      error?: string;
    };
    if (typeof error === 'string') this.error = error;
    if (typeof status !== 'string') return;
    const { current = 0, total = 0 } = progressDetail ?? {};
    const key = `${id ?? ''} ${status}`;
    if (total > 0) {
      const quarter = Math.floor((4 * current) / total);
      if (quarter <= (this.quarters.get(key) ?? -1)) return;
      this.quarters.set(key, quarter);
      this.say(`${id ?? ''}: ${status} ${megabytes(current)} of ${megabytes(total)} MB`);
    } else if (this.last.get(id ?? '') !== status) {
      this.say(id === undefined ? status : `${id}: ${status}`);
    }
    this.last.set(id ?? '', status);
  }

  private say(text: string): void {
    this.lines = [...this.lines.slice(-99), `${text}\n`];
    this.request.onOutput(`${text}\n`);
  }
}
