import type { Dockerfile } from '../text/dockerfile/dockerfile';
import { readDockerfile } from '../text/dockerfile/read-dockerfile';

/** What is known for sure about an image from its Dockerfile; everything else is null. */
export interface KnownImage {
  readonly dockerfile: Dockerfile;
  /** Name of the base image of the final stage, without registry path, tag and digest; null when it is not official. */
  readonly base: string | null;
  /** The user in force at the end; null when it is not known. */
  readonly user: string | null;
}

// Official images whose default user is root.
const rootImages = new Set(
  (
    'alpine almalinux amazoncorretto bash buildpack-deps busybox clojure debian eclipse-temurin erlang fedora gcc golang ' +
    'haskell httpd julia mariadb maven mongo mysql nginx node openjdk perl php postgres python r-base redis rockylinux ' +
    'ruby rust swift ubuntu'
  ).split(' '),
);

export function knownImage(text: string): KnownImage {
  const dockerfile = readDockerfile(text);
  const last = dockerfile.stages.length - 1;
  const base = baseOf(dockerfile, last);
  return { dockerfile, base, user: userOf(dockerfile, last) ?? (base === null ? null : 'root') };
}

/** The official name of an image reference, or null: `python`, `library/python` and `docker.io/library/python` alike. */
export function officialName(reference: string): string | null {
  const plain = reference.replace(/^docker\.io\//u, '').replace(/^library\//u, '');
  const name = /^([a-z0-9-]+)(?::[\w.-]+)?(?:@sha256:[0-9a-f]+)?$/u.exec(plain)?.[1];
  return name !== undefined && rootImages.has(name) ? name : null;
}

function fromOf(dockerfile: Dockerfile, stage: number): string | null {
  const from = dockerfile.instructions.find((one) => one.keyword === 'FROM' && one.stage === stage);
  return /^FROM\s+(?:--\S+\s+)*(\S+)/iu.exec(from?.text ?? '')?.[1] ?? null;
}

function parentStage(dockerfile: Dockerfile, stage: number): number | null {
  const from = fromOf(dockerfile, stage)?.toLowerCase();
  const parent = dockerfile.stages.findIndex((one, index) => index < stage && one.name?.toLowerCase() === from);
  return parent < 0 ? null : parent;
}

function baseOf(dockerfile: Dockerfile, stage: number): string | null {
  const parent = parentStage(dockerfile, stage);
  if (parent !== null) return baseOf(dockerfile, parent);
  const from = fromOf(dockerfile, stage);
  return from === null ? null : officialName(from);
}

function userOf(dockerfile: Dockerfile, stage: number): string | null {
  const own = dockerfile.instructions.filter((one) => one.keyword === 'USER' && one.stage === stage).at(-1);
  if (own) {
    const name = /^USER\s+["']?([^\s:"']+)/iu.exec(own.text)?.[1] ?? '';
    return name === '' || name.includes('$') ? '(unknown)' : name;
  }
  const parent = parentStage(dockerfile, stage);
  return parent === null ? null : userOf(dockerfile, parent);
}

export function isRootUser(user: string | number): boolean {
  return user === 'root' || user === 0 || user === '0';
}
