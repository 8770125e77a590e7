import { linesOf } from '../core/text/lines';
import { sectionsOf } from './toml/places';
import type { ScannedValue } from './toml/scan';
import { scanToml } from './toml/scan';

export interface Fold {
  /** Lines from 0, both included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: 'table' | 'value' | 'comment';
}

/** Tables with their keys, values of several lines, and blocks of comments. */
export function foldTask(text: string): readonly Fold[] {
  const lines = linesOf(text);
  const lineAt = (offset: number): number => lines.position(offset).line;
  const scan = scanToml(text);
  const folds: Fold[] = [];
  const add = (start: number, end: number, kind: Fold['kind']): void => {
    const [startLine, endLine] = [lineAt(start), lineAt(end)];
    if (endLine > startLine) folds.push({ startLine, endLine, kind });
  };
  for (const { header, entries } of sectionsOf(scan)) {
    if (header !== null) add(header.start, entries.at(-1)?.end ?? header.end, 'table');
    for (const { value } of entries) for (const inner of valuesIn(value)) add(inner.start, inner.end, 'value');
  }
  const own = scan.comments.filter(({ start }) => text.slice(lines.start(lineAt(start)), start).trim() === '');
  for (let at = 0; at < own.length; at++) {
    const first = own[at];
    let last = at;
    while (own[last + 1] !== undefined && lineAt(own[last + 1]?.start ?? 0) === lineAt(own[last]?.start ?? 0) + 1)
      last++;
    if (first !== undefined) add(first.start, own[last]?.end ?? first.end, 'comment');
    at = last;
  }
  return folds;
}

function* valuesIn(value: ScannedValue | null): Generator<ScannedValue> {
  if (value === null || value.kind === 'bare') return;
  yield value;
  if (value.kind === 'array') for (const item of value.items) yield* valuesIn(item);
  if (value.kind === 'inline') for (const entry of value.entries) yield* valuesIn(entry.value);
}
