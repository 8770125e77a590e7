import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstWrongToken } from '../../../src/core/rubric/json-token';
import { readRubric } from '../../../src/core/rubric/read-rubric';
import { linesOf } from '../../../src/core/text/lines';

describe('readRubric', () => {
  it('gives the same of the three formats', () => {
    const shape = (text: string, format: 'toml' | 'yaml' | 'json'): unknown =>
      readRubric(text, format).criteria.map(({ id, text: own, weight, tags }) => [
        id?.text,
        own?.text,
        weight?.value,
        tags,
      ]);
    const expected = [['a', 'Names the "cause"', 3, ['x']]];
    expect(shape('[[criteria]]\nid = "a"\ntext = \'Names the "cause"\'\nweight = 3\ntags = ["x"]\n', 'toml')).toEqual(
      expected,
    );
    expect(shape('criteria:\n  - id: a\n    text: Names the "cause"\n    weight: 3\n    tags: [x]\n', 'yaml')).toEqual(
      expected,
    );
    expect(
      shape('{"criteria": [{"id": "a", "text": "Names the \\"cause\\"", "weight": 3, "tags": ["x"]}]}', 'json'),
    ).toEqual(expected);
  });

  it('knows the place of a part of a text, and the whole where the text is written otherwise', () => {
    const source = '# 😀\ncriteria:\n  - id: a\n    text: Names 鍵 and host\n    weight: 1\n';
    const lines = linesOf(source);
    const part = readRubric(source, 'yaml').criteria[0]?.text?.part(8, 11);
    expect(part && source.slice(lines.offset(part.start), lines.offset(part.end))).toBe('and');
    const escaped = '{"criteria": [{"id": "a", "text": "Names \\u0061nd host", "weight": 1}]}';
    const text = readRubric(escaped, 'json').criteria[0]?.text;
    expect(text?.part(6, 9)).toEqual(text?.range);
  });

  it('finds where a text stops being JSON', () => {
    const wrong = (text: string): string =>
      JSON.stringify([firstWrongToken(text)[0], text.slice(...firstWrongToken(text))]);
    expect(wrong('{"a": 1,}')).toBe('[8,"}"]');
    expect(wrong('[1 2]')).toBe('[3,"2"]');
    expect(wrong('{"a" 1}')).toBe('[5,"1"]');
    expect(wrong("{'a': 1}")).toBe('[1,"\'"]');
    expect(wrong('[1')).toBe('[2,""]');
    expect(wrong('[1]]')).toBe('[3,"]"]');
  });

  it('never throws, on any text in any format', () => {
    const piece = fc.constantFrom(
      'criteria',
      ': ',
      ' = ',
      '\n',
      '  - ',
      '{',
      '}',
      '[',
      ']',
      '[[criteria]]',
      '"',
      ',',
      'id',
      'text',
      'weight',
      '1',
      '-3.5',
      '😀',
      "'",
      '\r\n',
      '\t',
      '|',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('toml' as const, 'yaml' as const, 'json' as const),
        (pieces, format) => {
          const text = pieces.join('');
          const rubric = readRubric(text, format);
          const lines = linesOf(text);
          for (const { range } of [...rubric.problems, ...rubric.criteria])
            expect(lines.offset(range.end)).toBeGreaterThanOrEqual(lines.offset(range.start));
        },
      ),
      { numRuns: 500 },
    );
  });
});
