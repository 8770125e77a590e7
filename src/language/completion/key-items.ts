import type { AnyKey } from '../../core/task/keys/key';
import { isLegacy } from '../../core/task/keys/key';
import type { Surroundings } from '../surroundings';
import type { KeyCursor } from '../toml/cursor';
import { defaultText, keyMarkdown, shapeWords, typeWords } from '../toml/describe';
import type { Span } from '../toml/scan';
import type { Item } from './completion';
import { variablesRead } from './names';
import { valueSnippet } from './snippets';

/** Keys of the table that are not there yet: required ones first, those without effect here last. */
export function keyItems(cursor: KeyCursor, offset: number, around: Surroundings): readonly Item[] {
  const { of, segment, entry, section, isInline } = cursor;
  const replace: Span = segment ?? { start: offset, end: offset };
  const hasValue = entry !== null && entry.equals !== null;
  const written = new Set(
    cursor.siblings.filter((one) => one !== entry).flatMap(({ segments }) => segments[0]?.name ?? []),
  );
  if (of.kind === 'map') {
    const names = of.value.kind === 'text' ? variablesRead(around).filter((name) => !written.has(name)) : [];
    return names.map((name): Item => ({
      label: name,
      kind: 'variable',
      detail: shapeWords(of.value),
      replace,
      newText: hasValue ? name : `${name} = "$1"`,
      isSnippet: !hasValue,
    }));
  }
  if (of.kind !== 'table') return [];
  const isRoot = section.header === null && !isInline && cursor.path.length === 0;
  const missing = Object.entries<AnyKey>(of.table.keys).filter(
    ([name, key]) => !isLegacy(key) && !written.has(name) && !(isRoot && !hasValue && isSection(key)),
  );
  return missing
    .sort(([, a], [, b]) => rankOf(a) - rankOf(b))
    .map(([name, key]): Item => ({
      label: name,
      kind: 'key',
      detail: detailOf(key),
      doc: keyMarkdown(name, key),
      replace,
      newText: hasValue ? name : `${name} = ${valueSnippet(key)}`,
      isSnippet: !hasValue,
    }));
}

/** Written as `[table]` at the top of the file, not as `table = { … }`. */
function isSection({ type }: AnyKey): boolean {
  return type.kind === 'table' || type.kind === 'free-table' || (type.kind === 'list' && type.item.kind === 'table');
}

function rankOf(key: AnyKey): number {
  if (isLegacy(key)) return 3;
  if (key.withoutEffect !== undefined) return 2;
  return key.presence.kind === 'required' ? 0 : 1;
}

function detailOf(key: AnyKey): string {
  const fallback = defaultText(key);
  if (key.presence.kind === 'required') return `${typeWords(key)}, required`;
  return fallback === null ? typeWords(key) : `${typeWords(key)}, default ${fallback}`;
}
