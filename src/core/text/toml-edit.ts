import type { Range } from './position';
import type { Lines } from './lines';
import type { TomlEntry, TomlPath, TomlTable } from './toml-tree';
import { formatPath, tableAt } from './toml-tree';

export interface Edit {
  readonly range: Range;
  readonly newText: string;
}

/** A document that edits are made for. */
export interface TomlSource {
  readonly text: string;
  readonly lines: Lines;
  readonly root: TomlTable;
}

/** A text as a basic TOML string. */
export function tomlString(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

/** Removes a statement with its lines; null unless it has them for itself. */
export function removeStatement(source: TomlSource, entry: TomlEntry): readonly Edit[] | null {
  const lines = statementLines(source, entry);
  return lines === null ? null : [{ range: wholeLines(source, lines.first, lines.last), newText: '' }];
}

/** Moves a statement with the comments above it to another table; null where that cannot be done line by line. */
export function moveStatement(source: TomlSource, entry: TomlEntry, target: TomlPath): readonly Edit[] | null {
  const own = statementLines(source, entry);
  if (own === null) return null;
  let first = own.first;
  while (first > 0 && /^\s*#/u.test(source.lines.line(first - 1))) first--;
  const moved: string[] = [];
  for (let line = first; line <= own.last; line++) moved.push(source.lines.line(line));
  const inserted = insertStatement(source, target, moved.join(lineEnd(source.text)));
  return inserted === null ? null : [{ range: wholeLines(source, first, own.last), newText: '' }, ...inserted];
}

/** Puts a statement into a table, which is made at the end of the file when there is none. */
export function insertStatement(source: TomlSource, target: TomlPath, statement: string): readonly Edit[] | null {
  const eol = lineEnd(source.text);
  const table = tableAt(source.root, target);
  if (table?.form === 'inline') return null;
  if (target.length === 0) return [insertBeforeTables(source, statement, eol)];
  if (table?.form === 'header') {
    const line = table.range.end.line + 1;
    if (line >= source.lines.count) return [atEnd(source, `${eol}${statement}${eol}`)];
    const start = { line, character: 0 };
    return [{ range: { start, end: start }, newText: statement + eol }];
  }
  if (target.some((part) => typeof part === 'number')) return insertBelowItem(source, target, statement, eol);
  const separator = source.text === '' ? '' : source.text.endsWith('\n') ? eol : eol + eol;
  return [atEnd(source, `${separator}[${formatPath(target)}]${eol}${statement}${eol}`)];
}

function lineEnd(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function insertBeforeTables(source: TomlSource, statement: string, eol: string): Edit {
  let line = firstHeaderLine(source);
  if (line === null)
    return atEnd(source, `${source.text === '' || source.text.endsWith('\n') ? '' : eol}${statement}${eol}`);
  // The comments right above a header belong to it.
  while (line > 0 && /^\s*#/u.test(source.lines.line(line - 1))) line--;
  const start = { line, character: 0 };
  return { range: { start, end: start }, newText: `${statement}${eol}${eol}` };
}

/** Makes a table of an item of an array of tables, right behind the item's own keys. */
function insertBelowItem(source: TomlSource, target: TomlPath, statement: string, eol: string): readonly Edit[] | null {
  const item = tableAt(source.root, target.slice(0, -1));
  if (item?.form !== 'header' || typeof target.at(-2) !== 'number') return null;
  const header = `[${formatPath(target.filter((part) => typeof part === 'string'))}]`;
  let line = headerLines(source).find((one) => one > item.range.start.line);
  if (line === undefined)
    return [atEnd(source, `${source.text.endsWith('\n') ? '' : eol}${eol}${header}${eol}${statement}${eol}`)];
  while (/^\s*#/u.test(source.lines.line(line - 1))) line--;
  const start = { line, character: 0 };
  return [{ range: { start, end: start }, newText: `${header}${eol}${statement}${eol}${eol}` }];
}

function firstHeaderLine(source: TomlSource): number | null {
  return headerLines(source)[0] ?? null;
}

/** In the order of the document. */
function headerLines(source: TomlSource): readonly number[] {
  const found: number[] = [];
  const visit = (table: TomlTable): void => {
    if (table.form === 'header') found.push(table.range.start.line);
    for (const { value } of table.entries.values()) {
      if (value.kind === 'table') visit(value);
      else if (value.kind === 'array' && value.isOfTables)
        for (const item of value.items) if (item.kind === 'table') visit(item);
    }
  };
  visit(source.root);
  return found.sort((a, b) => a - b);
}

function statementLines(source: TomlSource, entry: TomlEntry): { first: number; last: number } | null {
  const { start, end } = entry.range;
  const isHeader = source.lines.line(start.line)[start.character] === '[';
  if (isHeader) return null;
  const before = source.lines.line(start.line).slice(0, start.character);
  const after = source.lines.line(end.line).slice(end.character);
  // An entry of an inline table shares its line; a value that is an implied table has no statement of its own.
  if (!/^\s*$/u.test(before) || !/^\s*(?:#.*)?$/u.test(after)) return null;
  return { first: start.line, last: end.line };
}

function wholeLines(source: TomlSource, first: number, last: number): Edit['range'] {
  const end =
    last + 1 < source.lines.count ? { line: last + 1, character: 0 } : source.lines.position(source.text.length);
  return { start: { line: first, character: 0 }, end };
}

function atEnd(source: TomlSource, newText: string): Edit {
  const end = source.lines.position(source.text.length);
  return { range: { start: end, end }, newText };
}
