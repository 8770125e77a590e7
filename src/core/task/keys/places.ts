import type { AnyKey, Keys, Shape, Table } from './key';
import { taskTable } from './task-table';

/** One key at one place of task.toml. */
export interface Place {
  /** Keys from the root; `[]` stands for any index of an array of tables, as in `steps.[].agent.user`. */
  readonly path: readonly string[];
  readonly name: string;
  readonly key: AnyKey;
  /** The table the key is in. */
  readonly table: Table;
}

/** Every key that Harbor knows, at every place where it knows it, parents first. */
export const places: readonly Place[] = [...placesOf(taskTable, [])];

function* placesOf(table: Table, path: readonly string[]): Generator<Place> {
  for (const [name, key] of Object.entries<AnyKey>(table.keys satisfies Keys)) {
    const own = [...path, name];
    yield { path: own, name, key, table };
    const below = tableBelow(key.type);
    if (below) yield* placesOf(below.table, below.isArray ? [...own, '[]'] : own);
  }
}

function tableBelow(shape: Shape): { readonly table: Table; readonly isArray: boolean } | null {
  if (shape.kind === 'table') return { table: shape.table, isArray: false };
  if (shape.kind !== 'list') return null;
  return shape.item.kind === 'table' || shape.item.kind === 'artifact'
    ? { table: shape.item.table, isArray: true }
    : null;
}
