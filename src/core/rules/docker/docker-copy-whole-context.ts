import { baseName } from '../../model/container-path';
import type { Image } from '../../model/image';
import { matchSource, sourceSegments } from '../../model/image/context';
import { flagOf } from '../../text/dockerfile/dockerfile';
import { claimAt, listed } from '../places';
import type { Rule } from '../rule';
import { builds, instructionTexts, ownInstructions } from './builds';

export const dockerCopyWholeContext: Rule = {
  id: 'docker-copy-whole-context',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction'],
  needsDisk: true,
  why: 'Whatever lies in the build context reaches the agent, also what was put there for the author alone.',
  docs: {
    finds:
      'A COPY of the whole context that brings compose files, caches, a repository, editor or secret files, or notes into the image. With nothing but the Dockerfile and the ignore file to spare it is information.',
    silent:
      'An ignore file that keeps these out, builder stages, files that are removed again, and files the instruction names.',
    bad: 'COPY . /srv',
    good: 'COPY data/ app/ /srv/',
  },
  *check(subject) {
    const told = instructionTexts(subject);
    for (const { image, role } of subject.derive(builds)) {
      if (role !== 'agent' || image.context === null) continue;
      const { context } = image;
      for (const instruction of ownInstructions(image)) {
        if ((instruction.keyword !== 'COPY' && instruction.keyword !== 'ADD') || flagOf(instruction, 'from') !== null)
          continue;
        for (const word of instruction.words.slice(0, -1)) {
          if (word.value === null || !isWhole(word.value)) continue;
          const kept = filesOf(image, word.start);
          const surplus = matchSource(context.entries, sourceSegments(word.value) ?? [])
            .filter(({ entry }) =>
              entry.isFolder ? isSurplusFolder(entry.path) : kept.has(entry.file) && isSurplus(entry.path),
            )
            .map(({ entry }) => entry.path)
            .filter((path) => !told.includes(baseName(path)));
          if (surplus.length === 0) continue;
          const serious = surplus.filter((path) => !isBuildFile(path));
          const shown = serious.length > 0 ? serious : surplus;
          yield* claimAt(
            subject,
            { file: image.file, start: word.start, end: word.end },
            {
              severity: serious.length > 0 ? 'warning' : 'information',
              message: `This copies ${listed(shown)} into the image too, where the agent can read ${shown.length === 1 ? 'it' : 'them'}.`,
            },
          );
        }
      }
    }
  },
};

function isWhole(source: string): boolean {
  return /^(?:\.?\/*|\.\/\.|\*|\.\/\*)$/u.test(source);
}

/** Files of the task that a source has put into the image and that are still there. */
function filesOf(image: Image, start: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { origin, start: from } of image.files.values())
    if (origin.kind === 'context' && from === start) found.add(origin.file);
  return found;
}

function isBuildFile(path: string): boolean {
  return /^(?:Dockerfile|[\w.-]*\.?[dD]ockerfile|Dockerfile\.\w+|.*\.dockerignore)$/u.test(path);
}

function isSurplus(path: string): boolean {
  const name = baseName(path);
  if (isBuildFile(path)) return true;
  if (/^(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/u.test(name) || /^(?:\.DS_Store|Thumbs\.db|\.env)$/u.test(name))
    return true;
  // A project has a README of its own; the author's notes lie at the top.
  return path === name && /^(?:NOTES|TODO|NOTE|SOLUTION|ANSWER|HINTS?)(?:\.\w+)?$/i.test(name);
}

function isSurplusFolder(path: string): boolean {
  return ['.git', '__pycache__', '.pytest_cache', '.mypy_cache', '.venv', '.idea', '.vscode'].includes(baseName(path));
}
