import { baseName, folderOf } from './container-path';

/**
 * How a text speaks of a path: by the whole of it, by its name, by a word like it (`results` for `results.json`), by a
 * pattern of its folder that it fits, or by its folder alone.
 */
export type PathMentioned = 'path' | 'name' | 'stem' | 'pattern' | 'folder' | null;

export function mentionOf(text: string, path: string): PathMentioned {
  if (hasWord(text, path)) return 'path';
  const name = baseName(path);
  if (hasWord(text, name)) return 'name';
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  if (stem.length >= 4 && likeWord(stem).test(text)) return 'stem';
  // `part-3.log` where the text says `part-N.log` or `part-*.log`.
  const shape = /^([A-Za-z][\w-]*?[-_.]?)\d+(.*)$/u.exec(name);
  if (shape?.[1] !== undefined && shape[1].length >= 2 && text.includes(shape[1])) return 'pattern';
  const folder = folderOf(path);
  if (folder.split('/').length > 2 && text.includes(folder)) {
    const after = text.slice(text.indexOf(folder) + folder.length);
    return /^\/[^\s`'"]*[*<{[]/u.test(after) ? 'pattern' : 'folder';
  }
  return null;
}

/** Does a text hand out a path, by its name or by its folder? A word that is only like its name is not enough. */
export function isNamed(text: string, path: string): boolean {
  const mention = mentionOf(text, path);
  return mention !== null && mention !== 'stem';
}

/** Does a text hold a word that is not part of a longer one? */
export function hasWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1], word[0]) && !isPartAfter(text, at + word.length)) return true;
  }
  return false;
}

function isPart(before: string | undefined, first: string | undefined): boolean {
  if (before === undefined) return false;
  if (first === '/') return /[\w.-]/u.test(before);
  return /[\w-]/u.test(before);
}

/** A full stop ends a sentence unless a word follows it. */
function isPartAfter(text: string, at: number): boolean {
  const next = text[at];
  if (next === undefined) return false;
  if (next === '.') return /\w/u.test(text[at + 1] ?? '');
  return /[\w-]/u.test(next);
}

/** `late_report` as `late report`, `Late-Report` and so on. */
function likeWord(stem: string): RegExp {
  const parts = stem.split(/[-_]+/u).flatMap((part) => part.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&') || []);
  return new RegExp(`(?<![A-Za-z0-9-])${parts.join('[-_ ]{1,3}')}(?![A-Za-z0-9-])`, 'iu');
}
