import type { SettingKey, SettingKeys, SettingShape } from './keys';
import { settingKeys } from './keys';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema (draft 7) of taskwright.toml, made of the table of its keys. */
export function settingsSchema(ruleIds: readonly string[]): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'taskwright.toml',
    description: 'What a workspace of tasks asks of them.',
    ...tableSchema(settingKeys, ruleIds),
  };
}

function tableSchema(keys: SettingKeys, ruleIds: readonly string[]): Schema {
  const entries = Object.entries(keys);
  const required = entries.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, key]) => [name, keySchema(key, ruleIds)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function keySchema({ shape, doc, default: otherwise }: SettingKey, ruleIds: readonly string[]): Schema {
  const description = otherwise === undefined ? doc : `${doc} Default: ${otherwise}.`;
  return { ...shapeSchema(shape, ruleIds), description };
}

/** A text that is not blank. */
const filled: Schema = { type: 'string', pattern: '\\S' };

function shapeSchema(shape: SettingShape, ruleIds: readonly string[]): Schema {
  switch (shape.kind) {
    case 'text':
      return shape.choices === undefined ? filled : { enum: shape.choices };
    case 'boolean':
      return { type: 'boolean' };
    case 'number': {
      const { isWhole, min, max } = shape;
      return {
        type: isWhole ? 'integer' : 'number',
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
      };
    }
    case 'texts': {
      const items = shape.choices === undefined ? filled : { enum: shape.choices };
      return { type: 'array', items, ...(shape.least === undefined ? {} : { minItems: shape.least }) };
    }
    case 'table':
      return tableSchema(shape.keys, ruleIds);
    case 'map': {
      const item = shapeSchema(shape.item, ruleIds);
      if (shape.keys === 'any') return { type: 'object', additionalProperties: item };
      const properties = Object.fromEntries(ruleIds.map((id) => [id, item]));
      return { type: 'object', properties, additionalProperties: false };
    }
    case 'tables':
      return { type: 'array', items: tableSchema(shape.keys, ruleIds) };
  }
}
