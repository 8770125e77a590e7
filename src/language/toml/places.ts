import type { AnyKey, Shape, Table } from '../../core/task/keys/key';
import { taskTable } from '../../core/task/keys/task-table';
import type { TomlPath } from '../../core/text/toml-tree';
import type { EntryStatement, HeaderStatement, Scan, Segment } from './scan';

/** What is known of a stretch of task.toml: a table of keys, a map of names, or a place that Harbor does not know. */
export type Kind =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'map'; readonly value: Shape }
  | { readonly kind: 'free' }
  | { readonly kind: 'unknown' };

/** One table of the document: the root, what stands below a header, or an item of an array of tables. */
export interface Section {
  /** null for the root. */
  readonly header: HeaderStatement | null;
  readonly path: TomlPath;
  readonly kind: Kind;
  readonly entries: readonly EntryStatement[];
  /** Offsets from the header (or the beginning) up to the next one. */
  readonly start: number;
  readonly end: number;
}

export const rootKind: Kind = { kind: 'table', table: taskTable };

/** The document cut into its tables; indexes of arrays of tables are counted as TOML does. */
export function sectionsOf(scan: Scan): readonly Section[] {
  const sections: Section[] = [];
  const counts = new Map<string, number>();
  let header: HeaderStatement | null = null;
  let path: TomlPath = [];
  let entries: EntryStatement[] = [];
  let start = 0;
  const close = (end: number): void => {
    sections.push({ header, path, kind: kindAt(path), entries, start, end });
  };
  for (const statement of scan.statements) {
    if (statement.kind === 'entry') entries.push(statement);
    else {
      close(statement.start);
      header = statement;
      start = statement.start;
      path = headerPath(statement, counts);
      entries = [];
    }
  }
  close(scan.text.length);
  return sections;
}

/** The section at an offset; an offset right at a header belongs to that header. */
export function sectionAt(sections: readonly Section[], offset: number): Section | undefined {
  return sections.findLast(({ start }) => start <= offset) ?? sections[0];
}

function headerPath({ segments, isArray }: HeaderStatement, counts: Map<string, number>): TomlPath {
  const path: (string | number)[] = [];
  segments.forEach(({ name }, at) => {
    path.push(name);
    const id = JSON.stringify(path);
    const count = counts.get(id);
    if (at === segments.length - 1 && isArray) {
      counts.set(id, (count ?? 0) + 1);
      path.push(count ?? 0);
    } else if (count !== undefined) path.push(count - 1);
  });
  return path;
}

export function kindAt(path: TomlPath): Kind {
  let kind: Kind = rootKind;
  for (const part of path) if (typeof part === 'string') kind = kindBelow(kind, part);
  return kind;
}

/** What stands below a key of a table; of a list, what one item is. */
export function kindBelow(kind: Kind, name: string): Kind {
  const shape = shapeOf(kind, name);
  return shape === null ? (kind.kind === 'free' ? kind : { kind: 'unknown' }) : kindOfShape(shape);
}

export function kindOfShape(shape: Shape): Kind {
  switch (shape.kind) {
    case 'table':
    case 'artifact':
      return { kind: 'table', table: shape.table };
    case 'map':
      return { kind: 'map', value: shape.value };
    case 'threshold':
      return { kind: 'map', value: { kind: 'float' } };
    case 'free-table':
      return { kind: 'free' };
    case 'list':
      return kindOfShape(shape.item);
    case 'text':
    case 'integer':
    case 'float':
    case 'boolean':
    case 'choice':
    case 'user':
      return { kind: 'unknown' };
  }
}

/** The key of a table by its name. */
export function keyOf(kind: Kind, name: string): AnyKey | null {
  return kind.kind === 'table' && Object.hasOwn(kind.table.keys, name) ? (kind.table.keys[name] ?? null) : null;
}

/** The shape of the value behind a key; null where Harbor knows none. */
export function shapeOf(kind: Kind, name: string): Shape | null {
  if (kind.kind === 'map') return kind.value;
  return keyOf(kind, name)?.type ?? null;
}

/** The table and the last segment that a dotted key leads to; null when it is empty. */
export function entryPlace(
  kind: Kind,
  path: TomlPath,
  segments: readonly Segment[],
): { readonly kind: Kind; readonly path: TomlPath; readonly last: Segment } | null {
  const last = segments.at(-1);
  if (last === undefined) return null;
  const before = segments.slice(0, -1);
  return {
    kind: before.reduce((at, { name }) => kindBelow(at, name), kind),
    path: [...path, ...before.map(({ name }) => name)],
    last,
  };
}
