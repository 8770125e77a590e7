import { baseImage } from '../../model/base-image';
import { looseness, pinnedTag } from '../docker/docker-unpinned-base';
import type { Rule } from '../rule';
import { servicesOf } from './files';

export const composeUnpinnedImage: Rule = {
  id: 'compose-unpinned-image',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['compose', 'toml', 'tree'],
  needsDisk: true,
  why: 'A service that changes by itself changes what the task asks for, and nobody sees when.',
  docs: {
    finds: 'An image of a service without a tag, or with one that moves, such as `latest`.',
    silent: 'Services that are built, digests, and images that depend on a variable.',
    bad: 'image: postgres',
    good: 'image: postgres:16.4',
  },
  *check(subject) {
    for (const { used, service } of servicesOf(subject)) {
      const { image, build, name } = service;
      if (image?.constant !== true || build !== null) continue;
      // Harbor builds main from the Dockerfile, and gives the result this name.
      if (name === 'main' && used.role === 'agent' && subject.layout?.dockerfile !== null) continue;
      const base = baseImage(image.text);
      const message = looseness(base, subject.profile);
      if (base === null || message === null) continue;
      const pinned = base.official === null ? null : pinnedTag(base.official);
      const { file } = used;
      yield {
        file,
        range: image.range,
        message,
        fixes:
          pinned === null
            ? []
            : [{ title: `Pin to ${pinned}`, edits: [{ file, range: image.range, newText: pinned }] }],
      };
    }
  },
};
