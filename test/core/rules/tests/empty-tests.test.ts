import { describe, expect, it } from 'vitest';
import type { Changes } from '../checked';
import { fixed, said } from './python-task';

const silent = async (rule: string, python: string, changes?: Changes): Promise<void> => {
  expect(await said(rule, python, changes)).toEqual([]);
};

describe('tests-syntax-error', () => {
  it('names the token', async () => {
    expect(await said('tests-syntax-error', "def test_a():\n    assert headers.get('Enc', ')\n")).toEqual([
      'error 2:"\')" tests/test_tram.py does not parse: the string is not closed.',
    ]);
    expect(await said('tests-syntax-error', '# 🐝\ndef test_a():\n    x = "日本"; assert f(1, [2)\n')).toEqual([
      'error 3:")" tests/test_tram.py does not parse: `)` closes no bracket.',
    ]);
    expect(await said('tests-syntax-error', 'def test_a(:\n    assert 1\n')).toEqual([
      'error 1:"(" tests/test_tram.py does not parse: `(` is never closed.',
    ]);
    expect(await said('tests-syntax-error', 'def test_a()\n    assert x == 1\n')).toHaveLength(1);
  });

  it.each([
    [
      'new syntax',
      'def f[T](x: T) -> T:\n    match x:\n        case [1, *_]: return x\n    return (y := x)\ntype A = int\nasync def g():\n    async with a as b, c: pass\n    print(f"{d["k"]!r:>{w}}")\n',
    ],
    ['soft keywords as names', 'match = 1\ntype = 2\ncase = match + type\nprint(match, case)\n'],
    ['odd layout', '\ufeff# -*- coding: utf-8 -*-\r\nx = (1,\r\n  # note (\r\n  2)\r\ny = "a\\\r\nb"\r\n\fz = 3'],
    [
      'except groups and positional-only',
      'def f(a, /, b, *, c): pass\ntry:\n    f(1, 2, c=3)\nexcept* ValueError:\n    pass\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-syntax-error', python);
  });

  it('is the only thing said of that file', async () => {
    await silent('tests-assert-nothing', 'def test_a(:\n    pass\n');
  });

  it('is silent about material that only lies there, and speaks of what is imported or run', async () => {
    const broken = 'def f(:\n';
    await silent('tests-syntax-error', 'def test_a():\n    assert out\n', {
      'tests/fixtures/test_bad.py': broken,
      'tests/sample.py': broken,
    });
    expect(
      await said('tests-syntax-error', 'import helpers\ndef test_a():\n    assert out\n', {
        'tests/helpers.py': broken,
      }),
    ).toHaveLength(1);
    expect(
      await said('tests-syntax-error', 'def test_a():\n    assert out\n', {
        'tests/grade.py': broken,
        'tests/test.sh': '#!/bin/bash\npython3 /tests/grade.py && echo 1 > /logs/verifier/reward.txt\n',
      }),
    ).toHaveLength(1);
  });

  it('is silent about templates', async () => {
    await silent('tests-syntax-error', 'def test_a():\n    assert out\n', {
      'tests/test_b.py.j2': 'def {{ name }}(:\n',
    });
  });
});

describe('tests-assert-nothing', () => {
  it('finds tests in which nothing can fail', async () => {
    const python = `
import json
def find_gaps(rows):
    return [row for row in rows if not row]
def test_no_gaps():
    gaps = find_gaps(["a"])
    for gap in gaps:
        pass
def test_equal():
    return 1 == 2
def test_parses():
    json.loads(open("/srv/out.json").read())
class TestTrams:
    def test_prints(self):
        problems = []
        print(problems)
`;
    expect(await said('tests-assert-nothing', python)).toEqual([
      'error 5:"test_no_gaps" test_no_gaps asserts nothing and nothing in it can fail, so it passes for every answer.',
      'error 9:"test_equal" test_equal returns its result, which pytest ignores, and asserts nothing, so it passes for every answer.',
      'information 11:"test_parses" test_parses asserts nothing: it fails only if something it calls happens to raise.',
      'error 14:"test_prints" test_prints asserts nothing and nothing in it can fail, so it passes for every answer.',
    ]);
  });

  it.each([
    ['pytest.raises', 'import pytest\ndef test_a():\n    with pytest.raises(ValueError):\n        f()\n'],
    [
      'a helper that asserts',
      'def check(x):\n    assert x\ndef check_all(xs):\n    for x in xs: check(x)\ndef test_a():\n    check_all([1])\n',
    ],
    ['a helper that raises', 'def need(x):\n    if not x: raise SystemExit("no")\ndef test_a():\n    need(1)\n'],
    ['a checked subprocess', 'import subprocess\ndef test_a():\n    subprocess.run(["/srv/app"], check=True)\n'],
    ['check_call', 'import subprocess as sp\ndef test_a():\n    sp.check_call(["/srv/app"])\n'],
    [
      'unittest methods',
      'import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(a, b)\n',
    ],
    ['numpy', 'import numpy as np\ndef test_a():\n    np.testing.assert_allclose(a, b)\n'],
    ['pandas', 'from pandas.testing import assert_frame_equal\ndef test_a():\n    assert_frame_equal(a, b)\n'],
    ['a failing call', 'import pytest\ndef test_a():\n    if bad(): pytest.fail("no")\n'],
    ['a fixture that is unknown', 'def test_a(benchmark):\n    benchmark(f)\n'],
    [
      'a fixture that checks at its end',
      'import pytest\n@pytest.fixture\ndef server():\n    yield 1\n    assert ended()\ndef test_a(server):\n    print(server)\n',
    ],
    ['a helper of a file that cannot be seen', 'from common.checks import verify\ndef test_a():\n    verify("/srv")\n'],
    ['a callback that asserts', 'def ready():\n    assert ok()\ndef test_a():\n    retry(ready)\n'],
    ['a method that may assert', 'def test_a(page):\n    page.check_rows()\n'],
    ['a skipped test', 'import pytest\n@pytest.mark.skip\ndef test_a():\n    pass\n'],
    ['a helper that is no test', 'def load(): return 1\ndef test_a():\n    assert load()\n'],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-assert-nothing', python);
  });

  it('follows helpers into files beside the test', async () => {
    const python = 'from helpers import verify\ndef test_a():\n    verify(1)\n';
    await silent('tests-assert-nothing', python, { 'tests/helpers.py': 'def verify(x):\n    assert x\n' });
    expect(
      await said('tests-assert-nothing', python, { 'tests/helpers.py': 'def verify(x):\n    return x\n' }),
    ).toHaveLength(1);
  });
});

describe('tests-always-true', () => {
  it('finds conditions that are never false', async () => {
    const python = `
def done(): return 1
def test_a():
    assert (total == 96, "bad total")
def test_b():
    assert True
def test_c():
    assert rows or True
def test_d():
    assert x.y == x.y
    assert len(x) >= 0
    assert done
def test_e():
    assert total == 96
    assert isinstance(total, object)
    assert (total, "bad")
`;
    expect(await said('tests-always-true', python)).toEqual([
      'error 4:"(total == 96, \\"bad total\\")" test_a rests on `(total == 96, "bad total")`, which is never false: a tuple that is not empty is true. [Take the brackets away*]',
      'error 6:"True" test_b rests on `True`, which is never false: it says so itself.',
      'error 8:"rows or True" test_c rests on `rows or True`, which is never false: `True` is always true.',
      'error 10:"x.y == x.y" test_d rests on `x.y == x.y`, which is never false: both sides are the same.',
      'error 11:"len(x) >= 0" test_d rests on `len(x) >= 0`, which is never false: a length is never negative.',
      'error 12:"done" test_d rests on `done`, which is never false: the function is not called, and a function is true.',
      'information 15:"isinstance(total, object)" `isinstance(total, object)` is never false: everything is an object.',
      'warning 16:"(total, \\"bad\\")" `(total, "bad")` is never false: a tuple that is not empty is true. [Take the brackets away*]',
    ]);
  });

  it('takes the brackets away', async () => {
    expect(
      await fixed('tests-always-true', 'def test_a():\n    assert (total == 96, "bad")\n', 'Take the brackets away'),
    ).toBe('def test_a():\n    assert total == 96, "bad"\n');
  });

  it.each([
    ['a message', 'def test_a():\n    assert result, "no result"\n'],
    [
      'the success arm of a try',
      'import pytest\ndef test_a():\n    try:\n        f()\n        assert True\n    except ValueError:\n        pytest.fail("no")\n',
    ],
    [
      'the success arm of an if',
      'def test_a():\n    if ok():\n        assert True\n    else:\n        assert False, "no"\n',
    ],
    [
      'for … else',
      'def test_a():\n    for x in xs:\n        if x: break\n    else:\n        assert False\n    assert xs\n',
    ],
    ['calls on both sides', 'def test_a():\n    assert next(it) == next(it)\n'],
    ['an empty tuple and a bracketed value', 'def test_a():\n    assert (total)\n    assert f(x) == ()\n'],
    ['a function that is called', 'def done(): return 1\ndef test_a():\n    assert done()\n'],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-always-true', python);
  });

  it('finds a test that passes without the output', async () => {
    const guarded =
      'from pathlib import Path\nOUT = Path("/srv/out.csv")\ndef test_a():\n    if OUT.exists():\n        assert OUT.read_text() == "1"\n';
    expect(await said('tests-always-true', guarded)).toEqual([
      'error 4:"OUT.exists()" Without /srv/out.csv, test_a checks nothing and passes, and no other test asks for that file.',
    ]);
    await silent('tests-always-true', `${guarded}def test_b():\n    assert OUT.exists()\n`);
    await silent('tests-always-true', `${guarded}    else:\n        raise AssertionError("no output")\n`);
    await silent('tests-always-true', guarded.replace('/srv/out.csv', '/tests/cases.csv'));
  });

  it('is the one to speak of a test that asserts only True', async () => {
    await silent('tests-assert-nothing', 'def test_a():\n    assert True\n');
  });
});

describe('tests-swallowed-failure', () => {
  it('finds handlers that drop an assertion', async () => {
    const python = `
import contextlib, pytest
def test_a():
    try:
        assert total == 96
    except Exception:
        pass
def test_b():
    with contextlib.suppress(AssertionError):
        assert total == 96
def test_c():
    try:
        assert total == 96
    finally:
        return
def test_d():
    try:
        assert total == 96
    except:
        print("no")
`;
    expect(await said('tests-swallowed-failure', python)).toEqual([
      'error 6:"except Exception" `except Exception` catches the failure of the assertion in line 5 and goes on. [Raise it again*]',
      'error 9:"contextlib.suppress(AssertionError)" `suppress` drops the failure of the assertion in line 10.',
      'error 15:"return" This `return` in `finally` drops the failure of the assertion in line 13.',
      'error 19:"except" A bare `except` catches the failure of the assertion in line 18 and goes on. [Raise it again*]',
    ]);
    expect(
      await fixed(
        'tests-swallowed-failure',
        'def test_a():\n    try:\n        assert x\n    except Exception:\n        pass\n',
        'Raise it again',
      ),
    ).toBe('def test_a():\n    try:\n        assert x\n    except Exception:\n        raise\n');
  });

  it.each([
    [
      'a handler that fails',
      'import pytest\ndef test_a():\n    try:\n        assert x\n    except Exception as e:\n        pytest.fail(str(e))\n',
    ],
    ['a handler that raises', 'def test_a():\n    try:\n        assert x\n    except Exception:\n        raise\n'],
    ['a narrow handler', 'def test_a():\n    try:\n        assert int(x)\n    except ValueError:\n        pass\n'],
    [
      'a retry',
      'def test_a():\n    for _ in range(9):\n        try:\n            assert ready()\n            break\n        except AssertionError:\n            pass\n    else:\n        assert False\n',
    ],
    [
      'a failure kept for later',
      'def test_a():\n    bad = []\n    try:\n        assert x\n    except AssertionError as e:\n        bad.append(e)\n    assert not bad\n',
    ],
    [
      'a helper that tells',
      'def ok():\n    try:\n        assert x\n        return True\n    except AssertionError:\n        return False\ndef test_a():\n    assert ok()\n',
    ],
    [
      'an assertion after the try',
      'def test_a():\n    try:\n        stop()\n    except Exception:\n        pass\n    assert x\n',
    ],
    [
      'an assertion in else',
      'def test_a():\n    try:\n        y = load()\n    except Exception:\n        y = None\n    else:\n        assert y\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-swallowed-failure', python);
  });
});

describe('tests-skipped', () => {
  it('finds marks and calls', async () => {
    const python = `
import pytest, sys
from pathlib import Path
OUT = Path("/srv/out.csv")
@pytest.mark.skip(reason="flaky")
def test_a():
    assert OUT.exists()
@pytest.mark.skipif(not OUT.exists(), reason="no output")
def test_b():
    assert OUT.read_text()
@pytest.mark.xfail
def test_c():
    assert OUT.read_text()
def test_d():
    if not OUT.exists():
        pytest.skip("no output")
    assert OUT.read_text()
def test_e():
    try:
        text = open("/srv/report.txt").read()
    except FileNotFoundError:
        pytest.skip("no report")
    assert text
def test_f():
    if slow():
        pytest.skip("slow")
    assert OUT.read_text()
`;
    expect(await said('tests-skipped', python)).toEqual([
      'warning 5:"pytest.mark.skip(reason=\\"flaky\\")" test_a is always skipped, which counts as a pass. [Remove the mark]',
      'warning 8:"pytest.mark.skipif(not OUT.exists(), reason=\\"no output\\")" test_b may be skipped, which counts as a pass. [Remove the mark]',
      'warning 11:"pytest.mark.xfail" test_c may fail and still count as a pass. [Remove the mark]',
      'error 16:"pytest.skip(\\"no output\\")" test_d is skipped when /srv/out.csv is missing or wrong, and a skipped test counts as a pass. [Assert OUT.exists()*]',
      'error 22:"pytest.skip(\\"no report\\")" test_e is skipped when /srv/report.txt is missing or wrong, and a skipped test counts as a pass.',
      'warning 26:"pytest.skip(\\"slow\\")" test_f is skipped, and a skipped test counts as a pass.',
    ]);
    expect(await fixed('tests-skipped', python, 'Assert OUT.exists()')).toContain(
      'def test_d():\n    assert OUT.exists(), "no output"\n    assert OUT.read_text()\n',
    );
    expect(await fixed('tests-skipped', python, 'Remove the mark')).toContain(
      'OUT = Path("/srv/out.csv")\ndef test_a():\n',
    );
  });

  it.each([
    [
      'guards on the platform',
      'import pytest, sys, os\n@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_a():\n    if os.name == "nt":\n        pytest.skip("no")\n    assert x\n',
    ],
    ['strict xfail', 'import pytest\n@pytest.mark.xfail(strict=True)\ndef test_a():\n    assert x\n'],
    [
      'other marks',
      'import pytest\n@pytest.mark.slow\n@pytest.mark.parametrize("a", [1])\ndef test_a(a):\n    assert a\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-skipped', python);
  });
});

describe('tests-duplicate-name', () => {
  it('finds the definition that replaces another', async () => {
    const python =
      'def test_sum():\n    assert a\n\ndef test_sum():\n    assert b\nclass TestA:\n    def test_x(self): assert 1\nclass TestA:\n    def test_y(self): assert a\n    def test_y(self): assert b\n';
    expect(await said('tests-duplicate-name', python)).toEqual([
      'error 4:"test_sum" This replaces the test_sum of line 1, which therefore never runs. [Rename to test_sum_2]',
      'error 8:"TestA" This replaces the TestA of line 6, which therefore never runs. [Rename to TestA_2]',
      'error 10:"test_y" This replaces the test_y of line 9, which therefore never runs. [Rename to test_y_2]',
    ]);
    expect(await fixed('tests-duplicate-name', python, 'Rename to test_sum_2')).toContain(
      '\ndef test_sum_2():\n    assert b\n',
    );
  });

  it.each([
    ['branches of one if', 'if X:\n    def test_a(): assert a\nelse:\n    def test_a(): assert b\n'],
    [
      'methods of two classes',
      'class TestA:\n    def test_x(self): assert a\nclass TestB:\n    def test_x(self): assert b\n',
    ],
    ['helpers', 'def load(): pass\ndef load(): pass\ndef test_a(): assert load()\n'],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-duplicate-name', python);
  });
});

describe('a skip that another test makes harmless', () => {
  const skipping =
    'def test_rows():\n    if not OUT.exists():\n        pytest.skip("no output")\n    assert OUT.read_text() == "1"\n';
  const head = 'from pathlib import Path\n\nimport pytest\n\nOUT = Path("/srv/out.csv")\n\n\n';

  it('is let be where a test demands the file', async () => {
    expect(await said('tests-skipped', `${head}def test_there():\n    assert OUT.exists()\n\n\n${skipping}`)).toEqual(
      [],
    );
  });

  it('is found where no test does, or one that skips itself', async () => {
    expect(await said('tests-skipped', `${head}${skipping}`)).toHaveLength(1);
    const marked = `${head}@pytest.mark.skip\ndef test_there():\n    assert OUT.exists()\n\n\n${skipping}`;
    expect((await said('tests-skipped', marked)).filter((one) => one.startsWith('error'))).toHaveLength(1);
  });
});
