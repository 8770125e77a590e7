import { describe, expect, it } from 'vitest';
import { findingsFor } from '../checked';
import type { Changes } from '../checked';
import { pythonTask, said } from './python-task';

const own = new Set(
  (
    'syntax-error assert-nothing always-true swallowed-failure skipped duplicate-name vacuous-loop async-not-awaited source-grep substring-only ' +
    'fixed-sleep wall-clock unseeded-random current-date float-equality order-dependence exact-text grades-path leaves-process'
  ).split(' '),
);

/** What the rules of single test files say, as `severity rule`. */
async function all(python: string, changes: Changes = {}): Promise<readonly string[]> {
  const findings = await findingsFor(pythonTask(python, changes));
  return findings
    .filter(({ ruleId, file }) => file.startsWith('tests/') && own.has(ruleId.replace(/^tests-/u, '')))
    .map(({ severity, ruleId }) => `${severity} ${ruleId}`);
}

/** Look-alikes that other checkers of tests stumbled over (task-rules.md, section 18). */
describe('nothing is said of', () => {
  it.each([
    [
      'an asserting helper of a helper file',
      'from helpers import check_table\n\ndef test_table():\n    check_table("/srv/out.csv")\n',
      {
        'tests/helpers.py':
          'from pathlib import Path\n\ndef check_table(path):\n    rows = Path(path).read_text().splitlines()\n    if len(rows) != 3:\n        raise AssertionError("rows")\n',
      },
    ],
    [
      '`assert True` in the success arm of a try',
      'import pytest, json\n\ndef test_loads():\n    try:\n        json.load(open("/srv/out.json"))\n        assert True\n    except ValueError:\n        pytest.fail("no JSON")\n',
      {},
    ],
    [
      'a probe in /tmp that the test compiles',
      'import subprocess\nfrom pathlib import Path\n\nPROBE = """\n#include <stdio.h>\nint main(void) { puts("XXX"); return 0; }\n"""\n\ndef test_links():\n    Path("/tmp/probe.c").write_text(PROBE)\n    subprocess.run(["cc", "/tmp/probe.c", "-o", "/tmp/probe"], check=True)\n    assert "XXX" in Path("/tmp/probe.c").read_text()\n    assert subprocess.check_output(["/tmp/probe"]) == b"XXX\\n"\n',
      {},
    ],
    [
      'an expected file that the agent is given as input',
      'from pathlib import Path\n\ndef test_same():\n    assert Path("/srv/out.csv").read_text() == Path("/srv/expected_rows.csv").read_text()\n',
      { 'instruction.md': 'Make `/srv/out.csv` equal to `/srv/expected_rows.csv`.\n' },
    ],
    [
      'XXX in a format of numbers',
      'def test_total():\n    assert open("/srv/report.txt").read().split() == ["1,234.XXX".replace("XXX", "000")]\n',
      {},
    ],
    [
      'code in a text that the test writes',
      'def test_a(tmp_path):\n    (tmp_path / "case.py").write_text("""\nimport time, random, pytest\ndef test_x():\n    time.sleep(5)\n    pytest.skip("x")\n    assert True\ndef test_x():\n    random.random()\n""")\n    assert run(tmp_path) == 1\n',
      {},
    ],
    [
      'comments and docstrings that speak of such things',
      'def test_a():\n    """assert True, time.sleep(5), pytest.skip(), or x or True"""\n    # try: assert x except Exception: pass\n    assert total() == 3  # datetime.now() < date(2020, 1, 1)\n',
      {},
    ],
    [
      'a folder of tests in the agent’s own project',
      'def test_a():\n    assert total() == 3\n',
      { 'environment/app/tests/test_app.py': 'def test_nothing():\n    pass\ndef test_nothing():\n    assert True\n' },
    ],
    [
      'a poll that ends in a failure',
      'import time, requests\n\ndef wait_up():\n    for _ in range(50):\n        try:\n            return requests.get("http://localhost:8080/health", timeout=1)\n        except requests.ConnectionError:\n            time.sleep(0.5)\n    raise AssertionError("down")\n\ndef test_up():\n    assert wait_up().status_code == 200\n',
      {},
    ],
    [
      'a table of cases beside the test',
      'import json\nfrom pathlib import Path\nimport pytest\n\nCASES = json.loads((Path(__file__).parent / "cases.json").read_text())\n\n@pytest.mark.parametrize("case", CASES)\ndef test_case(case):\n    assert solve(case["in"]) == case["out"]\n\ndef test_all():\n    for case in CASES:\n        assert solve(case["in"]) == case["out"]\n',
      { 'tests/cases.json': '[{"in": 1, "out": 2}]\n' },
    ],
    [
      'a script that grades by its status',
      'import sys\nfrom pathlib import Path\n\nrows = Path("/srv/out.csv").read_text().splitlines()\nif len(rows) != 3:\n    print("rows")\n    sys.exit(1)\n',
      {},
    ],
  ])('%s', async (_, python, changes) => {
    expect(await all(python, changes)).toEqual([]);
  });
});

describe('positions', () => {
  it('are right behind emoji, CJK, tabs, CRLF and a byte-order mark', async () => {
    const python = '\ufeff# 🐝 日本\r\ndef test_a():\r\n\tname = "🐝日本"; assert (name == "x", "🐝")\r\n';
    expect(await said('tests-always-true', python)).toEqual([
      'error 3:"(name == \\"x\\", \\"🐝\\")" test_a rests on `(name == "x", "🐝")`, which is never false: a tuple that is not empty is true. [Take the brackets away*]',
    ]);
  });
});

describe('steps', () => {
  it('share files, of which each is judged once', async () => {
    const step = (name: string): string => `[[steps]]\nname = "${name}"\n[steps.agent]\ntimeout_sec = 60.0\n`;
    const findings = await findingsFor({
      'task.toml': `[task]\nname = "acme/trams"\n${step('one')}${step('two')}`,
      'instruction.md': undefined,
      'tests/test.sh': '#!/bin/bash\npytest /tests\n',
      'tests/test_common.py': 'def test_a():\n    assert True\n',
      'steps/one/instruction.md': 'Go.\n',
      'steps/two/instruction.md': 'Go on.\n',
      'steps/two/tests/test_two.py': 'def test_b():\n    pass\n',
    });
    const mine = findings.filter(({ ruleId }) => own.has(ruleId.replace(/^tests-/u, '')));
    expect(mine.map(({ ruleId, file }) => `${ruleId} ${file}`)).toEqual([
      'tests-assert-nothing steps/two/tests/test_two.py',
      'tests-always-true tests/test_common.py',
    ]);
  });
});

describe('the planted flaws of the examples', () => {
  it('are found in small', async () => {
    const member =
      'def test_a():\n    while missing := set(lines()) - set(open("/srv/out.csv").read().splitlines()):\n        assert not late(), min(missing)\n';
    expect(await said('tests-substring-only', member)).toEqual([
      'information 2:"set(lines()) - set(open(\\"/srv/out.csv\\").read().splitlines())" This only asks whether each item of `lines()` is there: items twice, in another order or besides them pass as well.',
    ]);
    expect(await said('tests-substring-only', `${member}    assert open("/srv/out.csv").read() == "x"\n`)).toEqual([]);
    const setUp =
      'import subprocess, time, unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.p = subprocess.Popen(["/srv/ship"])\n        self.addCleanup(self.p.kill)\n    def test_a(self):\n        time.sleep(2.5)\n        self.assertEqual(copied(), b"x")\n';
    expect(await said('tests-fixed-sleep', setUp)).toEqual([
      'warning 7:"time.sleep(2.5)" After starting /srv/ship, test_a waits 2.5 s and no longer, however long it takes on the machine of the day.',
    ]);
    const word =
      'import subprocess\nSHIP = "/srv/ship"\ndef test_a():\n    assert subprocess.run([SHIP], capture_output=True).stdout == b"x"\ndef test_b():\n    with open(SHIP) as source:\n        assert "st_ino" in source.read()\n';
    expect(await said('tests-source-grep', word)).toEqual([
      'warning 7:"\\"st_ino\\" in source.read()" This looks for `st_ino` in the source text of /srv/ship instead of running it.',
    ]);
  });
});
