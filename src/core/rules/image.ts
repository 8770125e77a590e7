import { officialName } from '../model/base-image';
import type { Dockerfile, Stage } from '../text/dockerfile/dockerfile';
import { readDockerfile } from '../text/dockerfile/read-dockerfile';

/** What is known for sure about an image from its Dockerfile alone, without parsers; everything else is null. */
export interface KnownImage {
  readonly dockerfile: Dockerfile;
  /** Name of the base image of the final stage, without registry path, tag and digest; null when it is not official. */
  readonly base: string | null;
  /** The user in force at the end; null when it is not known. */
  readonly user: string | null;
}

export function knownImage(text: string): KnownImage {
  const dockerfile = readDockerfile(text);
  const lineage = lineageOf(dockerfile);
  const reference = lineage.at(-1)?.reference?.value ?? null;
  const base = reference === null ? null : officialName(reference);
  return { dockerfile, base, user: userOf(lineage) ?? (base === null ? null : 'root') };
}

/** The final stage and those it builds on, downwards. */
function lineageOf(dockerfile: Dockerfile): readonly Stage[] {
  const lineage: Stage[] = [];
  for (let stage = dockerfile.stages.at(-1); stage !== undefined;) {
    lineage.push(stage);
    stage = stage.parent === null ? undefined : dockerfile.stages[stage.parent];
  }
  return lineage;
}

function userOf(lineage: readonly Stage[]): string | null {
  for (const { instructions } of lineage) {
    const own = instructions.findLast(({ keyword }) => keyword === 'USER');
    if (own === undefined) continue;
    const name = own.words[0]?.value?.split(':')[0] ?? '';
    return name === '' ? '(unknown)' : name;
  }
  return null;
}

export function isRootUser(user: string | number): boolean {
  return user === 'root' || user === 0 || user === '0';
}
