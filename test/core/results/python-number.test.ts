import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPythonFloat, formatPythonInt, parsePythonFloat } from '../../../src/core/results/python-number';

describe('numbers as Python prints them', () => {
  it.each<[number, string]>([
    [1, '1.0'],
    [0, '0.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [-2.5, '-2.5'],
    [1e-7, '1e-07'],
    [1.5e-7, '1.5e-07'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [123456.789, '123456.789'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [1.5e22, '1.5e+22'],
    [1e100, '1e+100'],
    [5e-324, '5e-324'],
    [0.8333333333333334, '0.8333333333333334'],
    [Number.NaN, 'nan'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
  ])('%d is %s', (value, text) => {
    expect(formatPythonFloat(value)).toBe(text);
  });

  it('prints whole numbers in full', () => {
    expect([0, -0, 7, -7, 2 ** 60, 1e22].map(formatPythonInt)).toEqual([
      '0',
      '0',
      '7',
      '-7',
      '1152921504606846976',
      '10000000000000000000000',
    ]);
  });

  it('reads back what it prints', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(parsePythonFloat(formatPythonFloat(value))).toBe(value);
      }),
    );
  });
});
