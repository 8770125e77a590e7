import dockerignore from '@balena/dockerignore';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchSegment } from '../../../../src/core/text/dockerfile/glob';
import { ignoredBy, readIgnoreFile } from '../../../../src/core/text/dockerfile/ignore-file';

const left = (text: string, ...paths: string[]): string[] => {
  const rules = readIgnoreFile(text);
  return paths.filter((path) => ignoredBy(rules, path) === null);
};

describe('an ignore file', () => {
  it('leaves out files and what lies in folders', () => {
    expect(left('a.txt\n/data/\n*.pyc\n', 'a.txt', 'sub/a.txt', 'data/x', 'b.pyc', 'sub/b.pyc')).toEqual([
      'sub/a.txt',
      'sub/b.pyc',
    ]);
    expect(left('**/*.pyc\nx/**\n', 'b.pyc', 'a/b/c.pyc', 'x/y/z', 'xx')).toEqual(['xx']);
  });

  it('lets the last pattern decide', () => {
    expect(left('*\n!keep\n!data/*.csv\n', 'keep', 'keep/inner', 'data/a.csv', 'data/b.txt', 'Dockerfile')).toEqual([
      'keep',
      'keep/inner',
      'data/a.csv',
    ]);
    expect(left('!a\na\n', 'a')).toEqual([]);
  });

  it('has the range of each pattern', () => {
    const text = '# note\r\n\r\n  data/ \r\n!x';
    const rules = readIgnoreFile(text);
    expect(rules.map((rule) => text.slice(rule.start, rule.end))).toEqual(['data/', '!x']);
    expect(ignoredBy(rules, 'data/a')?.text).toBe('data/');
  });

  const part = fc.constantFrom('a', 'b', '*', '**', 'a*', '?', '.x', '*.py');
  const pattern = fc.tuple(fc.constantFrom('', '!', '/'), fc.array(part, { minLength: 1, maxLength: 3 }));
  const segment = fc.constantFrom('a', 'b', 'ab', '.x', 'm.py');

  it('agrees with the reader that builds use', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { maxLength: 4 }),
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        (patterns, path) => {
          const text = patterns.map(([mark, parts]) => mark + parts.join('/')).join('\n');
          const file = path.join('/');
          const ours = ignoredBy(readIgnoreFile(text), file) !== null;
          expect({ text, file, ignored: ours }).toEqual({
            text,
            file,
            ignored: dockerignore({ ignorecase: false }).add(text).ignores(file),
          });
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('matchSegment', () => {
  it('knows the signs of Go', () => {
    const cases: [string, string, boolean][] = [
      ['*.csv', 'a.csv', true],
      ['a?c', 'abc', true],
      ['[a-c]x', 'bx', true],
      ['[^a-c]x', 'bx', false],
      ['\\*', '*', true],
      ['\\*', 'a', false],
      ['[', '[', true],
      ['*', '', true],
      ['', '', true],
    ];
    for (const [glob, text, expected] of cases)
      expect([glob, text, matchSegment(glob, text)]).toEqual([glob, text, expected]);
  });

  it('does not take long for a bad pattern', () => {
    const started = performance.now();
    expect(matchSegment(`${'*a'.repeat(2000)}b`, 'a'.repeat(20_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
