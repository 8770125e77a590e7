import { fileItself } from './files';
import { gitIgnores } from './git-ignore';
import type { Rule } from '../rule';

/** Bytes of a text that an editor and a reviewer still open with ease. */
const largeText = 1 << 20;

const texts = /\.(?:txt|md|csv|tsv|json|jsonl|ya?ml|xml|html?|sql|log|py|js|ts|c|h|cpp|rs|go|java|sh)$/iu;

export const hygieneLargeFile: Rule = {
  id: 'hygiene-large-file',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['tree', 'texts'],
  needsDisk: true,
  why: 'Large files make a task slow to clone, to build and to review; what can be generated need not be carried.',
  docs: {
    finds:
      'A file of more than 5 MB, or a task of more than 50 MB in all (or the limits of the profile). A text of more than 1 MB is information. A pointer of Git LFS is information too: the pointer is what ships where LFS was not fetched.',
    silent: 'What a `.gitignore` of the task leaves out.',
    bad: 'environment/data.csv with 80 MB',
    good: 'RUN python /opt/generate.py > /srv/data.csv',
  },
  *check(subject) {
    const { disk, profile } = subject;
    if (disk === null) return;
    const ignored = gitIgnores(subject);
    let total = 0;
    let largest: { path: string; size: number } | null = null;
    let told = false;
    for (const [path, { size, link }] of disk.facts) {
      if (link !== null || ignored(path) || /(?:^|\/)\.git\//u.test(path)) continue;
      total += size;
      if (largest === null || size > largest.size) largest = { path, size };
      if (size > profile.largeFileBytes) {
        told = true;
        yield { file: path, range: fileItself, message: `${path} has ${shown(size)}.` };
      } else if (size > largeText && texts.test(path)) {
        yield {
          file: path,
          range: fileItself,
          severity: 'information',
          message: `${path} is a text of ${shown(size)}.`,
        };
      } else if (size < 400 && subject.text(path)?.startsWith('version https://git-lfs.github.com/spec/') === true) {
        yield {
          file: path,
          range: fileItself,
          severity: 'information',
          message: `${path} is a pointer of Git LFS; it ships as it is where LFS does not fetch the file.`,
        };
      }
    }
    if (!told && largest !== null && total > profile.largeTaskBytes)
      yield {
        file: largest.path,
        range: fileItself,
        message: `The files of the task have ${shown(total)} together, ${largest.path} the most with ${shown(largest.size)}.`,
      };
  },
};

function shown(bytes: number): string {
  return bytes >= 10_000_000 ? `${Math.round(bytes / 1_000_000)} MB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
