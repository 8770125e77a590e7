import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import onig from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const root = join(import.meta.dirname, '../..');
await onig.loadWASM(readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm')));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
    createOnigString: (text) => new onig.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    if (scope !== 'source.toml') return null;
    const path = join(root, 'syntaxes/toml.tmLanguage.json');
    return textmate.parseRawGrammar(readFileSync(path, 'utf8'), path);
  },
});
const grammar = (await registry.loadGrammar('source.toml'))!;

/** Each line, and below it every token with the innermost of its scopes, without `.toml`. */
function scopes(text: string): string {
  let state = textmate.INITIAL;
  return text
    .split('\n')
    .flatMap((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      const said = tokens
        .map((token) => ({ text: line.slice(token.startIndex, token.endIndex), scope: token.scopes.at(-1)! }))
        .filter(({ text: part }) => part.trim() !== '')
        .map(({ text: part, scope }) => `  ${part} ${scope.replace(/\.toml$/, '')}`);
      return [line, ...said];
    })
    .join('\n');
}

describe('the grammar', () => {
  it('names the parts of a task.toml', () => {
    expect(
      scopes(
        [
          '# a comment',
          'artifacts = ["/a", { source = "/b", service = \'api\' }] # more',
          '[environment.env]',
          'A = "${HOME:-/x}"',
          'B.c = "no ${X} \\n \\q"',
          '[[steps]]',
          '"quoted key" = true',
          'n = [1, -2.5e3, 0xff, 1_000,',
          '  2024-01-02T03:04:05Z, inf] # end',
          's = """one',
          '[not a table] \\',
          '""" # after',
          'bad = yes',
        ].join('\n'),
      ),
    ).toMatchSnapshot();
  });

  it('goes on behind what is half typed', () => {
    expect(scopes('[agent\nuser = "x\ntimeout_sec =\ncpus = 1')).toMatchSnapshot();
  });

  it('ends on any text', () => {
    for (const text of ['[', '[[', '{', '"', '"""', '= = =', '\u0000', '😀 = 1', 'a.b.c', '['.repeat(500)])
      expect(() => scopes(`${text}\nx = 1`)).not.toThrow();
  });
});
