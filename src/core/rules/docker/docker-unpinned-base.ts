import type { BaseImage } from '../../model/base-image';
import { baseImage } from '../../model/base-image';
import type { Profile } from '../profile';
import { valueAt } from '../../text/toml-tree';
import { sourceOf } from '../config/toml-places';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { fixIn } from '../file-fix';
import { builds } from './builds';

export const dockerUnpinnedBase: Rule = {
  id: 'docker-unpinned-base',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  why: 'What a tag such as latest means changes with time, so the task that is graded next month is another one.',
  docs: {
    finds:
      'An image without a tag, or with a tag that moves by design (`latest`, `stable`, `edge`, `nightly`, `rolling`), in a stage that the image needs or as `docker_image`. A profile may ask for a digest.',
    silent: '`scratch`, names of stages, digests, and an `ARG` whose value is pinned or not known.',
    bad: 'FROM debian',
    good: 'FROM debian:12.8-slim',
  },
  *check(subject) {
    const source = sourceOf(subject.toml);
    const named = source === null ? undefined : valueAt(source.root, ['environment', 'docker_image']);
    if (named?.kind === 'string') {
      const message = looseness(baseImage(named.value), subject.profile);
      if (message !== null) yield { path: ['environment', 'docker_image'], range: named.range, message };
    }
    for (const { image } of subject.derive(builds)) {
      for (const { index, reference, parent } of image.dockerfile.stages) {
        if (!image.needed.has(index) || parent !== null || reference === null) continue;
        const base = reference.value === null ? null : baseImage(reference.value);
        const message = looseness(base, subject.profile);
        if (base === null || message === null) continue;
        const pinned = base.official === null ? null : pinnedTag(base.official);
        const { start, end } = reference;
        yield* claimAt(
          subject,
          { file: image.file, start, end },
          {
            message,
            fixes:
              pinned === null || base.digest !== null || reference.raw !== reference.value
                ? []
                : fixIn(subject, image.file, `Pin to ${pinned}`, [{ start, end, newText: pinned }]),
          },
        );
      }
    }
  },
};

/** Why an image may be another one tomorrow; null when it is pinned well enough. */
export function looseness(base: BaseImage | null, profile: Profile): string | null {
  if (base === null || base.reference === 'scratch' || base.digest !== null) return null;
  if (base.tag === null) return `${base.reference} has no tag, so the newest image is taken at each build.`;
  if (/^(?:latest|stable|edge|nightly|rolling)$/u.test(base.tag))
    return `The tag ${base.tag} of ${base.reference} moves to each new version.`;
  return profile.digestPinned ? `${base.reference} is not pinned by a digest.` : null;
}

/** Tags that name one release, for images that tasks often build on. */
const tags: Readonly<Record<string, string>> = {
  alpine: '3.21.3',
  debian: '12.8-slim',
  ubuntu: '24.04',
  python: '3.12.8-slim',
  node: '22.12.0-slim',
  golang: '1.23.4',
  rust: '1.83.0-slim',
  ruby: '3.3.6-slim',
  gcc: '14.2.0',
  postgres: '16.6',
  redis: '7.4.1',
  mysql: '8.4.3',
  mariadb: '11.4.4',
  mongo: '7.0.16',
  nginx: '1.26.2',
  php: '8.3.15-cli',
  'eclipse-temurin': '21.0.5_11-jdk',
};

/** A pinned reference for an official image; null without one at hand. */
export function pinnedTag(official: string): string | null {
  const tag = Object.hasOwn(tags, official) ? tags[official] : undefined;
  return tag === undefined ? null : `${official}:${tag}`;
}
