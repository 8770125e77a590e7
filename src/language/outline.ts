import { linesOf } from '../core/text/lines';
import type { Range } from '../core/text/position';
import type { TomlPath } from '../core/text/toml-tree';
import { formatPath } from '../core/text/toml-tree';
import { sectionsOf } from './toml/places';
import type { EntryStatement, ScannedValue, Span } from './toml/scan';
import { scanToml } from './toml/scan';

export interface OutlineItem {
  readonly name: string;
  /** The value in few words, or the name of a step. */
  readonly detail: string;
  readonly kind: 'table' | 'item' | 'key';
  readonly range: Range;
  /** The header or the key itself; within `range`. */
  readonly selection: Range;
  readonly children: readonly OutlineItem[];
}

interface Draft {
  readonly path: TomlPath;
  readonly name: string;
  detail: string;
  readonly kind: OutlineItem['kind'];
  readonly span: Span;
  end: number;
  readonly selection: Span;
  readonly children: Draft[];
}

const longest = 60;

/** Tables and keys of task.toml as a tree: a table below the one it belongs to, however far down it is written. */
export function outlineTask(text: string): readonly OutlineItem[] {
  const lines = linesOf(text);
  const scan = scanToml(text);
  const roots: Draft[] = [];
  const tables: Draft[] = [];
  for (const { header, path, entries, end } of sectionsOf(scan)) {
    const keys = entries.map((entry) => keyDraft(entry, path, text));
    if (header === null) {
      roots.push(...keys);
      continue;
    }
    const stop = lastEnd(entries, header.end);
    const name = formatPath(path.filter((part, at) => typeof part === 'string' || at < path.length - 1));
    const draft: Draft = {
      path,
      name: header.isArray ? `[[${name}]]` : `[${name}]`,
      detail: header.isArray ? nameOf(entries, text) : '',
      kind: header.isArray ? 'item' : 'table',
      span: { start: header.start, end: Math.min(stop, end) },
      end: Math.min(stop, end),
      selection: header,
      children: keys,
    };
    // A parent has to hold the range of its children: only what directly follows it can be below it.
    const parent = tables.findLast((table) => isPrefix(table.path, path));
    const between = parent === undefined ? [] : tables.slice(tables.indexOf(parent) + 1);
    if (parent !== undefined && between.every((table) => isPrefix(parent.path, table.path))) {
      parent.children.push(draft);
      for (let at: Draft | undefined = parent; at !== undefined; at = parentOf(tables, at)) at.end = draft.end;
    } else roots.push(draft);
    tables.push(draft);
  }
  const itemOf = (draft: Draft): OutlineItem => ({
    name: draft.name,
    detail: draft.detail,
    kind: draft.kind,
    range: lines.range(draft.span.start, Math.max(draft.end, draft.span.end)),
    selection: lines.range(draft.selection.start, draft.selection.end),
    children: draft.children.map(itemOf),
  });
  return roots.map(itemOf);
}

function parentOf(tables: readonly Draft[], child: Draft): Draft | undefined {
  return tables.find(({ children }) => children.includes(child));
}

function keyDraft(entry: EntryStatement, path: TomlPath, text: string): Draft {
  const first = entry.segments[0] ?? entry;
  const last = entry.segments.at(-1) ?? entry;
  const name = text.slice(first.start, last.end).trim();
  return {
    path: [...path, ...entry.segments.map((segment) => segment.name)],
    name: name === '' ? '…' : name,
    detail: entry.value === null ? '' : short(entry.value, text),
    kind: 'key',
    span: entry,
    end: entry.end,
    selection: { start: first.start, end: last.end },
    children: [],
  };
}

function short(value: ScannedValue, text: string): string {
  const said = text.slice(value.start, Math.min(value.end, value.start + 2 * longest)).replace(/\s+/gu, ' ');
  return said.length > longest || value.end - value.start > 2 * longest ? `${said.slice(0, longest)}…` : said;
}

function nameOf(entries: readonly EntryStatement[], text: string): string {
  const entry = entries.find(({ segments, value }) => {
    const [only, ...more] = segments;
    return more.length === 0 && only?.name === 'name' && value?.kind === 'string';
  });
  return entry?.value ? short(entry.value, text).replace(/^["']+|["']+$/gu, '') : '';
}

function lastEnd(entries: readonly EntryStatement[], otherwise: number): number {
  return entries.at(-1)?.end ?? otherwise;
}

function isPrefix(prefix: TomlPath, path: TomlPath): boolean {
  return prefix.length < path.length && prefix.every((part, at) => part === path[at]);
}
