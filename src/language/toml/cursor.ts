import type { Shape } from '../../core/task/keys/key';
import type { TomlPath } from '../../core/text/toml-tree';
import type { Kind, Section } from './places';
import { entryPlace, kindOfShape, sectionAt, shapeOf } from './places';
import type { EntryStatement, HeaderStatement, Scan, ScannedValue, Segment, Span } from './scan';

/** What stands at an offset of task.toml, also in a half-typed document. */
export type Cursor =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'header'; readonly section: Section; readonly header: HeaderStatement }
  | KeyCursor
  | ValueCursor;

export interface KeyCursor {
  readonly kind: 'key';
  readonly section: Section;
  /** The table that the key is for. */
  readonly of: Kind;
  readonly path: TomlPath;
  /** The segment under the cursor; null where nothing is typed yet. */
  readonly segment: Segment | null;
  readonly entry: EntryStatement | null;
  /** Keys of the same table; the one under the cursor is among them. */
  readonly siblings: readonly EntryStatement[];
  readonly isInline: boolean;
  /** Several segments: what comes before the one under the cursor is in `path`. */
  readonly isDotted: boolean;
}

export interface ValueCursor {
  readonly kind: 'value';
  readonly section: Section;
  /** The table the key is in. */
  readonly of: Kind;
  /** Path of the key; inside an array without the index. */
  readonly path: TomlPath;
  readonly key: Segment;
  /** Of the value, or of one item where the cursor is in an array; null where Harbor knows no such key. */
  readonly shape: Shape | null;
  readonly value: ScannedValue | null;
  /** The other items of the array the cursor is in. */
  readonly items: readonly ScannedValue[];
  readonly isItem: boolean;
}

interface Around {
  readonly section: Section;
  readonly of: Kind;
  readonly path: TomlPath;
  readonly siblings: readonly EntryStatement[];
  readonly isInline: boolean;
}

export function cursorAt(scan: Scan, sections: readonly Section[], offset: number): Cursor {
  if (scan.comments.some(({ start, end }) => start < offset && offset <= end)) return { kind: 'nothing' };
  const section = sectionAt(sections, offset);
  if (section === undefined) return { kind: 'nothing' };
  const { header, kind, path, entries } = section;
  if (header !== null && isOn(header, offset, scan.text)) {
    if (header.start === offset) return { kind: 'nothing' };
    return header.isClosed && offset > header.end ? { kind: 'nothing' } : { kind: 'header', section, header };
  }
  const around: Around = { section, of: kind, path, siblings: entries, isInline: false };
  const entry = entries.find((one) => isOn(one, offset, scan.text));
  if (entry !== undefined) return inEntry(entry, around, offset);
  return isBlank(scan.text, offset) ? keyCursor(around, null, null, false) : { kind: 'nothing' };
}

function inEntry(entry: EntryStatement, around: Around, offset: number): Cursor {
  const { segments, equals, value } = entry;
  if (equals === null || offset <= equals) {
    const at = segments.findIndex(({ start, end }) => start <= offset && offset <= end);
    const segment = segments[at];
    if (segment === undefined) return { kind: 'nothing' };
    const place = entryPlace(around.of, around.path, segments.slice(0, at + 1));
    if (place === null) return { kind: 'nothing' };
    return keyCursor({ ...around, of: place.kind, path: place.path }, segment, entry, at > 0);
  }
  const place = entryPlace(around.of, around.path, segments);
  if (place === null) return { kind: 'nothing' };
  const { kind, path, last } = place;
  const cursor: ValueCursor = {
    kind: 'value',
    section: around.section,
    of: kind,
    path: [...path, last.name],
    key: last,
    shape: shapeOf(kind, last.name),
    value: null,
    items: [],
    isItem: false,
  };
  return inValue(value, cursor, offset);
}

function inValue(value: ScannedValue | null, cursor: ValueCursor, offset: number): Cursor {
  if (value === null || offset < value.start) return cursor;
  if (offset > value.end) return { kind: 'nothing' };
  switch (value.kind) {
    case 'string':
    case 'bare':
      return { ...cursor, value };
    case 'array': {
      if (!isInside(value, offset)) return { kind: 'nothing' };
      const shape = cursor.shape?.kind === 'list' ? cursor.shape.item : null;
      const inner = { ...cursor, shape, items: value.items, isItem: true };
      const item = value.items.find(({ start, end }) => start <= offset && offset <= end);
      return inValue(item ?? null, inner, offset);
    }
    case 'inline': {
      if (!isInside(value, offset)) return { kind: 'nothing' };
      const around: Around = {
        section: cursor.section,
        of: cursor.shape === null ? { kind: 'unknown' } : kindOfShape(cursor.shape),
        path: cursor.path,
        siblings: value.entries,
        isInline: true,
      };
      const entry = value.entries.find(({ start, end }) => start <= offset && offset <= end);
      if (entry !== undefined) return inEntry(entry, around, offset);
      const before = value.entries.findLast(({ end }) => end < offset);
      // `key = |` within braces: the value is still to come.
      if (before?.equals !== undefined && before.equals !== null && before.value === null)
        return inEntry(before, around, offset);
      return keyCursor(around, null, null, false);
    }
  }
}

function keyCursor(
  { section, of, path, siblings, isInline }: Around,
  segment: Segment | null,
  entry: EntryStatement | null,
  isDotted: boolean,
): KeyCursor {
  return { kind: 'key', section, of, path, segment, entry, siblings, isInline, isDotted };
}

function isInside({ start, end, isClosed }: Span & { readonly isClosed: boolean }, offset: number): boolean {
  return offset > start && (isClosed ? offset < end : offset <= end);
}

/** On the statement, or behind it with nothing but blanks in between. */
function isOn({ start, end }: Span, offset: number, text: string): boolean {
  if (offset < start) return false;
  return offset <= end || /^[ \t]*$/u.test(text.slice(end, Math.min(offset, end + 400)));
}

/** Only blanks stand before the offset on its line. */
function isBlank(text: string, offset: number): boolean {
  let at = offset;
  while (text[at - 1] === ' ' || text[at - 1] === '\t') at--;
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r' || (at === 1 && text.startsWith('\uFEFF'));
}
