import { randomBytes } from 'node:crypto';
import type {
  EngineInfo,
  ImageOptions,
  ImageResult,
  ImageSource,
  SandboxEngine,
  SandboxSpec,
  StartResult,
} from '../sandbox';
import { EngineError } from '../sandbox';
import { readContext, type BuildContext } from './build-context';
import type { EngineClient } from './client';
import { RefusedError } from './client';
import { deadline, type Deadline } from './deadline';
import { buildImage } from './image-build';
import { inspectImage, pullImage } from './image-pull';
import { imageTag, labelsOf, type Run } from './labels';
import type { Owner } from './owner';
import { ofRun, ofTheDead, removeImageTag, sweep, type Removed } from './reap';
import { registryAuth } from './registry-auth';
import { SharedImages, type Made, type Progress } from './shared-work';
import { startContainer } from './start';

/** How often an image is built that others take away at once. */
const buildAttempts = 5;

/** Images and sandboxes on one Docker engine. Disposing it removes whatever this run made there. */
export class DockerEngine implements SandboxEngine {
  private readonly run: Run;
  private readonly images = new SharedImages();
  private readonly starting = new Set<Promise<unknown>>();
  private network: Promise<string> | null = null;
  private touched = false;
  private builds = 0;
  private closed: Promise<void> | null = null;

  constructor(
    private readonly client: EngineClient,
    readonly info: EngineInfo,
    owner: Owner,
    private readonly clockSkewMs: number,
  ) {
    this.run = { id: randomBytes(4).toString('hex'), owner };
  }

  async prepareImage(source: ImageSource, options: ImageOptions): Promise<ImageResult> {
    if (this.closed) return closedResult();
    this.touched = true;
    if (source.kind === 'image') {
      return this.images.get(`image\0${source.reference}`, options, (progress, limit) =>
        this.pull(source.reference, progress, limit),
      );
    }
    const read = await readContext(source.contextDir, source.dockerfile);
    if (!read.ok) return { ok: false, reason: 'build-failed', message: read.message, line: null, output: '' };
    const { context } = read;
    const noCache = options.noCache ?? false;
    const key = `build\0${context.dir}\0${context.fingerprint}\0${noCache}`;
    return this.images.get(key, options, (progress, limit) => this.build(context, noCache, progress, limit));
  }

  private async build(context: BuildContext, noCache: boolean, progress: Progress, limit: Deadline): Promise<Made> {
    const tag = imageTag(this.run, context.fingerprint, (this.builds += 1));
    const remove = async (): Promise<void> => {
      await removeImageTag(this.client, tag).catch(() => false);
    };
    const { buildKit } = this.info;
    for (let attempt = 1; ; attempt += 1) {
      const request = { ...progress, context, tag, noCache: noCache && attempt === 1, buildKit };
      const built = await buildImage(this.client, request, limit);
      if (!built.ok) {
        // A build that ended at the very moment of a cancel has left its tag.
        if (built.reason !== 'build-failed') await remove();
        return built;
      }
      const made = await this.made(tag, remove, limit);
      if (made !== null) return made;
      // Equal contexts give one and the same image, and the engine drops it with its last tag: that of another task, or
      // of another run, may go between the end of this build and its tag. The steps are in the cache, so it is made again.
      if (attempt === buildAttempts) {
        await remove();
        return this.gone();
      }
    }
  }

  private async pull(reference: string, progress: Progress, limit: Deadline): Promise<Made> {
    try {
      const there = await inspectImage(this.client, reference, limit.signal);
      if (there) return { ok: true, image: there, remove: async () => undefined };
      const auth = await registryAuth(reference);
      const pulled = await pullImage(this.client, { reference, auth, ...progress }, limit);
      if (!pulled.ok) return pulled;
    } catch (error) {
      return imageFailure(error, limit, 'pull-failed');
    }
    // Pulled images stay, as they do after a run of Harbor.
    return (await this.made(reference, async () => undefined, limit)) ?? this.gone();
  }

  /** null when the image is not there. */
  private async made(reference: string, remove: () => Promise<void>, limit: Deadline): Promise<Made | null> {
    try {
      const image = await inspectImage(this.client, reference, limit.signal);
      return image ? { ok: true, image, remove } : null;
    } catch (error) {
      await remove();
      return imageFailure(error, limit, 'build-failed');
    }
  }

  private gone(): Made {
    return failure('engine-failed', `The image is gone from ${this.client.endpoint.url} right after it was made.`);
  }

  async start(spec: SandboxSpec): Promise<StartResult> {
    if (this.closed) return { ok: false, reason: 'cancelled', message: 'The engine connection was closed.' };
    this.touched = true;
    const limit = deadline(spec.signal, spec.limitSec);
    const work = startContainer(
      {
        client: this.client,
        run: this.run,
        clockSkewMs: this.clockSkewMs,
        network: () => this.publicNetwork(),
      },
      spec,
      limit,
    );
    this.starting.add(work);
    try {
      return await work;
    } finally {
      this.starting.delete(work);
      limit.stop();
    }
  }

  /**
   * One network of this run for all its trials. As with a network of each trial's own, which Harbor makes, names are
   * resolved by the engine and containers cannot reach each other; but it costs its 0.3 s only once.
   */
  private async publicNetwork(): Promise<string> {
    this.network ??= this.client
      .json<{ Id: string }>({
        method: 'POST',
        path: '/networks/create',
        body: {
          Name: `taskwright-${this.run.id}`,
          Driver: 'bridge',
          Labels: labelsOf(this.run, 'network'),
          Options: { 'com.docker.network.bridge.enable_icc': 'false' },
        },
        what: 'make a network',
      })
      .then((made) => made.Id);
    try {
      return await this.network;
    } catch (error) {
      this.network = null;
      throw error;
    }
  }

  async reap(): Promise<Removed> {
    try {
      return await sweep(this.client, this.engineNow(), ofTheDead(this.run.owner));
    } catch (error) {
      throw error instanceof RefusedError ? new EngineError(`Docker refused to tidy up: ${error.message}`) : error;
    }
  }

  private engineNow(): number {
    return Date.now() + this.clockSkewMs;
  }

  /** Never rejects: what an engine that is gone still has is removed at a later start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.closed ??= this.close();
    await this.closed;
  }

  private async close(): Promise<void> {
    if (this.touched) await this.removeAll();
    this.client.close();
  }

  private async removeAll(): Promise<void> {
    const images = this.images.close().catch(() => undefined);
    await Promise.allSettled([...this.starting]);
    await images;
    await sweep(this.client, this.engineNow(), ofRun(this.run.id)).catch(() => undefined);
  }
}

function closedResult(): ImageResult {
  return failure('cancelled', 'The engine connection was closed.');
}

function failure(
  reason: 'pull-failed' | 'build-failed' | 'engine-failed' | 'cancelled' | 'timeout',
  message: string,
): Extract<ImageResult, { ok: false }> {
  return { ok: false, reason, message, line: null, output: '' };
}

function imageFailure(
  error: unknown,
  limit: Deadline,
  refused: 'pull-failed' | 'build-failed',
): Extract<ImageResult, { ok: false }> {
  if (limit.signal.aborted) return failure(limit.timedOut() ? 'timeout' : 'cancelled', 'Cancelled.');
  if (error instanceof RefusedError) return failure(refused, `Docker refused: ${error.message}`);
  if (error instanceof EngineError) return failure('engine-failed', error.message);
  throw error;
}
