import type { Rule } from '../rule';
import { fileItself, nameOf } from './files';

export const hygieneCaseCollision: Rule = {
  id: 'hygiene-case-collision',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['tree'],
  needsDisk: true,
  why: 'On macOS and Windows the two are one file, so a clone has only one of them.',
  docs: {
    finds:
      'Two names in one folder that are equal but for upper and lower case, or for the form of an accented letter.',
    silent: 'Equal names in different folders.',
    bad: 'Data.csv and data.csv',
    good: 'data.csv',
  },
  *check({ disk }) {
    if (disk === null) return;
    const known = new Map<string, string>();
    for (const path of disk.entries.keys()) {
      const key = path.normalize('NFC').toLowerCase();
      const other = known.get(key);
      // A folder that collides is told once, not with each of its files.
      if (other === undefined) known.set(key, path);
      else if (
        nameOf(other) !== nameOf(path) &&
        other.length - nameOf(other).length === path.length - nameOf(path).length
      )
        yield {
          file: path,
          range: fileItself,
          message: `${path} differs from ${other} only in ${difference(path, other)}.`,
        };
    }
  },
};

function difference(a: string, b: string): string {
  return a.normalize('NFC') === b.normalize('NFC') ? 'the form of a letter' : 'upper and lower case';
}
