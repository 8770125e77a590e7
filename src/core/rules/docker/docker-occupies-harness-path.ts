import { isAtOrBelow } from '../../model/container-path';
import type { Instruction } from '../../text/dockerfile/dockerfile';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { builds } from './builds';

export const dockerOccupiesHarnessPath: Rule = {
  id: 'docker-occupies-harness-path',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'Harbor puts its own files in these folders: tests are merged with what is there, and a volume hides what lies under /logs.',
  docs: {
    finds: "Files of the agent's image in `/tests`, `/solution` or `/logs/verifier`.",
    silent: 'Empty folders, and the image of a separate verifier, which has to bring its tests.',
    bad: 'COPY cases/ /tests/cases/',
    good: 'COPY cases/ /srv/cases/',
  },
  *check(subject) {
    for (const { image, role } of subject.derive(builds)) {
      if (role !== 'agent') continue;
      const told = new Set<Instruction>();
      for (const file of image.files.values()) {
        const folder = ['/tests', '/solution', '/logs/verifier'].find((one) => isAtOrBelow(file.path, one));
        if (folder === undefined || told.has(file.by) || /^\/logs\/verifier\/reward\.\w+$/u.test(file.path)) continue;
        told.add(file.by);
        yield* claimAt(
          subject,
          { file: image.file, start: file.start, end: file.end },
          {
            message:
              folder === '/logs/verifier'
                ? `${file.path} is hidden by the folder that Harbor mounts at /logs/verifier.`
                : folder === '/tests'
                  ? `${file.path} lies where Harbor uploads the tests, and is there while they run.`
                  : `${file.path} lies where Harbor uploads the solution, in every run.`,
          },
        );
      }
    }
  },
};
