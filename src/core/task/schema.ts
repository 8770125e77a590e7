import type { AnyKey, Shape, Table, TextFormat } from './keys/key';
import { isLegacy } from './keys/key';
import { taskTable } from './keys/task-table';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft 7) of task.toml, made of the table of keys. It never refuses what Harbor accepts: conversions
 * of texts to numbers are in it, and unknown keys, which Harbor ignores, pass. Conditions between keys are only told in
 * the descriptions.
 */
export function taskSchema(): Schema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...tableSchema(taskTable) };
}

function tableSchema(table: Table): Schema {
  const entries = Object.entries(table.keys);
  const required = entries.filter(([, key]) => key.presence.kind === 'required').map(([name]) => name);
  return {
    title: table.title,
    description: table.doc,
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, key]) => [name, keySchema(key)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function keySchema(key: AnyKey): Schema {
  if (isLegacy(key)) {
    // Its type is checked by Harbor only where it says so; elsewhere the value is read by the conversion alone.
    const shape = key.isChecked === true ? shapeSchema(key.type) : {};
    return { ...shape, deprecated: true, description: `${key.doc} Use \`${key.presence.replacedBy}\`.` };
  }
  const { doc, unit, constraint, since, withoutEffect } = key;
  const notes = [
    doc,
    unit === undefined ? null : `Unit: ${unit}.`,
    constraint,
    withoutEffect === undefined ? null : `Without effect here: ${withoutEffect}`,
    since === undefined ? null : `Since ${since}.`,
  ];
  const description = notes.filter((note) => note !== null && note !== undefined).join(' ');
  const { presence } = key;
  return {
    ...shapeSchema(key.type),
    description,
    ...(presence.kind === 'default' ? { default: presence.value } : {}),
  };
}

/** Numbers may be written as texts. Every text that Harbor converts matches, and few others do. */
const integerText = '^\\s*[+-]?[0-9]+(_[0-9]+)*(\\.0+)?\\s*$';
const floatText =
  '^\\s*[+-]?([Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?|[Nn][Aa][Nn]|[0-9_]+\\.?[0-9_]*([Ee][+-]?[0-9_]+)?|\\.[0-9_]+([Ee][+-]?[0-9_]+)?)\\s*$';

function shapeSchema(shape: Shape): Schema {
  switch (shape.kind) {
    case 'text':
      return { type: 'string', ...patternOf(shape.format) };
    case 'integer':
      return { anyOf: [{ type: 'integer' }, { type: 'string', pattern: integerText }, { type: 'boolean' }] };
    case 'float':
      return { anyOf: [{ type: 'number' }, { type: 'string', pattern: floatText }, { type: 'boolean' }] };
    case 'boolean':
      return {
        anyOf: [
          { type: 'boolean' },
          { enum: [0, 1] },
          {
            type: 'string',
            pattern: anyCase(['true', 't', 'yes', 'y', 'on', '1', 'false', 'f', 'no', 'n', 'off', '0']),
          },
        ],
      };
    case 'choice': {
      const values = shape.choices.map(({ value }) => value);
      const accepted = [...values, ...Object.keys(shape.aliases ?? {})];
      const offered = { enum: values, enumDescriptions: shape.choices.map(({ doc }) => doc) };
      if (shape.lowerCased === true) return { anyOf: [offered, { type: 'string', pattern: anyCase(accepted) }] };
      return accepted.length === values.length ? offered : { anyOf: [offered, { enum: accepted }] };
    }
    case 'user':
      return { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] };
    case 'list':
      return { type: 'array', items: shapeSchema(shape.item) };
    case 'map':
      return { type: 'object', additionalProperties: shapeSchema(shape.value) };
    case 'threshold': {
      const number = shapeSchema({ kind: 'float' });
      return { anyOf: [number, { type: 'object', additionalProperties: number }] };
    }
    case 'artifact':
      return { anyOf: [{ type: 'string' }, tableSchema(shape.table)] };
    case 'table':
      return tableSchema(shape.table);
    case 'free-table':
      return { type: 'object' };
  }
}

function patternOf(format: TextFormat | undefined): Schema {
  return format?.pattern === undefined ? {} : { pattern: format.pattern };
}

/** A pattern for any of the words, whatever the case of their letters: JSON Schema has no flag for that. */
function anyCase(words: readonly string[]): string {
  const spelled = words.map((word) =>
    Array.from(word, (letter) => {
      const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()];
      return upper === lower ? letter.replace(/[^\w]/, '\\$&') : `[${upper}${lower}]`;
    }).join(''),
  );
  return `^(${spelled.join('|')})$`;
}
