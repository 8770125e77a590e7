import type { AnyKey, Shape, Table } from '../../core/task/keys/key';
import { isLegacy } from '../../core/task/keys/key';
import { defaultText } from '../toml/describe';

/** A text within a snippet, where `$`, `}` and `\` have a meaning of their own. */
export function plain(text: string): string {
  return text.replace(/[\\$}]/gu, '\\$&');
}

/** A value to fill in for a key: a hole, with what is likely in it. */
export function valueSnippet(key: AnyKey): string {
  return shapeSnippet(key.type, likely(key), { hole: 1 });
}

/** A plausible value as TOML; null without one. */
function likely(key: AnyKey): string | null {
  if (isLegacy(key)) return null;
  return key.sensible?.offer ?? defaultText(key);
}

interface Holes {
  /** Number of the next one. */
  hole: number;
}

function shapeSnippet(shape: Shape, value: string | null, holes: Holes): string {
  switch (shape.kind) {
    case 'choice':
      return `"\${${holes.hole++}|${shape.choices.map((choice) => choice.value).join(',')}|}"`;
    case 'boolean':
      return `\${${holes.hole++}|true,false|}`;
    case 'text':
      return `"${hole(holes, value?.slice(1, -1) ?? '')}"`;
    case 'integer':
    case 'float':
    case 'user':
      return hole(holes, value ?? '');
    case 'threshold':
      return hole(holes, '1.0');
    case 'artifact':
      return `"${hole(holes, '')}"`;
    case 'list':
      return `[${shape.item.kind === 'table' ? tableSnippet(shape.item.table, holes) : shapeSnippet(shape.item, null, holes)}]`;
    case 'map':
      return `{ ${hole(holes, 'NAME')} = "${hole(holes, '')}" }`;
    case 'table':
      return tableSnippet(shape.table, holes);
    case 'free-table':
      return `{ ${hole(holes, '')} }`;
  }
}

/** The keys that must be there, each with a hole. */
function tableSnippet(table: Table, holes: Holes): string {
  const required = Object.entries<AnyKey>(table.keys).filter(([, key]) => key.presence.kind === 'required');
  if (required.length === 0) return `{ ${hole(holes, '')} }`;
  return `{ ${required.map(([name, key]) => `${name} = ${shapeSnippet(key.type, null, holes)}`).join(', ')} }`;
}

function hole(holes: Holes, value: string): string {
  const number = holes.hole++;
  return value === '' ? `$${number}` : `\${${number}:${plain(value)}}`;
}
