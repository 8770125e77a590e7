import type { AnyKey, Key, Sensible, Shape } from '../../core/task/keys/key';
import { isLegacy } from '../../core/task/keys/key';
import { tomlString } from '../../core/text/toml-edit';

/** What a key takes, in the fewest words: `integer (MiB)`. */
export function typeWords(key: AnyKey): string {
  const unit = isLegacy(key) || key.unit === undefined ? '' : ` (${key.unit})`;
  return `${shapeWords(key.type)}${unit}`;
}

export function shapeWords(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return shape.format === undefined ? 'string' : `string: ${shape.format.name}`;
    case 'integer':
      return 'integer';
    case 'float':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'choice':
      return shape.choices.map(({ value }) => tomlString(value)).join(' | ');
    case 'user':
      return 'string or integer';
    case 'list':
      return shape.item.kind === 'table'
        ? 'array of tables'
        : shape.item.kind === 'artifact'
          ? 'array of paths or tables'
          : 'array of strings';
    case 'map':
      return 'table of strings by name';
    case 'threshold':
      return 'number, or table of numbers by reward key';
    case 'artifact':
      return 'path or table';
    case 'table':
      return 'table';
    case 'free-table':
      return 'table with anything in it';
  }
}

/** What is in force where a key is absent, as TOML; null where nothing can be said in TOML. */
export function defaultText(key: AnyKey): string | null {
  if (key.presence.kind !== 'default') return null;
  return valueText(key.presence.value, key.type);
}

function valueText(value: unknown, shape: Shape): string | null {
  if (typeof value === 'string') return tomlString(value);
  if (typeof value === 'number')
    return shape.kind === 'float' && Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : null;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? '{}' : null;
}

/** One key in Markdown: what it does, what it takes, what is in force without it, and what becomes of a wrong value. */
export function keyMarkdown(name: string, key: AnyKey): string {
  if (isLegacy(key)) {
    return joined([
      `**\`${name}\`**: ${typeWords(key)}, deprecated`,
      key.doc,
      `Write \`${key.presence.replacedBy}\` instead.`,
    ]);
  }
  const fallback = defaultText(key);
  const facts = [
    key.presence.kind === 'required' ? 'Required' : null,
    fallback === null ? null : `Default \`${fallback}\``,
    key.since === undefined ? null : `Since format ${key.since} (Harbor checks no version)`,
  ].filter((fact) => fact !== null);
  return joined([
    `**\`${name}\`**: ${typeWords(key)}`,
    key.doc,
    key.withoutEffect === undefined ? null : `**Without effect here.** ${key.withoutEffect}`,
    facts.length === 0 ? null : facts.join(' · '),
    choiceList(key.type),
    key.constraint ?? null,
    wrongWords(key),
  ]);
}

/** A variable, or anything else whose name is the author's own. */
export function memberMarkdown(name: string, of: string, shape: Shape): string {
  return joined([`**\`${name}\`** in \`${of}\`: ${shapeWords(shape)}`, refusal(shape)]);
}

export function choiceList(shape: Shape): string | null {
  if (shape.kind !== 'choice') return null;
  return shape.choices.map(({ value, doc }) => `- \`${tomlString(value)}\`: ${doc}`).join('\n');
}

function wrongWords(key: Key<unknown>): string | null {
  const sentences = [key.wrong ?? null, refusal(key.type), key.sensible === undefined ? null : limit(key.sensible)];
  const said = sentences.filter((sentence) => sentence !== null);
  return said.length === 0 ? null : `*If wrong:* ${said.join(' ')}`;
}

/** What makes Harbor refuse the file; a refused task drops out of a dataset without a word. */
function refusal(shape: Shape): string | null {
  switch (shape.kind) {
    case 'text':
      return 'A value without quotes makes Harbor refuse the whole file.';
    case 'integer':
      return 'A value that is no whole number makes Harbor refuse the whole file.';
    case 'float':
      return 'A value that is no number makes Harbor refuse the whole file.';
    case 'boolean':
      return 'A value that is neither true nor false makes Harbor refuse the whole file.';
    case 'choice':
      return 'Any other value, or another case, makes Harbor refuse the whole file.';
    case 'user':
      return 'A fraction makes Harbor refuse the whole file.';
    case 'map':
      return 'A number or boolean without quotes makes Harbor refuse the whole file.';
    case 'list':
      return shape.item.kind === 'table' || shape.item.kind === 'artifact'
        ? null
        : 'A bare string instead of an array makes Harbor refuse the whole file.';
    case 'threshold':
      return 'A value that is no number makes Harbor refuse the whole file.';
    case 'artifact':
    case 'table':
    case 'free-table':
      return null;
  }
}

function limit({ atLeast, moreThan, otherwise }: Sensible): string | null {
  if (atLeast !== undefined) return `Less than ${atLeast} is accepted, but ${otherwise}.`;
  return moreThan === undefined ? null : `${moreThan} or less is accepted, but ${otherwise}.`;
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}
