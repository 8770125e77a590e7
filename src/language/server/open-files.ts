import type { FileKind } from '../../core/files';
import type { TaskReading } from '../../core/rules/check';
import type { Snapshot, TextFile } from '../../core/task/snapshot';
import type { Range } from '../../core/text/position';

const byteOrderMark = '\uFEFF';

/**
 * The task as the editor shows it: open texts lie over the files on disk. An editor hides a byte-order mark, and Harbor
 * refuses it, so the one on disk stays.
 */
export function overlaid({ disk, config }: TaskReading, open: ReadonlyMap<string, string>): TaskReading {
  if (open.size === 0) return { disk, config };
  const texts = new Map<string, TextFile>(disk.texts);
  const entries = new Map<string, FileKind>(disk.entries);
  for (const [path, text] of open) {
    const mark = hasHiddenMark(disk, path) && !text.startsWith(byteOrderMark) ? byteOrderMark : '';
    texts.set(path, { path, text: mark + text, trouble: null });
    for (const folder of parents(path)) if (!entries.has(folder)) entries.set(folder, 'directory');
    entries.set(path, 'file');
  }
  return {
    disk: { ...disk, texts, entries },
    config: open.has('task.toml') ? (texts.get('task.toml') ?? null) : config,
  };
}

/** Whether a file begins with a byte-order mark that an editor does not show. */
export function hasHiddenMark(disk: Snapshot, path: string): boolean {
  return disk.texts.get(path)?.text?.startsWith(byteOrderMark) === true;
}

/** A range of the text with a byte-order mark, in the text without. */
export function withoutMark({ start, end }: Range): Range {
  const moved = (at: Range['start']): Range['start'] =>
    at.line === 0 ? { line: 0, character: Math.max(0, at.character - 1) } : at;
  const range = { start: moved(start), end: moved(end) };
  // What is said of the mark itself needs a place to stand.
  const isMark = start.line === 0 && start.character === 0 && end.line === 0 && end.character === 1;
  return isMark ? { start: range.start, end: { line: 0, character: 1 } } : range;
}

function* parents(path: string): Generator<string> {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) yield path.slice(0, at);
}
