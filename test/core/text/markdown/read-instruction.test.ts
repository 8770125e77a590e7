import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInstruction } from '../../../../src/core/text/markdown/read-instruction';

const sentences = (text: string): readonly string[] => readInstruction(text).sentences.map((sentence) => sentence.text);

describe('readInstruction', () => {
  it('cuts prose into sentences, not at dots in code, numbers and abbreviations', () => {
    expect(sentences('Write `a. B` to `/x.txt`. Use e.g. This one. It is 1.5 wide! Then stop')).toEqual([
      'Write `a. B` to `/x.txt`.',
      'Use e.g. This one.',
      'It is 1.5 wide!',
      'Then stop',
    ]);
    expect(sentences('読む。書く。')).toEqual(['読む。', '書く。']);
  });

  it('knows the item that a sentence is in, and what introduces the list', () => {
    const text = readInstruction(
      'Create in `/srv`:\n\n- one. Two\n  - deep\n- three\n\n| a | b |\n|---|---|\n| `c` | d |\n',
    );
    expect(text.sentences.map(({ text: own, depth, lead, place }) => [own, depth, lead, place])).toEqual([
      ['Create in `/srv`:', 0, null, 'prose'],
      ['one.', 1, 0, 'prose'],
      ['Two', 1, 1, 'prose'],
      ['deep', 2, 1, 'prose'],
      ['three', 1, 0, 'prose'],
      ['| a | b |', 0, null, 'row'],
      ['| `c` | d |', 0, null, 'row'],
    ]);
  });

  it('tells whether a fence is closed, also an indented one', () => {
    const closed = (text: string): readonly boolean[] => readInstruction(text).fences.map((fence) => fence.closed);
    expect(closed('a\n```\nb\n```\n')).toEqual([true]);
    expect(closed('a\n```json\nb\n')).toEqual([false]);
    expect(closed('- a\n  ~~~\n  b\n')).toEqual([false]);
    expect(closed('- a\n  ~~~\n  b\n\nmore\n')).toEqual([true]);
    expect(closed('````\n```\n````')).toEqual([true]);
    expect(closed('a\n\n    code\n')).toEqual([true]);
    expect(readInstruction('```json\n{"a": 1}\n```').fences[0]).toMatchObject({ language: 'json', code: '{"a": 1}' });
  });

  it('leaves out a leading canary, and keeps comments further down', () => {
    const text = readInstruction('<!-- some canary -->\n# Canary two\n\nDo it.\n\n<!-- read `/x` -->\n');
    expect(text.text.slice(text.agentStart, text.agentStart + 6)).toBe('Do it.');
    expect(text.headings).toEqual([]);
    expect(text.sentences.map(({ text: own, place }) => [own, place])).toEqual([
      ['Do it.', 'prose'],
      ['read `/x`', 'comment'],
    ]);
    expect(text.comments).toHaveLength(1);
  });

  it('blanks code, comments and link targets of the words, and keeps the length', () => {
    const [sentence] = readInstruction('See **the** `code` in [this](http://x/y) <!-- no -->.').sentences;
    expect(sentence?.words).toHaveLength(sentence?.text.length ?? 0);
    expect(sentence?.words.replace(/ +/gu, ' ')).toBe('See the in [this]( ) .');
  });

  it.each(['\uFEFF# A\n\nb `c`\n', '# A\r\n\r\nb `c`\r\n', '# A\r\rb `c`\r', '# 😀\n\n鍵 `c`\n'])(
    'is right about %j',
    (source) => {
      const text = readInstruction(source);
      expect(text.headings).toHaveLength(1);
      expect(text.codes.map(({ body }) => source.slice(body.start, body.end))).toEqual(['c']);
    },
  );

  it('agrees with a full Markdown parser on fences, headings and inline code', () => {
    const lines = [
      'Write `x` now.',
      '# One',
      '## `two` end',
      '- item `a`',
      '  - deeper ``b ` c``',
      '```',
      '```json',
      '~~~',
      '    indented',
      '',
      '',
      '> quoted `q`',
      '1. first',
      '   more `m`',
      'text with [a `l`](u)',
      // No tables: on what ends one, parsers do not agree.
      '***',
      'Title',
      '=====',
      '{"a": 1}',
      '\\`not`',
      '<!-- c -->',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 14 }), (picked) => {
        const source = picked.join('\n');
        const text = readInstruction(source);
        const known = byLibrary(source);
        expect(text.fences.filter(({ fenced }) => fenced).map(({ start, end }) => [start, end])).toEqual(known.fences);
        expect(text.headings.map(({ start, level }) => [start, level])).toEqual(known.headings);
        expect(text.codes.map(({ start, end }) => [start, end])).toEqual(known.codes);
      }),
      { numRuns: 400 },
    );
  });

  it('never throws, and all spans lie in the text and in order', () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      '```',
      '\n',
      '\r\n',
      '  ',
      '- ',
      '# ',
      '<!--',
      '-->',
      '[',
      '](',
      ')',
      '/srv/x',
      ' y.json',
      '. ',
      '|',
      '---',
      '😀',
      '*',
      '> ',
      '├── ',
      'port 80',
      '{"a": 1}',
      'http://a:1/b',
      '\0',
      'e.g. ',
      '<b>',
      '\t',
      '1. ',
      '\uFEFF',
      'do not modify ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = readInstruction(pieces.join(''));
        const { mentions } = text;
        const spans = [
          text.sentences,
          text.fences,
          text.codes,
          text.links,
          text.headings,
          text.comments,
          mentions.paths,
          mentions.urls,
          mentions.ports,
          mentions.numbers,
          mentions.functions,
          mentions.variables,
          mentions.keys,
          mentions.routes,
        ];
        for (const span of spans.flat()) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(text.text.length);
        }
        for (const mention of [mentions.paths, mentions.keys, mentions.ports].flat())
          expect(text.text.slice(mention.start, mention.end)).toBe(mention.text);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['one long line', 'a'.repeat(300_000)],
    ['nested quotes', '> '.repeat(50_000)],
    ['nested lists', '- '.repeat(50_000)],
    ['open links', '[a]('.repeat(40_000)],
    ['open comments', '<!--a'.repeat(40_000)],
    ['backticks', Array.from({ length: 9_000 }, (_, index) => `${'`'.repeat((index % 200) + 1)}a`).join(' ')],
    ['open brackets', '['.repeat(100_000)],
  ])(
    'is quick with %s',
    (_, source) => {
      const text = readInstruction(source);
      expect(text.mentions.paths.length).toBeLessThan(10);
    },
    5_000,
  );
});

interface Spans {
  readonly fences: [number, number][];
  readonly headings: [number, number][];
  readonly codes: [number, number][];
}

function byLibrary(source: string): Spans {
  const spans: Spans = { fences: [], headings: [], codes: [] };
  interface Node {
    readonly type: string;
    readonly depth?: number | undefined;
    readonly position?:
      undefined | { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } };
    readonly children?: readonly Node[] | undefined;
  }
  const walk = (node: Node): void => {
    const start = node.position?.start.offset ?? 0;
    const end = node.position?.end.offset ?? 0;
    if (node.type === 'code' && /[`~]/u.test(source[start] ?? '')) spans.fences.push([start, end]);
    if (node.type === 'heading') spans.headings.push([start, node.depth ?? 0]);
    if (node.type === 'inlineCode') spans.codes.push([start, end]);
    for (const child of node.children ?? []) walk(child);
  };
  const root: unknown = fromMarkdown(source, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  walk(root as Node);
  return spans;
}
