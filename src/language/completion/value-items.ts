import type { AnyKey, Shape } from '../../core/task/keys/key';
import { isLegacy } from '../../core/task/keys/key';
import { tomlString } from '../../core/text/toml-edit';
import type { Surroundings } from '../surroundings';
import type { ValueCursor } from '../toml/cursor';
import { defaultText } from '../toml/describe';
import { keyOf } from '../toml/places';
import type { Quote, Scan, Span } from '../toml/scan';
import type { Item } from './completion';
import { namedThings, variableNames } from './names';
import { plain } from './snippets';

/** What a key can have for a value: its choices, what is there by that name in the task, its default. */
export function valueItems(cursor: ValueCursor, offset: number, scan: Scan, around: Surroundings): readonly Item[] {
  const { shape, value, of, key } = cursor;
  if (shape === null || value?.kind === 'array' || value?.kind === 'inline') return [];
  const place = placeOf(cursor, offset, scan.text);
  const quoted = (text: string): string => (place.quote === "'" ? `'${text}'` : tomlString(text));
  const textItem = (text: string, rest: Omit<Item, 'label' | 'replace' | 'newText'>): Item => ({
    label: text,
    replace: place.replace,
    newText: place.before + quoted(text),
    filter: place.before + quoted(text),
    ...rest,
  });
  const bareItem = (text: string, rest: Omit<Item, 'label' | 'replace' | 'newText'>): Item => ({
    label: text,
    replace: place.replace,
    newText: place.before + text,
    filter: place.before + text,
    ...rest,
  });

  if (shape.kind === 'choice') {
    const fallback = keyDefault(of, key.name);
    return shape.choices.map((choice) =>
      textItem(choice.value, {
        kind: 'value',
        detail: fallback === tomlString(choice.value) ? 'default' : null,
        doc: choice.doc,
      }),
    );
  }
  if (place.quote === '"""' || place.quote === "'''") return [];
  if (shape.kind === 'boolean' && place.quote === null) {
    return ['true', 'false'].map((word) => bareItem(word, { kind: 'value' }));
  }
  if (of.kind === 'map' && shape.kind === 'text') return variableItems(cursor, scan, around, place);
  const found = keyOf(of, key.name);
  if (found === null || isLegacy(found)) return [];
  const things =
    isText(shape) && found.names !== undefined
      ? namedThings(found.names, around).filter(({ name }) => !isWritten(cursor, scan, name))
      : [];
  const items = things.map(({ name, kind, from }) => textItem(name, { kind, detail: from }));
  if (found.type.kind === 'text' && found.type.format?.name === 'ORG/NAME' && around.dirName !== null) {
    items.push({
      label: `org/${around.dirName}`,
      kind: 'value',
      replace: place.replace,
      newText: `${place.before}"\${1:org}/${plain(around.dirName)}"`,
      filter: `${place.before}"org/${around.dirName}"`,
      isSnippet: true,
    });
  }
  if (cursor.isItem) return items;
  for (const [value, detail] of ownValues(found)) {
    const isString = value.startsWith('"');
    if (place.quote !== null && !isString) continue;
    if (!items.some(({ newText }) => newText === place.before + value))
      items.push(bareItem(value, { kind: 'value', detail }));
  }
  return items;
}

interface ValuePlace {
  readonly replace: Span;
  /** A blank where none stands behind the `=` yet. */
  readonly before: string;
  readonly quote: Quote | null;
}

function placeOf({ value, isItem }: ValueCursor, offset: number, text: string): ValuePlace {
  if (value?.kind === 'string') return { replace: value, before: '', quote: value.quote };
  if (value?.kind === 'bare') return { replace: value, before: '', quote: null };
  const before = !isItem && text[offset - 1] === '=' ? ' ' : '';
  return { replace: { start: offset, end: offset }, before, quote: null };
}

function isText(shape: Shape): boolean {
  return shape.kind === 'text' || shape.kind === 'user' || shape.kind === 'artifact';
}

function keyDefault(of: ValueCursor['of'], name: string): string | null {
  const key = keyOf(of, name);
  return key === null ? null : defaultText(key);
}

/** The default and a plausible value, as TOML. */
function ownValues(key: AnyKey): readonly (readonly [string, string | null])[] {
  if (isLegacy(key)) return [];
  const fallback = defaultText(key);
  const isScalar = fallback !== null && !/^[[{]|^""$/u.test(fallback);
  const offer = key.sensible?.offer ?? null;
  return [
    ...(isScalar ? [[fallback, 'default'] as const] : []),
    ...(offer === null || offer === fallback ? [] : [[offer, null] as const]),
  ];
}

/** Whether another item of the same array, or another step, has this value already. */
function isWritten({ items, value, key }: ValueCursor, scan: Scan, name: string): boolean {
  const says = (span: Span): boolean => scan.text.slice(span.start, span.end) === tomlString(name);
  if (items.some((item) => item !== value && says(item))) return true;
  if (key.name !== 'name') return false;
  return scan.statements.some(
    (statement) =>
      statement.kind === 'entry' &&
      statement.value !== null &&
      statement.value !== value &&
      statement.segments.at(-1)?.name === key.name &&
      says(statement.value),
  );
}

function variableItems(cursor: ValueCursor, scan: Scan, around: Surroundings, place: ValuePlace): Item[] {
  const { replace, before, quote } = place;
  if (quote === "'") return [];
  const typed = scan.text.slice(replace.start, replace.end);
  // Only a value that is a template as a whole is one: within other text the name would stand there as it is.
  if (!/^(?:"(?:\$.*)?)?$/su.test(typed) && typed !== '""') return [];
  const template = (name: string): string => `"\${${name}}"`;
  const names = variableNames(scan.text, around);
  const items = names.map((name): Item => ({
    label: `\${${name}}`,
    kind: 'variable',
    detail: 'of the host',
    replace,
    newText: before + template(name),
    filter: before + template(name),
  }));
  const own = cursor.key.name;
  const withDefault: Item = {
    label: `\${${own}:-…}`,
    kind: 'variable',
    detail: 'of the host, with a default',
    doc: 'A variable that is set but empty counts as set.',
    replace,
    newText: `${before}"\\\${\${1:${plain(own)}}:-$2}"`,
    filter: before + template(own),
    isSnippet: true,
  };
  return own === '' ? items : [...items, withDefault];
}
