import { describe, expect, it } from 'vitest';
import { places } from '../../src/core/task/keys/places';
import { linesOf } from '../../src/core/text/lines';
import { hoverTask } from '../../src/language/hover';
import { mark, withCursor } from './marked';

/** The text with the range marked, then what is shown. */
function shown(marked: string): string {
  const { text, position } = withCursor(marked);
  const hover = hoverTask(text, position);
  return hover === null ? '(nothing)' : `${mark(text, [hover.range])}\n${hover.markdown}`;
}

describe('hover', () => {
  it('tells of a key what it does, its type, unit, default and version, and what becomes of a wrong value', () => {
    expect(shown('[environment]\nbuild_time|out_sec = 9\n')).toBe(
      [
        '[environment]',
        '⟦build_timeout_sec⟧ = 9',
        '',
        '**`build_timeout_sec`**: number (seconds)',
        '',
        'Limit for build, pull and start together.',
        '',
        'Default `600.0`',
        '',
        '*If wrong:* A value that is no number makes Harbor refuse the whole file. 0 or less is accepted, but the build is given up at once.',
      ].join('\n'),
    );
  });

  it('tells where a key has no effect, and what replaces an old one', () => {
    expect(shown('[verifier.environment]\n|build_timeout_sec = 9')).toContain(
      '**Without effect here.** The limit of the top-level [environment] is in force.',
    );
    expect(shown('[environment]\nmemory| = "4G"')).toContain('Write `memory_mb` instead.');
  });

  it('tells of a table, at the part of the header under the cursor', () => {
    expect(shown('[steps.veri|fier.env]')).toContain('[steps.⟦verifier⟧.env]\n**`verifier`**: table');
    expect(shown('[[st|eps]]')).toContain('[[⟦steps⟧]]\n**`steps`**: array of tables');
  });

  it('tells of a value which choice it is', () => {
    expect(shown('[agent]\nnetwork_mode = "allow|list"')).toContain(
      'network_mode = ⟦"allowlist"⟧\n`"allowlist"`: Only the hosts of `allowed_hosts`.',
    );
    expect(shown('[environment]\ntpu = { type = "x", topo|logy = "2x2" }')).toContain('⟦topology⟧');
  });

  it('tells of a template what it becomes, and of what only looks like one', () => {
    expect(shown('[verifier.env]\nA = "${X:-|d}"')).toContain(
      'the variable `X` of the host, and `"d"` where it is not set',
    );
    expect(shown('[verifier.env]\nA = "|${X}"')).toContain('without it the run ends with an error');
    expect(shown('[verifier.env]\nA = "a${X}|"')).toContain('literal text');
    expect(shown('[verifier.env]\n|A = "a"')).toContain('**`A`** in `verifier.env`: string');
  });

  it('says nothing where nothing is known', () => {
    expect(shown('[metadata]\nx| = 1')).toBe('(nothing)');
    expect(shown('[agent]\nnope| = 1')).toBe('(nothing)');
    expect(shown('[agent] # user|')).toBe('(nothing)');
    expect(shown('[agent]\n|\nuser = 1')).toBe('(nothing)');
  });

  it('has the right place with emoji, CJK, tabs and CRLF', () => {
    expect(shown('# 😀\r\n[environment] # 網\r\n\ttpu = { type = "😀", topo|logy = "2x2" }\r\n')).toContain(
      '\ttpu = { type = "😀", ⟦topology⟧ = "2x2" }',
    );
  });

  it('has a sentence for every key at every place', () => {
    for (const { path } of places) {
      const header = path.slice(0, -1).filter((part) => part !== '[]');
      const text = `${header.length === 0 ? '' : `[${header.join('.')}]\n`}${path.at(-1)!} = 1`;
      const hover = hoverTask(text, linesOf(text).position(text.length - 5));
      expect(hover?.markdown, path.join('.')).toMatch(/^\*\*`\w+`\*\*: .+\n\n[A-Z`].+\./u);
    }
  });
});
