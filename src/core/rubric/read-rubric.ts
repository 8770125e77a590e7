import type { Lines } from '../text/lines';
import { linesOf } from '../text/lines';
import type { Range } from '../text/position';
import { readToml } from '../text/toml';
import { readYaml } from '../text/yaml/read-yaml';
import { firstWrongToken } from './json-token';
import type { Criterion, RubricFile, RubricProblem, RubricText, RubricWeight } from './rubric';
import type { RubricEntry, RubricValue } from './rubric-value';
import { ofToml, ofYaml } from './rubric-value';

export type RubricFormat = 'toml' | 'yaml' | 'json';

/** The format by the file's name; null for another. */
export function rubricFormat(path: string): RubricFormat | null {
  const extension = /\.(toml|ya?ml|json)$/iu.exec(path)?.[1]?.toLowerCase();
  return extension === 'toml' || extension === 'json' ? extension : extension === undefined ? null : 'yaml';
}

/** Reads a rubric. Never throws; what is missing is a problem, and what can be read is there all the same. */
export function readRubric(text: string, format: RubricFormat): RubricFile {
  const lines = linesOf(text);
  const root = rootOf(text, format, lines);
  if (!root.ok) return { list: null, criteria: [], problems: root.problems };
  const top: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: lines.line(0).length } };
  const entry = root.value?.kind === 'map' ? root.value.entries.get('criteria') : undefined;
  const list = root.value?.kind === 'list' ? root.value : entry?.value;
  if (list === undefined)
    return { list: null, criteria: [], problems: [{ message: 'The rubric has no list named criteria.', range: top }] };
  if (list.kind !== 'list')
    return {
      list: null,
      criteria: [],
      problems: [{ message: 'criteria is not a list.', range: entry?.keyRange ?? top }],
    };
  const problems: RubricProblem[] = [];
  const criteria = list.items.flatMap((item, index): readonly Criterion[] => {
    if (item.kind !== 'map') {
      problems.push({ message: `Criterion ${index + 1} is no table of id, text and weight.`, range: item.range });
      return [];
    }
    const criterion = criterionOf(item.entries, firstLine(item.range, lines), text, lines);
    const name = criterion.id?.text ?? `${index + 1}`;
    for (const [key, value] of [
      ['id', criterion.id],
      ['text', criterion.text],
    ] as const) {
      if (value !== null && value.text.trim() !== '') continue;
      const given = item.entries.get(key);
      const isEmpty = value !== null;
      problems.push({
        message:
          given === undefined
            ? `Criterion ${name} has no ${key}.`
            : `The ${key} of criterion ${isEmpty && key === 'id' ? `${index + 1}` : name} is ${isEmpty ? 'empty' : 'no text'}.`,
        range: given?.value.range ?? criterion.range,
      });
    }
    return [criterion];
  });
  if (list.items.length === 0)
    problems.push({ message: 'The rubric has no criterion.', range: entry?.keyRange ?? top });
  return { list: entry?.keyRange ?? firstLine(list.range, lines), criteria, problems };
}

type Root =
  | { readonly ok: true; readonly value: RubricValue | null }
  | { readonly ok: false; readonly problems: readonly RubricProblem[] };

function rootOf(text: string, format: RubricFormat, lines: Lines): Root {
  if (format === 'toml') {
    const toml = readToml(text);
    return toml.ok
      ? { ok: true, value: ofToml(toml.root) }
      : { ok: false, problems: [{ message: toml.message, range: toml.range }] };
  }
  if (format === 'json') {
    const trouble = jsonTrouble(text, lines);
    if (trouble !== null) return { ok: false, problems: [trouble] };
  }
  // JSON is YAML too, and this reader keeps the places.
  const yaml = readYaml(text);
  if (!yaml.ok) return { ok: false, problems: yaml.errors.map(({ message, range }) => ({ message, range })) };
  return { ok: true, value: yaml.root === null ? null : ofYaml(yaml.root) };
}

function jsonTrouble(text: string, lines: Lines): RubricProblem | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const [start, end] = firstWrongToken(text);
    return { message: 'This is no JSON.', range: lines.range(start, end) };
  }
}

function criterionOf(entries: ReadonlyMap<string, RubricEntry>, range: Range, source: string, lines: Lines): Criterion {
  const weight = entries.get('weight')?.value;
  const tags = entries.get('tags')?.value;
  return {
    id: textOf(entries.get('id')?.value, source, lines),
    text: textOf(entries.get('text')?.value, source, lines),
    weight: weight === undefined ? null : weightOf(weight, source, lines),
    tags: tags?.kind === 'list' ? tags.items.flatMap((tag) => (tag.kind === 'text' ? [tag.text] : [])) : [],
    range,
  };
}

function textOf(value: RubricValue | undefined, source: string, lines: Lines): RubricText | null {
  // An id may be a number in YAML.
  if (value?.kind === 'number') {
    const written = sliceOf(value.range, source, lines);
    return { text: written, range: value.range, part: () => value.range };
  }
  if (value?.kind !== 'text') return null;
  const { text, range } = value;
  const from = lines.offset(range.start);
  const inner = source.slice(from, lines.offset(range.end)).indexOf(text);
  return {
    text,
    range,
    part: (start, end) => (inner < 0 || text === '' ? range : lines.range(from + inner + start, from + inner + end)),
  };
}

function weightOf(value: RubricValue, source: string, lines: Lines): RubricWeight {
  const written = sliceOf(value.range, source, lines);
  if (value.kind !== 'number') return { value: null, isFraction: false, written, range: value.range };
  return { value: value.value, isFraction: value.isFraction, written, range: value.range };
}

function sliceOf(range: Range, source: string, lines: Lines): string {
  return source.slice(lines.offset(range.start), lines.offset(range.end));
}

function firstLine({ start, end }: Range, lines: Lines): Range {
  return end.line === start.line
    ? { start, end }
    : {
        start,
        end: { line: start.line, character: Math.max(start.character, lines.line(start.line).trimEnd().length) },
      };
}
