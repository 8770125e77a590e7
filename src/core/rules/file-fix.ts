import type { Fix } from '../finding';
import type { Subject } from '../model/subject';

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
