import { expect, test } from 'vitest';
import { sourcesOf } from '../../../src/core/model/value-sources';
import { readPython } from '../../../src/core/text/python/read';
import { grammars } from '../grammars';

/** Where the left side of the only comparison comes from. */
function sources(code: string): string {
  const module = readPython(code, grammars);
  const [comparison] = module.comparisons;
  if (comparison === undefined) return 'no comparison';
  const { reads, commands, requests, constants, known, plain } = sourcesOf(module, comparison.left);
  const parts = [
    ...reads.map(({ path }) => `reads ${path?.text ?? '?'}`),
    ...commands.map(() => 'runs'),
    ...requests.map(() => 'asks'),
    ...(constants.length > 0 ? ['constants'] : []),
    ...(plain ? ['plain'] : []),
    ...(known ? [] : ['more']),
  ];
  return parts.join(', ');
}

const load = 'import json\n\ndef load(path):\n    with open(path) as file:\n        return json.load(file)\n\n';

test.each([
  ['assert open("/a").read() == 1', 'reads /a, plain'],
  ['import json\nassert json.load(open("/a"))["x"] == 1', 'reads /a, plain'],
  ['x = int(open("/a").read().strip())\nassert x == 1', 'reads /a, plain'],
  ['from pathlib import Path\nassert Path("/a").read_text().splitlines() == []', 'reads /a, constants, plain'],
  [`${load}assert load("/a") == 1`, 'reads /a, plain'],
  [`${load}def test():\n    got = load("/a")\n    assert got["x"] == 1`, 'reads /a, plain'],
  ['assert sum(int(n) for n in open("/a")) == 1', 'reads /a'],
  ['assert open("/a").read() + open("/b").read() == ""', 'reads /a, reads /b'],
  ['import subprocess\nassert subprocess.run(["/x"], capture_output=True).stdout == b""', 'runs'],
  ['from helper import load\nassert load("/a") == 1', 'more'],
  ['def test(got):\n    assert got == 1', 'more'],
])('%j: %s', (code, expected) => {
  expect(
    sources(code)
      .replace('constants, ', '')
      .replace(/, constants/u, ''),
  ).toBe(expected.replace('constants, ', ''));
});

test('a fixture is followed, and a circle ends', () => {
  const fixture = 'import pytest\n\n@pytest.fixture\ndef got():\n    return open("/a").read()\n\n';
  expect(sources(`${fixture}def test(got):\n    assert got == 1`)).toContain('reads /a');
  expect(sources('def f():\n    return g()\n\ndef g():\n    return f()\n\nassert f() == 1')).not.toContain('reads');
});
