import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canFail, noModules } from '../../../../src/core/text/python/checks';
import type { PythonModule } from '../../../../src/core/text/python/module';
import { readPython } from '../../../../src/core/text/python/read';
import type { SyntaxNode } from '../../../../src/core/text/syntax-tree';
import { grammars } from '../../grammars';

const sample = `import os, subprocess as sp
from pathlib import Path
import pytest
OUT = Path(__file__).parent / "a" / f"b{1}.json"
@pytest.fixture(autouse=True)
def thing():
    yield 1
    assert OUT
class TestA(Base):
    X = {"k": [1, 2.5, *more], **rest}
    @pytest.mark.parametrize("a,b", [(1, "x"), (2, "y")])
    def test_a(self, a, b, *args, c=3, **kw):
        """doc 🐝 日本"""
        with open(OUT, mode="r") as f, sp.Popen(["x", b]) as p:
            for i, (j, k) in enumerate(f.read().split()):
                try:
                    assert j == k != 1 and (x := i) in self.X["k"], "m"
                except (ValueError, OSError) as e:
                    raise AssertionError(f"{e!r:>3}") from e
                finally:
                    return lambda q: [y for y in q if y]
        match a:
            case 1 | 2: del b
        while not OUT.exists(): time.sleep(0.5)
        global Z; Z += 1
        return load(f"/srv/{a}") if c else None
def load(p): return load(p + "/x")
`;

/** Asks for everything, and gives every range that is told. */
function everything(module: PythonModule): readonly { readonly start: number; readonly end: number }[] {
  const nodes: SyntaxNode[] = [
    ...module.imports.flatMap(({ node, moduleNode, nameNode }) => [node, moduleNode, nameNode]),
    ...module.functions.flatMap(({ node, nameNode }) => [node, nameNode]),
    ...module.classes.map(({ node }) => node),
    ...module.calls.map(({ node }) => node),
    ...module.asserts.flatMap(({ node, condition }) => [node, condition]),
    ...module.raises.map(({ node }) => node),
    ...module.strings.map(({ node }) => node),
    ...module.keys.flatMap(({ node, key }) => [node, key]),
    ...module.comparisons.flatMap(({ node, left, right }) => [node, left, right]),
    ...module.tests.map((test) => test.function.node),
    ...module.fixtures.map((fixture) => fixture.function.node),
    ...module.checks.map(({ node }) => node),
    ...module.files.flatMap(({ node, pathNode, literal }) => (literal ? [node, pathNode, literal] : [node, pathNode])),
    ...module.commands.flatMap(({ node, commandNode }) => [node, commandNode]),
    ...module.requests.map(({ node }) => node),
    ...module.sleeps.map(({ node }) => node),
    ...module.clocks.map(({ node }) => node),
    ...module.randoms.map(({ node }) => node),
    ...module.searchPaths.map(({ node }) => node),
  ];
  for (const { node } of module.calls) module.foldAll(node);
  for (const { left, right } of module.comparisons) for (const side of [left, right]) module.fold(side);
  for (const called of module.functions) canFail(module, called, noModules);
  return [...nodes, ...module.blocks, ...(module.syntaxError ? [module.syntaxError] : [])];
}

function holds(text: string): void {
  const module = readPython(text, grammars);
  const outside = everything(module).filter(({ start, end }) => start < 0 || end < start || end > text.length);
  expect(outside).toEqual([]);
  const escaped = module.blocks.filter(
    ({ start, end, parent }) => parent !== null && (start < parent.start || end > parent.end),
  );
  expect(escaped).toEqual([]);
}

describe('any text', () => {
  it('is read whole', () => {
    holds(sample);
    expect(readPython(sample, grammars).syntaxError).toBeNull();
  });

  it('is read where it is cut off', () => {
    for (let cut = 0; cut < sample.length; cut += 7) holds(sample.slice(0, cut));
  });

  it('is read where pieces of it are changed', () => {
    const tokens = [
      '(',
      ')',
      '"',
      "'",
      '"""',
      'f"{',
      ':',
      '\n',
      '    ',
      '@',
      'def ',
      '\\',
      '\0',
      '🐝',
      '\ufeff',
      '\r',
      'yield ',
      '*',
      '=',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(sample.length), fc.nat(12), fc.constantFrom(...tokens)), {
          minLength: 1,
          maxLength: 6,
        }),
        (edits) => {
          let text = sample;
          for (const [at, cut, put] of edits) text = text.slice(0, at) + put + text.slice(at + cut);
          holds(text);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is read whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        holds(text);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['brackets', '('.repeat(20_000)],
    ['nested calls', 'f('.repeat(3_000) + ')'.repeat(3_000)],
    ['nested blocks', Array.from({ length: 400 }, (_, at) => `${' '.repeat(at)}if a:\n`).join('')],
    ['a long sum', `x = ${'a + '.repeat(20_000)}b`],
    ['a long line', `x = "${'y'.repeat(1_000_000)}"`],
    ['many asserts', 'def test_a():\n    assert open("/srv/a").read() == "b"\n'.repeat(3_000)],
    ['helpers that call each other', 'def a(p): return b(p) + b(p)\ndef b(p): return a(p) + a(p)\nopen(a("x"))\n'],
    [
      'a fan of helpers',
      Array.from({ length: 30 }, (_, at) => `def f${at}(p): return f${at + 1}(p + "a") + f${at + 1}(p + "b")\n`).join(
        '',
      ) + 'def f30(p): open(p)\nf0("x")\n',
    ],
  ])('ends soon: %s', (_, text) => {
    const before = performance.now();
    holds(text);
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
