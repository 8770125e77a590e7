import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../src/core/text/lines';
import type { Range } from '../../../../src/core/text/position';
import { readYaml } from '../../../../src/core/text/yaml/read-yaml';
import type { YamlValue } from '../../../../src/core/text/yaml/yaml-tree';
import { yamlAt } from '../../../../src/core/text/yaml/yaml-tree';

const at = (text: string, { start, end }: Range): string => {
  const lines = linesOf(text);
  return text.slice(lines.offset(start), lines.offset(end));
};

const root = (text: string): YamlValue | null => {
  const result = readYaml(text);
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result.root;
};

describe('readYaml', () => {
  it('keeps the ranges of keys and values, with emoji and CRLF before them', () => {
    const text = '# 😀\r\nname: "鍵"\r\nports:\r\n  - 80\r\n  - "8080:80"\r\n';
    const value = root(text);
    const ports = yamlAt(value, 'ports');
    expect(ports?.kind === 'list' && ports.items.map((item) => at(text, item.range))).toEqual(['80', '"8080:80"']);
    expect(value?.kind === 'map' && at(text, value.entries.get('name')?.keyRange ?? neverRange)).toBe('name');
    expect(at(text, yamlAt(value, 'name')?.range ?? neverRange)).toBe('"鍵"');
  });

  it('tells duplicate keys and broken flow at their place', () => {
    const text = 'a: 1\nb: 2\na: 3\n';
    const result = readYaml(text);
    expect(result.ok).toBe(false);
    if (!result.ok)
      expect(result.errors.map(({ code, range }) => [code, range.start.line])).toEqual([['DUPLICATE_KEY', 2]]);
    expect(readYaml('a: [1, 2\nb: 3\n').ok).toBe(false);
    expect(readYaml('a:\n\t- b\n').ok).toBe(false);
  });

  it('resolves aliases and merges, own keys first', () => {
    const text = 'base: &b { image: x, user: root }\nmain:\n  <<: *b\n  user: me\n';
    const value = root(text);
    expect(yamlAt(value, 'main', 'image')).toMatchObject({ value: 'x' });
    expect(yamlAt(value, 'main', 'user')).toMatchObject({ value: 'me' });
  });

  it('stops where aliases unfold without end', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    expect(readYaml(lines.join('\n')).ok).toBe(false);
    expect(readYaml('a: &a [*a]\n')).toBeDefined();
  });

  it('says of an empty document that it is empty', () => {
    expect(root('')).toBeNull();
    expect(root('# nothing\n')).toBeNull();
  });

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['braces', '{a: '.repeat(20_000)],
    ['dashes', '- '.repeat(20_000)],
    ['indentation', Array.from({ length: 1_500 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['a long line', `a: ${'x'.repeat(400_000)}`],
    ['too much', 'a: 1\n'.repeat(200_000)],
    ['binary', '\0\u0001\uFFFD'.repeat(1_000)],
  ])('survives %s', (_, text) => {
    expect(() => readYaml(text)).not.toThrow();
  });

  it('never throws, and every range lies in the text', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&x ',
      '*x',
      '|',
      '>',
      '#',
      '😀',
      '\t',
      '<<: ',
      '---\n',
      '!!',
      '? ',
      ',',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const lines = linesOf(text);
        const check = ({ start, end }: Range): void => {
          expect(lines.position(lines.offset(start))).toEqual(start);
          expect(lines.offset(end)).toBeGreaterThanOrEqual(lines.offset(start));
        };
        const walk = (value: YamlValue, depth: number): void => {
          check(value.range);
          if (depth > 10) return;
          if (value.kind === 'list') for (const item of value.items) walk(item, depth + 1);
          if (value.kind === 'map')
            for (const entry of value.entries.values()) {
              check(entry.keyRange);
              check(entry.range);
              walk(entry.value, depth + 1);
            }
        };
        const result = readYaml(text);
        if (!result.ok) for (const { range } of result.errors) check(range);
        else if (result.root !== null) walk(result.root, 0);
      }),
      { numRuns: 500 },
    );
  });
});

const neverRange: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
