import { baseName, folderOf } from '../../model/container-path';
import type { Subject } from '../../model/subject';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { builds, instructionTexts } from './builds';
import { credentialsIn, privateKeyIn } from './credentials';

const speaksOfSecrets =
  /\b(?:secrets?|credentials?|api[ _-]?keys?|tokens?|leaks?|leaked|sanitiz\w*|redact\w*|private keys?)\b/i;

export const dockerSecret: Rule = {
  id: 'docker-secret',
  severity: 'error',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction', 'texts', 'py:tests', 'shell:test'],
  needsDisk: true,
  why: 'Images and repositories of tasks are published, and a credential in them is everybody’s from then on.',
  docs: {
    finds:
      "A token in the shape that a service hands out, in a Dockerfile or in a file of the agent's image. A private key is a warning. Where the instruction speaks of keys or secrets, either is information: it may be part of the puzzle.",
    silent:
      'Public keys, tokens that say example or look made up, and keys that the tests or the instruction name: they belong to the task.',
    bad: 'ENV REGISTRY_TOKEN=ghp_…',
    good: 'RUN --mount=type=secret,id=registry ./fetch.sh',
  },
  *check(subject) {
    const told = instructionTexts(subject);
    let puzzle: boolean | null = null;
    const isPuzzle = (): boolean => (puzzle ??= speaksOfSecrets.test(told));
    const seen = new Set<string>();
    for (const { image, role } of subject.derive(builds)) {
      for (const { start, end, what } of credentialsIn(image.dockerfile.text)) {
        yield* claimAt(
          subject,
          { file: image.file, start, end },
          {
            severity: isPuzzle() ? 'information' : 'error',
            message: `This is ${what}, in a Dockerfile that goes wherever the task goes.`,
          },
        );
      }
      if (role !== 'agent') continue;
      for (const { path, origin } of image.files.values()) {
        if (origin.kind !== 'context' || seen.has(origin.file)) continue;
        seen.add(origin.file);
        const text = subject.text(origin.file);
        if (text === null || isOfTask(subject, path, told)) continue;
        const [token] = credentialsIn(text);
        if (token !== undefined) {
          yield* claimAt(
            subject,
            { file: origin.file, start: token.start, end: token.end },
            {
              severity: isPuzzle() ? 'information' : 'error',
              message: `${path} in the image holds ${token.what}.`,
            },
          );
          continue;
        }
        const key = privateKeyIn(text);
        if (key === null) continue;
        yield* claimAt(
          subject,
          { file: origin.file, start: key.start, end: key.end },
          {
            severity: isPuzzle() ? 'information' : 'warning',
            message: `${path} in the image holds ${key.what}; is it one that was made for this task?`,
          },
        );
      }
    }
  },
};

/** The instruction or the tests name the file or a folder of fixtures around it. */
function isOfTask(subject: Subject, path: string, told: string): boolean {
  const name = baseName(path);
  if (told.includes(name) || /(?:^|\/)(?:fixtures?|testdata|test-?data|examples?|samples?)\//iu.test(path)) return true;
  const folder = baseName(folderOf(path));
  for (const { path: file, text } of subject.disk?.texts.values() ?? [])
    if (
      /^(?:tests|steps)\//u.test(file) &&
      text !== null &&
      (text.includes(name) || (folder.length > 3 && text.includes(`${folder}/`)))
    )
      return true;
  return false;
}
