import type { Fix } from '../finding';
import type { Subject } from '../model/subject';
import type { Place } from './places';

/** A replacement by UTF-16 offsets. */
export interface FileEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** A fix by offsets of one file; none where the file has no text. */
export function fixIn(
  subject: Subject,
  file: string,
  title: string,
  edits: readonly FileEdit[],
  preferred = false,
): readonly Fix[] {
  const lines = subject.lines(file);
  if (lines === null) return [];
  return [
    {
      title,
      edits: edits.map(({ start, end, newText }) => ({ file, range: lines.range(start, end), newText })),
      ...(preferred && { preferred }),
    },
  ];
}

/** Writes another path where a place names one; none where the path is not written out there. */
export function usePath(subject: Subject, { file, start, end }: Place, path: string, better: string): readonly Fix[] {
  const at = subject.text(file)?.slice(start, end).indexOf(path) ?? -1;
  if (at < 0) return [];
  const edit = { start: start + at, end: start + at + path.length, newText: better };
  return fixIn(subject, file, `Use ${better}`, [edit], true);
}
