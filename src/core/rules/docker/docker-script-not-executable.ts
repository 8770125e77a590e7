import { absolutePath } from '../../model/container-path';
import type { Image, ImageFile } from '../../model/image';
import type { Subject } from '../../model/subject';
import type { Instruction } from '../../text/dockerfile/dockerfile';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { buildCommands, builds } from './builds';

export const dockerScriptNotExecutable: Rule = {
  id: 'docker-script-not-executable',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'A copied file keeps its mode, and one without the execute bit cannot be started: the build or the container ends with code 126.',
  docs: {
    finds:
      'A RUN, or an ENTRYPOINT, that starts a copied script which has no execute bit on disk and gets none in the Dockerfile.',
    silent: '`bash /x.sh`, `--chmod`, a `chmod` of the file, and files whose mode is not known.',
    bad: 'COPY prepare.sh /opt/\nRUN /opt/prepare.sh',
    good: 'COPY --chmod=755 prepare.sh /opt/\nRUN /opt/prepare.sh',
  },
  *check(subject) {
    for (const { image, instruction, command, folder } of subject.derive(buildCommands)) {
      const word = command.programWord;
      if (word?.value?.includes('/') !== true) continue;
      const place = { file: image.file, start: word.start, end: word.end };
      yield* claimFor(subject, image, absolutePath(word.value, folder), place, instruction, {
        start: word.start,
        newText: 'bash ',
      });
    }
    for (const { image, role } of subject.derive(builds)) {
      const { entrypoint } = image;
      const [word] = entrypoint?.form === 'json' ? entrypoint.words : [];
      if (role === 'service' || entrypoint === null || word?.value?.includes('/') !== true) continue;
      const place = { file: image.file, start: word.start, end: word.end };
      yield* claimFor(subject, image, absolutePath(word.value, image.workdir), place, entrypoint, {
        start: word.start,
        newText: '"bash", ',
      });
    }
  },
};

function* claimFor(
  subject: Subject,
  image: Image,
  path: string | null,
  place: { readonly file: string; readonly start: number; readonly end: number },
  at: Instruction,
  prefix: { readonly start: number; readonly newText: string },
): Generator<Claim> {
  const file = path === null ? undefined : (image.files.get(path) ?? image.removed.find((one) => one.path === path));
  if (file?.origin.kind !== 'context' || !lacksExecuteBit(subject, file)) return;
  if (file.by.start > at.start) return;
  const text = subject.text(file.origin.file) ?? '';
  const usesBash = /^#!.*\b(?:ba)?sh\b/u.test(text);
  yield* claimAt(subject, place, {
    message: `${file.origin.file} has no execute bit, so ${file.path} cannot be started like this.`,
    fixes: [
      ...(usesBash
        ? fixIn(subject, image.file, 'Call it with bash', [
            { start: prefix.start, end: prefix.start, newText: prefix.newText },
          ])
        : []),
      ...(file.by.keyword === 'COPY'
        ? fixIn(subject, image.file, 'Copy it with --chmod=755', [
            { start: file.by.keywordEnd, end: file.by.keywordEnd, newText: ' --chmod=755' },
          ])
        : []),
    ],
  });
}

function lacksExecuteBit(subject: Subject, { origin, mode }: ImageFile): boolean {
  if (origin.kind !== 'context' || mode !== null) return false;
  const facts = subject.disk?.facts.get(origin.file);
  // A system without such bits shows none for any file.
  return facts?.link === null && facts.mode !== 0 && (facts.mode & 0o111) === 0;
}
