import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/core/text/edits';
import { linesOf } from '../../../src/core/text/lines';

const edit = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
});

describe('edits', () => {
  it('refer to the text as it was, in any order', () => {
    expect(applyEdits('ab\r\ncd\n', [edit(1, 0, 1, 'XYZ'), edit(0, 1, 2, '')])).toBe('a\r\nXYZd\n');
  });

  it('take a place beyond the text as its end', () => {
    expect(applyEdits('ab', [edit(9, 0, 0, '!')])).toBe('ab!');
    expect(applyEdits('', [edit(0, 0, 0, 'new')])).toBe('new');
  });

  it('are not made when they overlap or their order would decide', () => {
    expect(applyEdits('abcd', [edit(0, 0, 2, 'x'), edit(0, 1, 3, 'y')])).toBeNull();
    expect(applyEdits('abcd', [edit(0, 1, 1, 'x'), edit(0, 1, 1, 'y')])).toBeNull();
    expect(applyEdits('abcd', [edit(0, 0, 2, 'x'), edit(0, 2, 3, 'y')])).toBe('xyd');
  });

  it('of each line, by its own text, change nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', '🌊', '"'), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const lines = linesOf(text);
        const same = Array.from({ length: lines.count }, (_, n) => edit(n, 0, lines.line(n).length, lines.line(n)));
        expect(applyEdits(text, same)).toBe(text);
      }),
    );
  });
});
