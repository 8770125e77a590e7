import { matchSegment } from '../../text/dockerfile/glob';
import { ignoredBy, type IgnoreRule } from '../../text/dockerfile/ignore-file';

/** A file or folder of a build context. */
export interface ContextEntry {
  /** Relative to the context, with `/`. */
  readonly path: string;
  /** Relative to the task folder. */
  readonly file: string;
  readonly isFolder: boolean;
}

/** What a build may copy from. */
export interface ImageContext {
  /** Relative to the task folder; empty for the task folder itself. */
  readonly dir: string;
  /** What the ignore file lets through. */
  readonly entries: readonly ContextEntry[];
  /** What it leaves out, with the pattern that does. */
  readonly ignored: readonly { readonly entry: ContextEntry; readonly rule: IgnoreRule }[];
  /** The ignore file in force, relative to the task folder; null without. */
  readonly ignoreFile: string | null;
  /** False when not every name of the folder is known. */
  readonly isWhole: boolean;
}

const maxComparisons = 1_500_000;

export function contextOf(
  dir: string,
  all: readonly ContextEntry[],
  ignore: { readonly file: string; readonly rules: readonly IgnoreRule[] } | null,
  isWhole: boolean,
): ImageContext {
  // Patterns times files: beyond that, what is sent is not known.
  if (ignore !== null && ignore.rules.length * all.length > maxComparisons)
    return { dir, entries: [], ignored: [], ignoreFile: ignore.file, isWhole: false };
  const entries: ContextEntry[] = [];
  const ignored: { entry: ContextEntry; rule: IgnoreRule }[] = [];
  for (const entry of all) {
    const rule = ignore === null ? null : ignoredBy(ignore.rules, entry.path);
    if (rule === null) entries.push(entry);
    else ignored.push({ entry, rule });
  }
  return { dir, entries, ignored, ignoreFile: ignore?.file ?? null, isWhole };
}

export interface ContextMatch {
  readonly entry: ContextEntry;
  /** The entry that the source names: the file itself, or a folder it lies in; empty for the whole context. */
  readonly root: string;
  /** Path below it; empty for the named file itself. */
  readonly inner: string;
}

/** The segments of a source of COPY; null when it leads out of the context. */
export function sourceSegments(source: string): readonly string[] | null {
  const segments: string[] = [];
  for (const segment of source.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments;
}

/** What a source of COPY names among entries; patterns as in Go's filepath.Match. */
export function matchSource(entries: readonly ContextEntry[], source: readonly string[]): ContextMatch[] {
  const found: ContextMatch[] = [];
  for (const entry of entries) {
    const parts = entry.path.split('/');
    if (parts.length < source.length || !source.every((part, at) => matchSegment(part, parts[at] ?? ''))) continue;
    found.push({
      entry,
      root: parts.slice(0, source.length).join('/'),
      inner: parts.slice(source.length).join('/'),
    });
  }
  return found;
}
