import type { EngineClient } from './client';
import { RefusedError } from './client';
import { removeContainer } from './container';
import { IMAGE_PREFIX, OWNER_LABEL, RUN_LABEL, ownerOfTag } from './labels';
import { isDead, parseOwner, type Owner } from './owner';

interface Listed {
  readonly Id: string;
  readonly Labels?: Readonly<Record<string, string>> | null;
}

/** Whether something made here is to go, by its run and owner and, where the engine tells, its age in seconds. */
export type Doomed = (made: { run: string; owner: Owner | null; ageSec: number }) => boolean | Promise<boolean>;

export interface Removed {
  containers: number;
  images: number;
  volumes: number;
}

export function ofRun(run: string): Doomed {
  return (made) => made.run === run;
}

export function ofTheDead(here: Owner): Doomed {
  return (made) => made.owner !== null && isDead(made.owner, here, made.ageSec);
}

/** Removes everything of ours on the engine that is doomed: containers first, as they hold the rest. */
export async function sweep(client: EngineClient, nowMs: number, doomed: Doomed): Promise<Removed> {
  const filters = JSON.stringify({ label: [RUN_LABEL] });
  const list = <T>(path: string, query: Record<string, string>): Promise<T> =>
    client.json<T>({ method: 'GET', path, query, what: 'list what is left', limitMs: 15_000 });
  const pick = async <T>(
    items: readonly T[],
    labels: (item: T) => Listed['Labels'],
    created: (item: T) => number,
  ): Promise<T[]> => {
    const chosen: T[] = [];
    for (const item of items) {
      const of = labels(item) ?? {};
      const owner = parseOwner(of[OWNER_LABEL] ?? '');
      if (await doomed({ run: of[RUN_LABEL] ?? '', owner, ageSec: nowMs / 1000 - created(item) })) chosen.push(item);
    }
    return chosen;
  };

  const removed: Removed = { containers: 0, images: 0, volumes: 0 };
  const containers = await list<(Listed & { Created: number })[]>('/containers/json', { all: 'true', filters });
  const dying = await pick(
    containers,
    (one) => one.Labels,
    (one) => one.Created,
  );
  await Promise.all(
    dying.map(async (one) => {
      if (await removeContainer(client, one.Id)) removed.containers += 1;
    }),
  );
  // Volumes go with their containers; one is left only when a container was removed without them.
  const volumes = await list<{ Volumes?: { Name: string; Labels?: Listed['Labels']; CreatedAt?: string }[] | null }>(
    '/volumes',
    { filters },
  );
  const stray = await pick(
    volumes.Volumes ?? [],
    (one) => one.Labels,
    (one) => Date.parse(one.CreatedAt ?? '') / 1000 || nowMs / 1000,
  );
  for (const one of stray) if (await remove(client, `/volumes/${one.Name}`)) removed.volumes += 1;
  const networks = await list<(Listed & { Created?: string })[]>('/networks', { filters });
  const unused = await pick(
    networks,
    (one) => one.Labels,
    (one) => Date.parse(one.Created ?? '') / 1000 || nowMs / 1000,
  );
  for (const one of unused) await remove(client, `/networks/${one.Id}`);
  removed.images = await sweepImages(client, nowMs, doomed);
  return removed;
}

async function sweepImages(client: EngineClient, nowMs: number, doomed: Doomed): Promise<number> {
  const images = await client.json<{ RepoTags?: readonly string[] | null }[]>({
    method: 'GET',
    path: '/images/json',
    query: { filters: JSON.stringify({ reference: [`${IMAGE_PREFIX}*`] }) },
    what: 'list images',
    limitMs: 30_000,
  });
  let removed = 0;
  for (const tag of images.flatMap((one) => one.RepoTags ?? [])) {
    const made = ownerOfTag(tag);
    if (!made) continue;
    // An image's own date may be that of a build long ago, from the cache: its maker's start is what counts.
    if (!(await doomed({ ...made, ageSec: nowMs / 1000 - made.owner.startedAt }))) continue;
    if (await removeImageTag(client, tag)) removed += 1;
  }
  return removed;
}

/** Takes a tag away, and with its last tag the image. The builder's cache stays, so that the next build is quick. */
export async function removeImageTag(client: EngineClient, tag: string): Promise<boolean> {
  return remove(client, `/images/${tag}`);
}

async function remove(client: EngineClient, path: string): Promise<boolean> {
  try {
    await client.json({ method: 'DELETE', path, what: 'remove what was made', limitMs: 30_000 });
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return error.status === 404;
    throw error;
  }
}
