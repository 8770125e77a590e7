import type { Shape } from '../core/task/keys/key';
import { linesOf } from '../core/text/lines';
import type { Position, Range } from '../core/text/position';
import { formatPath, type TomlPath } from '../core/text/toml-tree';
import { parseTemplate } from '../core/task/templates';
import { cursorAt } from './toml/cursor';
import type { KeyCursor, ValueCursor } from './toml/cursor';
import { keyMarkdown, memberMarkdown } from './toml/describe';
import type { Kind } from './toml/places';
import { keyOf, kindBelow, rootKind, sectionsOf } from './toml/places';
import type { HeaderStatement, Scan, Span } from './toml/scan';
import { scanToml } from './toml/scan';

export interface Hover {
  readonly range: Range;
  readonly markdown: string;
}

/** What a key, a table or a value of task.toml means; null where there is nothing to say. */
export function hoverTask(text: string, position: Position): Hover | null {
  const lines = linesOf(text);
  const offset = lines.offset(position);
  const scan = scanToml(text);
  const cursor = cursorAt(scan, sectionsOf(scan), offset);
  const found = ((): Described | null => {
    switch (cursor.kind) {
      case 'nothing':
        return null;
      case 'header':
        return overHeader(cursor.header, offset);
      case 'key':
        return overKey(cursor);
      case 'value':
        return overValue(cursor, offset, scan);
    }
  })();
  const markdown = found?.markdown ?? null;
  return found === null || markdown === null ? null : { range: lines.range(found.start, found.end), markdown };
}

/** null: there is nothing to say of what is there. */
type Described = Span & { readonly markdown: string | null };

function overHeader({ segments }: HeaderStatement, offset: number): Described | null {
  let of: Kind = rootKind;
  const path: string[] = [];
  for (const segment of segments) {
    if (segment.start <= offset && offset <= segment.end)
      return { ...segment, markdown: named(of, path, segment.name) };
    of = kindBelow(of, segment.name);
    path.push(segment.name);
  }
  return null;
}

function overKey({ of, path, segment }: KeyCursor): Described | null {
  return segment === null || segment.name === '' ? null : { ...segment, markdown: named(of, path, segment.name) };
}

function named(of: Kind, path: TomlPath, name: string): string | null {
  const key = keyOf(of, name);
  if (key !== null) return keyMarkdown(name, key);
  const table = formatPath(path.filter((part) => typeof part === 'string'));
  return of.kind === 'map' ? memberMarkdown(name, table, of.value) : null;
}

function overValue({ of, path, key, shape, value }: ValueCursor, offset: number, scan: Scan): Described | null {
  if (value === null || offset < value.start) return null;
  const raw = scan.text.slice(value.start, value.end);
  const inner =
    value.kind === 'string' ? raw.slice(value.quote.length, value.isClosed ? -value.quote.length : undefined) : raw;
  const own = shape === null ? null : (choiceDoc(shape, inner) ?? templateDoc(of, shape, inner));
  const general = named(of, path.slice(0, -1), key.name);
  return { ...value, markdown: own === null ? general : `\`${raw}\`: ${own}\n\n${general ?? ''}`.trimEnd() };
}

function choiceDoc(shape: Shape, value: string): string | null {
  if (shape.kind !== 'choice') return null;
  const wanted = shape.lowerCased === true ? value.toLowerCase() : value;
  return shape.choices.find((choice) => choice.value === wanted)?.doc ?? null;
}

function templateDoc(of: Kind, shape: Shape, value: string): string | null {
  if (of.kind !== 'map' || shape.kind !== 'text' || !value.includes('${')) return null;
  const template = parseTemplate(value);
  if (template === null)
    return 'literal text: only a value that is `${NAME}` or `${NAME:-default}` as a whole is taken from the host.';
  const { name, default: fallback } = template;
  return fallback === null
    ? `the variable \`${name}\` of the host; without it the run ends with an error.`
    : `the variable \`${name}\` of the host, and \`${JSON.stringify(fallback)}\` where it is not set. A variable that is set but empty counts as set.`;
}
