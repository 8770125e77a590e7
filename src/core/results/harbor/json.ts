import { parsePythonJson, type PythonJson } from '../python-json';
import { formatPythonFloat, formatPythonInt } from '../python-number';

/** A number that Python holds as a float, and writes with a point: `1.0`. Plain numbers are integers. */
export class Float {
  constructor(readonly value: number) {}
}

export type Json = null | boolean | number | string | Float | readonly Json[] | JsonObject;
/** Members that are undefined are left out. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export interface JsonStyle {
  readonly indent: number;
  /** Writes everything beyond ASCII as `\uXXXX`. */
  readonly ascii?: boolean;
  /** Applied to every text value (not to names), before it is quoted. */
  readonly text?: (text: string) => string;
}

/** JSON as Python writes it: floats with a point, NaN and infinities as null, no newline at the end. */
export function writeJson(value: Json, style: JsonStyle): string {
  return write(value, style, '');
}

/** Reads what `writeJson` wrote, so that it is written again as it was: `1.0` stays a float. null for anything else. */
export function readJson(text: string): Json {
  const read = parsePythonJson(text);
  return read.ok ? toJson(read.value) : null;
}

function toJson(value: PythonJson): Json {
  switch (value.type) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return value.value;
    case 'number':
      return value.number.kind === 'int' ? value.number.value : new Float(value.number.value);
    case 'array':
      return value.items.map(toJson);
    case 'object':
      return Object.fromEntries([...value.members].map(([name, member]) => [name, toJson(member)]));
  }
}

function write(value: Json, style: JsonStyle, margin: string): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(style.text ? style.text(value) : value, style);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? formatPythonInt(value) : 'null';
  if (value instanceof Float) return Number.isFinite(value.value) ? formatPythonFloat(value.value) : 'null';
  const inner = margin + ' '.repeat(style.indent);
  if (isArray(value)) {
    return frame(
      '[]',
      value.map((item) => write(item, style, inner)),
      inner,
      margin,
    );
  }
  const members: string[] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members.push(`${quote(name, style)}: ${write(member, style, inner)}`);
  return frame('{}', members, inner, margin);
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value) && !(value instanceof Float);
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function frame(brackets: '[]' | '{}', parts: readonly string[], inner: string, margin: string): string {
  if (parts.length === 0) return brackets;
  return `${brackets.charAt(0)}\n${parts.map((part) => inner + part).join(',\n')}\n${margin}${brackets.charAt(1)}`;
}

function quote(text: string, style: JsonStyle): string {
  const quoted = JSON.stringify(text);
  if (!style.ascii) return quoted;
  return quoted.replaceAll(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
