import { linesOf } from '../../core/text/lines';
import type { Position, Range } from '../../core/text/position';
import type { Surroundings } from '../surroundings';
import { cursorAt } from '../toml/cursor';
import { sectionsOf } from '../toml/places';
import type { Span } from '../toml/scan';
import { scanToml } from '../toml/scan';
import { headerItems } from './header-items';
import { keyItems } from './key-items';
import { valueItems } from './value-items';

export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'table' | 'value' | 'variable' | 'file' | 'folder';
  /** Type and default, in a few words. */
  readonly detail: string | null;
  /** Markdown. */
  readonly doc: string | null;
  /** What is replaced; on one line, and the cursor is in it. */
  readonly range: Range;
  /** With holes to fill where `isSnippet` is set, in the editor's own syntax. */
  readonly newText: string;
  readonly isSnippet: boolean;
  /** What the typed text is compared with. */
  readonly filter: string;
}

/** A completion before its place is known. */
export interface Item extends Omit<Completion, 'range' | 'isSnippet' | 'filter' | 'detail' | 'doc'> {
  readonly detail?: string | null;
  readonly doc?: string | null;
  readonly replace: Span;
  readonly isSnippet?: boolean;
  /** The label when absent. */
  readonly filter?: string;
}

/**
 * What can stand at a place of task.toml, the likeliest first: keys that are missing, then tables; values of a key. Works
 * on half-typed texts.
 */
export function completeTask(text: string, position: Position, around: Surroundings): readonly Completion[] {
  const lines = linesOf(text);
  const offset = lines.offset(position);
  const scan = scanToml(text);
  const sections = sectionsOf(scan);
  const cursor = cursorAt(scan, sections, offset);
  const items = ((): readonly Item[] => {
    switch (cursor.kind) {
      case 'nothing':
        return [];
      case 'header':
        return headerItems(sections, cursor.section, cursor.header);
      case 'key': {
        const keys = keyItems(cursor, offset, around);
        const { section, entry, segment, isInline, isDotted } = cursor;
        // A header takes what follows it away from the table before: it is offered where nothing does.
        const isLast = section.entries.every((one) => one === entry || one.start < offset);
        if (isInline || isDotted || !isLast || (entry !== null && entry.equals !== null)) return keys;
        return [...keys, ...headerItems(sections, section, segment ?? { start: offset, end: offset })];
      }
      case 'value':
        return valueItems(cursor, offset, scan, around);
    }
  })();
  return items.map(({ replace, isSnippet = false, filter, detail = null, doc = null, ...item }) => ({
    ...item,
    detail,
    doc,
    isSnippet,
    filter: filter ?? item.label,
    range: lines.range(replace.start, replace.end),
  }));
}
