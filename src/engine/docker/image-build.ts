import { randomUUID } from 'node:crypto';
import { readDockerfile } from '../../core/text/dockerfile/read-dockerfile';
import type { BuildStep, ImageResult } from '../sandbox';
import { EngineError } from '../sandbox';
import { PackError } from '../tar';
import { packContext, type BuildContext } from './build-context';
import { describeFailure } from './build-failure';
import { AnyFollower, type BuildFollower, type BuildOutcome } from './build-progress';
import { RefusedError, type EngineClient } from './client';
import { onAbort, type Deadline } from './deadline';
import { whileAlive } from './heartbeat';
import { jsonLines } from './json-lines';

export interface BuildRequest {
  readonly context: BuildContext;
  readonly tag: string;
  readonly noCache: boolean;
  readonly buildKit: boolean;
  readonly onStep: (step: BuildStep) => void;
  readonly onOutput: (text: string) => void;
}

export type BuildResult = { readonly ok: true; readonly imageId: string } | Extract<ImageResult, { ok: false }>;

/** Builds an image and gives it the tag. When it fails, or is cancelled, the build has ended in the engine too. */
export async function buildImage(client: EngineClient, request: BuildRequest, limit: Deadline): Promise<BuildResult> {
  const heredoc = request.buildKit ? null : firstHeredoc(request.context);
  if (heredoc !== null) {
    // The older builder would run the first line alone and call it a success.
    const message = `${request.context.dockerfile}, line ${heredoc + 1}, has a here-document, which needs BuildKit, and this engine's builder is an older one. Update the engine, or write the step without it.`;
    return { ok: false, reason: 'build-failed', message, line: heredoc, output: '' };
  }
  const follower = new AnyFollower(request);
  const buildId = randomUUID();
  try {
    const outcome = await whileAlive(client, limit.signal, (signal) =>
      follow(client, request, follower, buildId, signal),
    );
    if (outcome.error === null && outcome.imageId !== null) return { ok: true, imageId: outcome.imageId };
    if (outcome.error === null)
      return failure(
        'engine-failed',
        `Docker (${client.endpoint.url}) broke off the build. Is it still running?`,
        outcome,
      );
    if (request.buildKit && lacksBuildKit(outcome.error)) {
      return await buildImage(client, { ...request, buildKit: false }, limit);
    }
    return describeFailure(outcome, request.context, follower.buildKit);
  } catch (error) {
    const outcome = follower.outcome();
    if (limit.signal.aborted) {
      await cancelBuild(client, buildId);
      return limit.timedOut() ? timedOut(outcome) : failure('cancelled', 'The build was cancelled.', outcome);
    }
    if (error instanceof PackError) {
      return failure('build-failed', `The build context cannot be sent: ${error.message}`, outcome);
    }
    if (error instanceof RefusedError) {
      if (request.buildKit && lacksBuildKit(error.message)) {
        return buildImage(client, { ...request, buildKit: false }, limit);
      }
      return describeFailure({ ...outcome, error: error.message }, request.context, follower.buildKit);
    }
    if (error instanceof EngineError) return failure('engine-failed', error.message, outcome);
    return failure('engine-failed', `Docker (${client.endpoint.url}) broke off the build: ${String(error)}`, outcome);
  }
}

function lacksBuildKit(error: string): boolean {
  return /buildkit (?:is )?not (?:supported|enabled)/i.test(error);
}

function firstHeredoc(context: BuildContext): number | null {
  return readDockerfile(context.dockerfileText).instructions.find((one) => one.heredocs.length > 0)?.line ?? null;
}

async function follow(
  client: EngineClient,
  request: BuildRequest,
  follower: BuildFollower,
  buildId: string,
  signal: AbortSignal,
): Promise<BuildOutcome> {
  const stream = await client.stream({
    method: 'POST',
    path: '/build',
    query: {
      dockerfile: request.context.dockerfile,
      t: request.tag,
      nocache: String(request.noCache),
      rm: 'true',
      forcerm: 'true',
      ...(request.buildKit ? { version: '2', buildid: buildId } : {}),
    },
    tar: packContext(request.context),
    headers: { 'Content-Type': 'application/x-tar' },
    what: 'build an image',
    signal,
    limitMs: null,
  });
  const forget = onAbort(signal, () => {
    stream.destroy(new Error('The build was given up.'));
  });
  try {
    for await (const record of jsonLines(stream)) follower.take(record);
    return follower.outcome();
  } finally {
    forget();
    stream.destroy();
  }
}

/** Closing the connection ends a build too; this is for engines behind something that keeps it open. */
async function cancelBuild(client: EngineClient, buildId: string): Promise<void> {
  await client
    .json({ method: 'POST', path: '/build/cancel', query: { id: buildId }, what: 'cancel a build', limitMs: 5000 })
    .catch(() => undefined);
}

function timedOut(outcome: BuildOutcome): BuildResult {
  const step = outcome.lastStep;
  const where = step ? ` It was at step ${step.index}/${step.total}, ${step.name}.` : '';
  return failure(
    'timeout',
    `The image was not built within its time limit ([environment].build_timeout_sec).${where}`,
    outcome,
  );
}

function failure(
  reason: 'engine-failed' | 'cancelled' | 'build-failed' | 'timeout',
  message: string,
  outcome: BuildOutcome,
): Extract<BuildResult, { ok: false }> {
  return { ok: false, reason, message, line: null, output: outcome.output };
}
