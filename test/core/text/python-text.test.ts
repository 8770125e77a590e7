import { expect, test } from 'vitest';
import { matchesWhole, parsePythonFloat, strip } from '../../../src/core/text/python-text';

test('strip removes what Python removes', () => {
  expect(strip('\u001c \u0085a\u00a0b\u2003\n')).toBe('a\u00a0b');
  expect(strip('\ufeffa\u200b')).toBe('\ufeffa\u200b');
});

test('a dollar also matches before one newline at the end', () => {
  expect([matchesWhole(/^a$/u, 'a\n'), matchesWhole(/^a$/u, 'a\n\n'), matchesWhole(/^a$/u, 'a')]).toEqual([
    true,
    false,
    true,
  ]);
});

// Values of `float()` in Python 3.
test.each([
  ['1_000.5', 1000.5],
  [' 1e1\t', 10],
  ['+.5', 0.5],
  ['5.', 5],
  ['١٢', 12],
  ['𝟜', 4],
  ['INFINITY', Infinity],
  ['-inf', -Infinity],
  ['nan', NaN],
  ['1__0', undefined],
  ['_1', undefined],
  ['1_', undefined],
  ['0x10', undefined],
  ['', undefined],
  ['1e', undefined],
  ['1 0', undefined],
])('%j is %s', (text, value) => {
  expect(parsePythonFloat(text)).toEqual(value);
});
