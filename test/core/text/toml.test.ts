import fc from 'fast-check';
import { parse as parseWithSmol, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { plainValue } from '../../../src/core/task/decode-free';
import { linesOf } from '../../../src/core/text/lines';
import type { Range } from '../../../src/core/text/position';
import { readToml } from '../../../src/core/text/toml';
import { codeByMessage } from '../../../src/core/text/toml-errors';
import type { TomlTable, TomlValue } from '../../../src/core/text/toml-tree';
import { entryAt, formatPath, valueAt } from '../../../src/core/text/toml-tree';

function read(text: string): TomlTable {
  const result = readToml(text);
  if (!result.ok) throw new Error(`${result.code}: ${text}`);
  return result.root;
}

function slice(text: string, range: Range): string {
  const lines = linesOf(text);
  return text.slice(lines.offset(range.start), lines.offset(range.end));
}

function code(text: string): string | null {
  const result = readToml(text);
  return result.ok ? null : result.code;
}

describe('ranges', () => {
  test('cover keys, values and headers, in UTF-16 units', () => {
    const text = '"🙂" = "ä🙂" # c\r\n[ agent . "x y" ]\r\nuser = { a = [1,\n 2] }\r\n[[steps]]\n[[steps]]\nb.c = 1\n';
    const root = read(text);
    const shown = (path: (string | number)[]): string[] => {
      const entry = entryAt(root, path)!;
      return [entry.keyRange, entry.value.range, entry.range].map((range) => slice(text, range));
    };
    expect(shown(['🙂'])).toEqual(['"🙂"', '"ä🙂"', '"🙂" = "ä🙂"']);
    expect(entryAt(root, ['🙂'])!.value.range.start).toEqual({ line: 0, character: 7 });
    expect(shown(['agent', 'x y'])).toEqual(['"x y"', '[ agent . "x y" ]', '[ agent . "x y" ]']);
    expect(shown(['agent', 'x y', 'user', 'a'])).toEqual(['a', '[1,\n 2]', 'a = [1,\n 2]']);
    expect(slice(text, valueAt(root, ['steps', 1])!.range)).toBe('[[steps]]');
    expect(shown(['steps', 1, 'b', 'c'])).toEqual(['c', '1', 'b.c = 1']);
    expect(entryAt(root, ['steps'])!.mentions).toHaveLength(2);
  });

  test('a header adds to a table that another header implied, and keeps its order', () => {
    const root = read('[a.b]\nx = 1\n[a]\ny = 2\n[[l]]\n[l.m]\nz = 3\n[[l]]\n');
    expect(plainValue(root)).toEqual({ a: { b: { x: 1 }, y: 2 }, l: [{ m: { z: 3 } }, {}] });
    expect(valueAt(root, ['a'])).toMatchObject({ form: 'header' });
  });

  test('paths are written as people write them', () => {
    expect(formatPath(['steps', 0, 'verifier', 'env', 'A B'])).toBe('steps[0].verifier.env."A B"');
  });
});

describe('what Python reads', () => {
  test('line ends of every kind, also within a text', () => {
    expect(plainValue(read('a = 1\rb = """x\r\ny"""\r\nc = 3'))).toEqual({ a: 1, b: 'x\ny', c: 3 });
    expect(linesOf('a\rb\r\nc\n').count).toBe(4);
  });

  test('integers of any size, dates as texts, and keys that objects treat specially', () => {
    const big = '123456789012345678901234567890';
    expect(valueAt(read(`a = ${big}`), ['a'])).toMatchObject({ kind: 'integer', value: BigInt(big) });
    expect(plainValue(read('d = 1979-05-27 07:32:00Z\n__proto__ = 1'))).toEqual(
      Object.fromEntries<unknown>([
        ['d', '1979-05-27 07:32:00Z'],
        ['__proto__', 1],
      ]),
    );
  });

  test.each([
    ['\uFEFFa = 1', 'byte-order-mark'],
    ['a = 1\na = 2', 'dupe-keys'],
    ['a.b = 1\n[a]\n', 'dupe-keys'],
    ['a = 23:59:60', 'invalid-time'],
    ['a = 0000-01-01', 'invalid-date'],
    ['a = 2023-02-29', 'invalid-date'],
    ['a = "\\x41"', 'invalid-char-in-escape-sequence'],
    ['a = { b = 1, }', 'invalid-trailing-comma-in-inline-table'],
    ['a = {\n}', 'invalid-inline-table-newline'],
    ['a = 07:32', 'unexpected-char'],
  ])('%j is refused', (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  test('what is too long or too deep is refused, not thrown', () => {
    expect(code(`a = ${'9'.repeat(4301)}`)).toBe('integer-too-long');
    expect(code(`a = 0x${'f'.repeat(4301)}`)).toBeNull();
    expect(code(`a = ${'['.repeat(600)}${']'.repeat(600)}`)).toBe('too-complex');
    expect(code(`a = ${'['.repeat(100_000)}`)).not.toBeNull();
  });

  test('every message of the parser is known', () => {
    const samples: Readonly<Record<string, string>> = {
      'unterminated-string': 'a = "x',
      'unterminated-table-key': '[a',
      'unterminated-array': 'a = [1',
      'unterminated-inline-table': 'a = {b = 1',
      'missing-key': '[]',
      'missing-newline': 'a = 1 b = 2',
      'missing-equals-sign': 'a 1',
      'missing-value': 'a =',
      'missing-comma': 'a = [1 2]',
      'dupe-keys': 'a = 1\na = 1',
      'unexpected-char': 'a = x',
      'unexpected-token': 'a = = 1',
      'invalid-control-character': 'a = "\u0001"',
      'invalid-key-value-newline': 'a =\n1',
      'invalid-inline-table-newline': 'a = {\nb = 1}',
      'invalid-underscore': 'a = 1__0',
      'invalid-space': '[ [a]]',
      'invalid-three-quotes': 'a = """x""""""',
      'invalid-date': 'a = 1979-13-01',
      'invalid-time': 'a = 25:00:00',
      'invalid-leading-zero': 'a = 01',
      'invalid-trailing-comma-in-inline-table': 'a = {b = 1,}',
      'invalid-char-in-escape-sequence': 'a = "\\q"',
      'invalid-consecutive-dots-in-key': 'a..b = 1',
      'invalid-trailing-dot-in-key': 'a. = 1',
      'invalid-leading-dot-in-key': '[.a]',
    };
    expect(Object.fromEntries(Object.entries(samples).map(([name, text]) => [name, code(text)]))).toEqual(
      Object.fromEntries(Object.keys(samples).map((name) => [name, name])),
    );
    expect(new Set(codeByMessage.values())).toEqual(new Set(Object.keys(samples)));
  });
});

/** Texts that look like TOML often enough to get deep into the reader. */
const snippets = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['a', 'b.c', '"k"', ' = ', '=', '1', '1.5', '"x"', "'y'", '"""', "'''", '[', ']', '[[', ']]', '{', '}'],
        ...[',', '.', '\n', '\r', '\r\n', '#', '\\', '1979-05-27', 'T07:32:00', 'Z', '0x', '_', 'inf', 'true', '🙂'],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('properties', () => {
  test('reading never throws, and ranges lie within the text', () => {
    fc.assert(
      fc.property(snippets, (text) => {
        const lines = linesOf(text);
        const end = lines.position(text.length);
        const inside = (range: Range): void => {
          for (const { line, character } of [range.start, range.end]) {
            expect(line >= 0 && character >= 0).toBe(true);
            expect(line < end.line || (line === end.line && character <= end.character)).toBe(true);
          }
          expect(lines.offset(range.start)).toBeLessThanOrEqual(lines.offset(range.end));
        };
        const visit = (value: TomlValue): void => {
          inside(value.range);
          if (value.kind === 'array') value.items.forEach(visit);
          if (value.kind !== 'table') return;
          for (const entry of value.entries.values()) {
            [entry.range, entry.keyRange, ...entry.mentions].forEach(inside);
            visit(entry.value);
          }
        };
        const result = readToml(text);
        if (result.ok) visit(result.root);
        else inside(result.range);
      }),
      { numRuns: 3000 },
    );
  });

  test('a document that another library writes is read as that library reads it', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const { tree } = fc.letrec<{ tree: Record<string, unknown>; value: unknown }>((tie) => ({
      tree: fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), tie('value'), { maxKeys: 5 }),
      value: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(scalar, { maxLength: 3 }),
        tie('tree'),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = stringify(value);
        const plain = (one: unknown): unknown => JSON.parse(JSON.stringify(one));
        expect(plain(plainValue(read(text)))).toEqual(plain(parseWithSmol(text)));
      }),
      { numRuns: 500 },
    );
  });
});
