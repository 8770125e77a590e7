import { formatOwner, parseOwner, type Owner } from './owner';

export const RUN_LABEL = 'taskwright.run';
export const OWNER_LABEL = 'taskwright.owner';
const KIND_LABEL = 'taskwright.kind';

/** Repository of every image tag made here, followed by its owner. */
export const IMAGE_PREFIX = 'taskwright-run/';

/** One run of the program against one engine. */
export interface Run {
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly owner: Owner;
}

export type Kind = 'sandbox' | 'network' | 'volume';

export function labelsOf(run: Run, kind: Kind): Record<string, string> {
  return { [RUN_LABEL]: run.id, [OWNER_LABEL]: formatOwner(run.owner), [KIND_LABEL]: kind };
}

/**
 * Name of an image made here. The owner is in the name and not in a label: a label is part of an image's content, so
 * that the image's id, which receipts record, would differ from run to run. No two builds share a name, so that removing
 * one leaves the other.
 */
export function imageTag(run: Run, contentHash: string, count: number): string {
  return `${IMAGE_PREFIX}${formatOwner(run.owner)}:${contentHash.slice(0, 16)}-${run.id}-${count}`;
}

export function ownerOfTag(tag: string): { owner: Owner; run: string } | null {
  const match = /^taskwright-run\/([^:/]+):[0-9a-f]+-([0-9a-f]+)-\d+$/.exec(tag);
  const owner = match ? parseOwner(match[1] ?? '') : null;
  return owner ? { owner, run: match?.[2] ?? '' } : null;
}
