import { isAtOrBelow } from '../../model/container-path';
import type { Image, ImageFile } from '../../model/image';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { builds, deleteInstruction } from './builds';

export const dockerRewardPrecreated: Rule = {
  id: 'docker-reward-precreated',
  severity: 'error',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'A task that begins with a grade gives it to whoever does nothing, as soon as the verifier fails to write its own.',
  docs: {
    finds: 'A file `reward.*` in `/logs/verifier/` of an image.',
    silent: '`mkdir -p /logs/verifier` alone, and files of other names.',
    bad: 'RUN mkdir -p /logs/verifier && echo 0 > /logs/verifier/reward.txt',
    good: 'RUN mkdir -p /logs/verifier',
  },
  *check(subject) {
    for (const { image, role } of subject.derive(builds)) {
      if (role === 'service') continue;
      for (const file of image.files.values()) {
        if (!/^\/logs\/verifier\/reward\.\w+$/u.test(file.path)) continue;
        yield* claimAt(
          subject,
          { file: image.file, start: file.start, end: file.end },
          {
            message: `The image comes with ${file.path}, a grade before anything was done.`,
            fixes: isAlone(image, file) ? deleteInstruction(subject, image, file.by) : [],
          },
        );
      }
    }
  },
};

/** Does its instruction make nothing else? */
function isAlone(image: Image, file: ImageFile): boolean {
  const { by } = file;
  if (by.keyword !== 'COPY' && by.keyword !== 'ADD') return false;
  return [...image.files.values()].every((other) => other.by !== by || isAtOrBelow(other.path, file.path));
}
