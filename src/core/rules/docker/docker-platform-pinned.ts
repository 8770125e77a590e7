import { flagOf } from '../../text/dockerfile/dockerfile';
import { servicesOf } from '../compose/files';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { fixIn } from '../file-fix';
import { builds, instructionTexts } from './builds';

export const dockerPlatformPinned: Rule = {
  id: 'docker-platform-pinned',
  severity: 'information',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction'],
  needsDisk: true,
  why: 'On a machine of another kind the whole task runs emulated: slowly, near its time limits, and now and then with other results.',
  docs: {
    finds: 'A fixed architecture in `--platform` of FROM, or as `platform` of a service.',
    silent: '`$BUILDPLATFORM` and `$TARGETPLATFORM`, and tasks whose instruction speaks of that architecture.',
    bad: 'FROM --platform=linux/amd64 alpine:3.20',
    good: 'FROM alpine:3.20',
  },
  *check(subject) {
    const told = instructionTexts(subject);
    for (const { used, service } of servicesOf(subject)) {
      const { platform } = service;
      if (platform?.constant !== true || isSubject(platform.text, told)) continue;
      yield {
        file: used.file,
        range: platform.range,
        message: `${service.name} runs as ${platform.text} on every machine.`,
      };
    }
    for (const { image } of subject.derive(builds)) {
      for (const { index, from } of image.dockerfile.stages) {
        const platform = flagOf(from, 'platform');
        const flag = from.flags.findLast(({ name }) => name === 'platform');
        if (!image.needed.has(index) || flag === undefined || platform?.value === undefined || platform.value === null)
          continue;
        if (platform.raw.includes('$') || isSubject(platform.value, told)) continue;
        const after = /^[ \t]*/u.exec(image.dockerfile.text.slice(flag.end))?.[0].length ?? 0;
        yield* claimAt(
          subject,
          { file: image.file, start: flag.start, end: flag.end },
          {
            message: `The image is built for ${platform.value} on every machine.`,
            fixes: fixIn(subject, image.file, 'Remove --platform', [
              { start: flag.start, end: flag.end + after, newText: '' },
            ]),
          },
        );
      }
    }
  },
};

/** Does the instruction speak of the architecture? */
export function isSubject(platform: string, told: string): boolean {
  const arm = /arm|aarch/iu.test(platform);
  return (
    arm
      ? /\b(?:arm\w*|aarch64|apple silicon)\b/i
      : /\b(?:x86|x86[-_]64|amd64|x64|i[3-6]86|intel|assembly|elf|binary|disassembl\w*)\b/i
  ).test(told);
}
