import { applyEdits } from '../core/text/edits';
import type { Lines } from '../core/text/lines';
import { linesOf } from '../core/text/lines';
import type { Position, Range } from '../core/text/position';
import { readToml } from '../core/text/toml';
import type { TomlTable, TomlValue } from '../core/text/toml-tree';
import { sectionsOf } from './toml/places';
import type { Scan, ScannedValue, Statement } from './toml/scan';
import { scanToml } from './toml/scan';

export interface FormatEdit {
  readonly range: Range;
  readonly newText: string;
}

/**
 * Makes the white space of task.toml even: one blank around each `=`, none at the ends of lines, one empty line before
 * a table and never two, a line end at the end. Keeps every comment and value; where that cannot be shown by reading the
 * result, as in a file with a syntax error, nothing is changed.
 */
export function formatTask(text: string): readonly FormatEdit[] {
  const before = readToml(text);
  if (!before.ok) return [];
  const scan = scanToml(text);
  const edits = lineEdits(text, scan);
  if (edits.length === 0) return [];
  const formatted = applyEdits(text, edits);
  if (formatted === null) return [];
  const after = readToml(formatted);
  const isSame =
    after.ok &&
    meaning(before.root) === meaning(after.root) &&
    comments(text, scan) === comments(formatted, scanToml(formatted));
  return isSame ? edits : [];
}

function lineEdits(text: string, scan: Scan): readonly FormatEdit[] {
  const lines = linesOf(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const kept = protectedLines(scan, lines);
  const spaced = new Map<number, string>();
  const headers = new Set<number>();
  for (const statement of scan.statements) {
    const { line } = lines.position(statement.start);
    if (statement.kind === 'header') headers.add(line);
    else spaced.set(line, evenAround(statement, lines, line));
  }
  const edits: FormatEdit[] = [];
  const isEnded = lines.line(lines.count - 1) === '';
  const last = isEnded ? lines.count - 1 : lines.count;
  let empty = true;
  for (let line = 0; line < last; line++) {
    const own = lines.line(line);
    if (kept.has(line)) {
      empty = false;
      continue;
    }
    const wanted = (spaced.get(line) ?? own).trimEnd();
    // Empty lines at the beginning, behind another one, or with nothing after them go.
    const isLost = wanted === '' && (empty || isEnd(lines, line, last));
    if (isLost) {
      edits.push({ range: { start: { line, character: 0 }, end: afterLine(text, lines, line) }, newText: '' });
      continue;
    }
    const needsGap = !empty && startsTable(lines, line, headers) && !isComment(lines.line(line - 1));
    const replacement = (needsGap ? eol : '') + wanted;
    if (replacement !== own) {
      const end = { line, character: own.length };
      edits.push({ range: { start: { line, character: 0 }, end }, newText: replacement });
    }
    empty = wanted === '';
  }
  const end = lines.position(text.length);
  if (!isEnded) edits.push({ range: { start: end, end }, newText: eol });
  return merged(edits);
}

/** Lines with a string of several lines on them: their blanks may be part of it. */
function protectedLines(scan: Scan, lines: Lines): ReadonlySet<number> {
  const kept = new Set<number>();
  const visit = (value: ScannedValue | null): void => {
    if (value === null) return;
    if (value.kind === 'string' && value.quote.length === 3) {
      const [first, last] = [lines.position(value.start).line, lines.position(value.end).line];
      for (let line = first; line <= last; line++) kept.add(line);
    } else if (value.kind === 'array') value.items.forEach(visit);
    else if (value.kind === 'inline') for (const entry of value.entries) visit(entry.value);
  };
  for (const { entries } of sectionsOf(scan)) for (const entry of entries) visit(entry.value);
  return kept;
}

function evenAround(statement: Statement, lines: Lines, line: number): string {
  const own = lines.line(line);
  if (statement.kind === 'header' || statement.equals === null || statement.value === null) return own;
  const start = lines.start(line);
  const keyEnd = (statement.segments.at(-1)?.end ?? statement.start) - start;
  const valueStart = statement.value.start - start;
  if (valueStart > own.length || own.slice(0, statement.start - start).trim() !== '') return own;
  return `${own.slice(0, keyEnd)} = ${own.slice(valueStart)}`;
}

/** A header, or the comments right above one. */
function startsTable(lines: Lines, line: number, headers: ReadonlySet<number>): boolean {
  let at = line;
  while (isComment(lines.line(at))) at++;
  return headers.has(at);
}

function isComment(line: string): boolean {
  return /^\s*#/u.test(line);
}

function isEnd(lines: Lines, line: number, last: number): boolean {
  for (let at = line; at < last; at++) if (lines.line(at).trim() !== '') return false;
  return true;
}

function afterLine(text: string, lines: Lines, line: number): Range['end'] {
  return line + 1 < lines.count ? { line: line + 1, character: 0 } : lines.position(text.length);
}

/** Edits that begin at the same place would have no order. */
function merged(edits: readonly FormatEdit[]): readonly FormatEdit[] {
  const result: FormatEdit[] = [];
  for (const edit of edits) {
    const before = result.at(-1);
    if (before !== undefined && isSamePlace(before.range.end, edit.range.start)) {
      const range = { start: before.range.start, end: edit.range.end };
      result[result.length - 1] = { range, newText: before.newText + edit.newText };
    } else result.push(edit);
  }
  return result;
}

function isSamePlace(a: Position, b: Position): boolean {
  return a.line === b.line && a.character === b.character;
}

/** The tree without its ranges. */
function meaning(root: TomlTable): string {
  const plain = (value: TomlValue): unknown => {
    switch (value.kind) {
      case 'table':
        return [value.form, [...value.entries].map(([key, entry]) => [key, plain(entry.value)])];
      case 'array':
        return ['array', value.isOfTables, value.items.map(plain)];
      case 'string':
      case 'integer':
      case 'float':
      case 'boolean':
      case 'date':
        return [value.kind, Object.is(value.value, -0) ? '-0' : String(value.value)];
    }
  };
  return JSON.stringify(plain(root));
}

function comments(text: string, scan: Scan): string {
  return JSON.stringify(scan.comments.map(({ start, end }) => text.slice(start, end).trimEnd()));
}
