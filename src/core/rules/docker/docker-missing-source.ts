import type { ContextEntry, ImageContext } from '../../model/image/context';
import { matchSource, sourceSegments } from '../../model/image/context';
import { baseName, folderOf } from '../../model/container-path';
import type { Image } from '../../model/image';
import type { Subject } from '../../model/subject';
import type { Word } from '../../text/dockerfile/dockerfile';
import { isPattern } from '../../text/dockerfile/glob';
import { editDistance } from '../../text/edit-distance';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { builds, neededInstructions } from './builds';

export const dockerMissingSource: Rule = {
  id: 'docker-missing-source',
  severity: 'error',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'The builder stops at a source that its context does not have, so the image cannot be built from what is in the repository.',
  docs: {
    finds: 'A source of COPY or ADD that names nothing in the build context, or that the ignore file leaves out.',
    silent:
      '`--from`, URLs, here-documents, sources with a variable that is not known, patterns (the builder takes one that fits nothing), and stages that the image does not need.',
    bad: 'COPY hive_weights.csv /srv/   # the file is hive-weights.csv',
    good: 'COPY hive-weights.csv /srv/',
  },
  *check(subject) {
    for (const { image } of subject.derive(builds)) {
      if (image.context?.isWhole !== true) continue;
      for (const instruction of neededInstructions(image)) {
        if (instruction.keyword !== 'COPY' && instruction.keyword !== 'ADD') continue;
        if (instruction.flags.some(({ name }) => name === 'from' || name === 'parents')) continue;
        for (const word of instruction.words.slice(0, -1)) {
          if (instruction.heredocs.some(({ start }) => start === word.start)) continue;
          yield* problemOf(subject, image, image.context, word);
        }
      }
    }
  },
};

function* problemOf(subject: Subject, image: Image, context: ImageContext, word: Word): Generator<Claim> {
  const { value } = word;
  if (value === null || value === '' || /^(?:[a-z]+:\/\/|git@)/iu.test(value) || isPattern(value)) return;
  const place = { file: image.file, start: word.start, end: word.end };
  const own = sourceSegments(value);
  // The builder takes the context for the root of all paths, so that `..` leads nowhere.
  const segments = own ?? value.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  if (segments.length === 0 || matchSource(context.entries, segments).length > 0) return;
  if (isInClosedFolder(context, segments)) return;
  const dir = context.dir === '' ? 'the task folder' : `${context.dir}/`;
  const path = segments.join('/');
  if (own === null) {
    yield* claimAt(subject, place, {
      message: `${value} leads out of ${dir}, and the builder sees nothing beyond that folder.`,
    });
    return;
  }
  const ignored = context.ignored.find(({ entry }) => entry.path === path || entry.path.startsWith(`${path}/`));
  if (ignored !== undefined && context.ignoreFile !== null) {
    const range = subject.lines(context.ignoreFile)?.range(ignored.rule.start, ignored.rule.end);
    yield* claimAt(subject, place, {
      message: `${value} is kept out of the build by ${ignored.rule.text} in ${context.ignoreFile}.`,
      related: range === undefined ? [] : [{ file: context.ignoreFile, range, message: `${path} is left out here.` }],
    });
    return;
  }
  const near = nearestPath(path, context.entries);
  yield* claimAt(subject, place, {
    message: `${dir} has no ${path}${near === null ? '' : `; there is ${near}`}.`,
    fixes:
      near === null
        ? []
        : fixIn(
            subject,
            image.file,
            `Change to ${near}`,
            [{ start: word.start, end: word.end, newText: written(word, near) }],
            true,
          ),
  });
}

/** What tools make is seen, but not read. */
function isInClosedFolder(context: ImageContext, segments: readonly string[]): boolean {
  return segments.some((part, at) =>
    ['.git', 'node_modules', '__pycache__', '.venv', 'venv', '.pytest_cache', '.mypy_cache'].includes(part)
      ? context.entries.some(({ path }) => path === segments.slice(0, at + 1).join('/'))
      : false,
  );
}

function written({ raw }: Word, path: string): string {
  return raw.startsWith('"') ? JSON.stringify(path) : raw.startsWith('./') ? `./${path}` : path;
}

/** A file of another folder with the same name, or one with almost the same name in the same folder. */
function nearestPath(path: string, entries: readonly ContextEntry[]): string | null {
  if (path.length > 120) return null;
  const name = baseName(path);
  const folder = folderOf(`/${path}`);
  let best: { path: string; distance: number } | null = null;
  for (const entry of entries) {
    if (Math.abs(entry.path.length - path.length) > 20 && baseName(entry.path) !== name) continue;
    const sameFolder = folderOf(`/${entry.path}`) === folder;
    const distance = baseName(entry.path) === name ? 1.5 : sameFolder ? editDistance(baseName(entry.path), name) : 9;
    if (distance <= Math.max(1.5, Math.min(3, name.length / 4)) && (best === null || distance < best.distance))
      best = { path: entry.path, distance };
  }
  return best?.path ?? null;
}
