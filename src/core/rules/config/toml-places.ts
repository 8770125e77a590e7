import type { Fix } from '../../finding';
import type { TomlDocument } from '../../task/document';
import type { Range } from '../../text/position';
import type { Edit, TomlSource } from '../../text/toml-edit';
import { insertStatement } from '../../text/toml-edit';
import type { TomlPath, TomlTable } from '../../text/toml-tree';
import { entryAt, tableAt } from '../../text/toml-tree';

/** A document that could be read. */
export function sourceOf(toml: TomlDocument | null): TomlSource | null {
  const root = toml?.root;
  return root ? { text: toml.text, lines: toml.lines, root } : null;
}

/** The header of a table, else the key that brings it, else the end of the file. */
export function tableRange(source: TomlSource, path: TomlPath): Range {
  const table: TomlTable | undefined = tableAt(source.root, path);
  if (table?.form === 'header') return table.range;
  const entry = entryAt(source.root, path);
  if (entry) return entry.keyRange;
  return source.lines.range(source.text.length, source.text.length);
}

/** The value at a path, else its table. */
export function valueRange(source: TomlSource, path: TomlPath): Range {
  return entryAt(source.root, path)?.value.range ?? tableRange(source, path.slice(0, -1));
}

export function firstLine(toml: TomlDocument | null): Range {
  const end = toml?.lines.line(0).length ?? 0;
  return { start: { line: 0, character: 0 }, end: { line: 0, character: end } };
}

export function tomlFix(title: string, edits: readonly Edit[] | null, preferred = false): readonly Fix[] {
  if (edits === null) return [];
  return [{ title, edits: edits.map((edit) => ({ file: 'task.toml', ...edit })), ...(preferred && { preferred }) }];
}

export function insertFix(title: string, source: TomlSource, table: TomlPath, statement: string): readonly Fix[] {
  return tomlFix(title, insertStatement(source, table, statement));
}
