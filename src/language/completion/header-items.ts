import type { AnyKey, Table } from '../../core/task/keys/key';
import { isLegacy } from '../../core/task/keys/key';
import { taskTable } from '../../core/task/keys/task-table';
import type { TomlPath } from '../../core/text/toml-tree';
import type { Section } from '../toml/places';
import type { Span } from '../toml/scan';
import type { Item } from './completion';

/** One table that a header may open. */
interface Candidate {
  /** Keys from the root, without indexes. */
  readonly names: readonly string[];
  readonly path: TomlPath;
  readonly isArray: boolean;
  readonly doc: string;
}

/** Headers of tables that are not there yet: those below the table at hand first, then the others from the top. */
export function headerItems(sections: readonly Section[], current: Section, replace: Span): readonly Item[] {
  const others = sections.filter((section) => section.header === null || section.header !== replace);
  const taken = writtenTables(others);
  const before = others.filter(({ start }) => start < replace.start);
  const own = JSON.stringify(before.at(-1)?.path ?? current.path);
  return [...candidates(taskTable, [], [], before)]
    .filter(({ path, isArray }) => {
      const how = taken.get(JSON.stringify(path));
      return how === undefined || (isArray && how === 'header');
    })
    .map((candidate, order) => ({
      candidate,
      rank: JSON.stringify(candidate.path.slice(0, -1)) === own && own !== '[]' ? 0 : candidate.names.length,
      order,
    }))
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .map(({ candidate: { names, isArray, doc } }): Item => {
      const name = names.join('.');
      const label = isArray ? `[[${name}]]` : `[${name}]`;
      // Behind a bracket the brackets are compared as well, else the name alone.
      const isTyped = 'kind' in replace;
      return { label, kind: 'table', doc, replace, newText: label, ...(isTyped ? {} : { filter: name }) };
    });
}

function* candidates(
  table: Table,
  names: readonly string[],
  path: TomlPath,
  before: readonly Section[],
): Generator<Candidate> {
  for (const [name, key] of Object.entries<AnyKey>(table.keys)) {
    if (isLegacy(key) || key.withoutEffect !== undefined) continue;
    const { type, doc } = key;
    const ownNames = [...names, name];
    const ownPath = [...path, name];
    if (type.kind === 'table' || type.kind === 'map' || type.kind === 'free-table') {
      yield { names: ownNames, path: ownPath, isArray: false, doc };
      if (type.kind === 'table') yield* candidates(type.table, ownNames, ownPath, before);
    } else if (type.kind === 'list' && (type.item.kind === 'table' || type.item.kind === 'artifact')) {
      yield { names: ownNames, path: ownPath, isArray: true, doc };
      // A table below an item needs the item above it.
      const index = before.findLast((section) => isItemOf(section.path, ownPath))?.path.at(-1) ?? -1;
      if (typeof index === 'number' && index >= 0)
        yield* candidates(type.item.table, ownNames, [...ownPath, index], before);
    }
  }
}

function isItemOf(path: TomlPath, list: TomlPath): boolean {
  return (
    path.length === list.length + 1 && typeof path.at(-1) === 'number' && list.every((part, at) => part === path[at])
  );
}

/** Every table and key that is written, by its path, and how. */
function writtenTables(sections: readonly Section[]): ReadonlyMap<string, 'header' | 'entry'> {
  const written = new Map<string, 'header' | 'entry'>();
  for (const { path, header, entries } of sections) {
    if (header !== null) {
      written.set(JSON.stringify(path), 'header');
      if (header.isArray) written.set(JSON.stringify(path.slice(0, -1)), 'header');
    }
    for (const { segments, equals } of entries) {
      if (equals === null) continue;
      // A dotted key opens the tables on its way, and they cannot be opened again.
      segments.forEach((_, at) => {
        const names = segments.slice(0, at + 1).map(({ name }) => name);
        written.set(JSON.stringify([...path, ...names]), 'entry');
      });
    }
  }
  return written;
}
