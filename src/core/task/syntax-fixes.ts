import { applyEdits } from '../text/edits';
import type { Lines } from '../text/lines';
import type { Range } from '../text/position';
import { readToml } from '../text/toml';
import type { ProblemFix } from './problem';

/** Fixes for the usual slips of syntax; each is offered only when the file can be read with it. */
export function syntaxFixes(text: string, lines: Lines, code: string, range: Range): readonly ProblemFix[] {
  return candidates(text, lines, code, range).filter((fix) => {
    const mended = applyEdits(text, fix.edits);
    return mended !== null && readToml(mended).ok;
  });
}

function candidates(text: string, lines: Lines, code: string, range: Range): readonly ProblemFix[] {
  const { line } = range.start;
  const content = lines.line(line);
  const on = (start: number, end: number): Range => ({
    start: { line, character: start },
    end: { line, character: end },
  });
  switch (code) {
    case 'byte-order-mark':
      return [{ title: 'Remove the byte-order mark', edits: [{ range, newText: '' }], preferred: true }];
    case 'invalid-char-in-escape-sequence':
    case 'invalid-code-point': {
      const basic = [...content.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].find(
        ({ index, 0: found }) => index <= range.start.character && range.start.character <= index + found.length,
      );
      const inner = basic?.[1];
      if (basic === undefined || inner === undefined || inner.includes("'")) return [];
      const whole = on(basic.index, basic.index + basic[0].length);
      return [
        { title: 'Take the backslashes literally', edits: [{ range: whole, newText: `'${inner}'` }], preferred: true },
      ];
    }
    case 'unterminated-string': {
      const quote = /=\s*(["'])/u.exec(content)?.[1];
      const end = content.trimEnd().length;
      return quote === undefined
        ? []
        : [{ title: 'Add the missing quote', edits: [{ range: on(end, end), newText: quote }], preferred: true }];
    }
    case 'unexpected-char': {
      const bare = /^(\s*[^=#]+=\s*)([^\s"'#[{][^#"']*?)\s*(?:#.*)?$/u.exec(content);
      const [, before, value] = bare ?? [];
      if (before === undefined || value === undefined) return [];
      const place = on(before.length, before.length + value.length);
      const isBoolean = /^(?:true|false)$/iu.test(value);
      const newText = isBoolean ? value.toLowerCase() : JSON.stringify(value);
      return [{ title: `Write ${newText}`, edits: [{ range: place, newText }], preferred: isBoolean }];
    }
    case 'invalid-trailing-comma-in-inline-table': {
      const comma = text.lastIndexOf(',', lines.offset(range.start));
      return comma < 0
        ? []
        : [
            {
              title: 'Remove the comma',
              edits: [{ range: lines.range(comma, comma + 1), newText: '' }],
              preferred: true,
            },
          ];
    }
    default:
      return [];
  }
}
