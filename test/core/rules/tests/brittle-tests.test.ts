import { describe, expect, it } from 'vitest';
import type { Changes } from '../checked';
import { shown } from '../checked';
import { fixed, said } from './python-task';

const silent = async (rule: string, python: string, changes?: Changes): Promise<void> => {
  expect(await said(rule, python, changes)).toEqual([]);
};

describe('tests-vacuous-loop', () => {
  it('finds loops that are all a test has', async () => {
    const python = `
import csv
from pathlib import Path
OUT = Path("/srv/out.csv")
def rows():
    with open(OUT) as f:
        return list(csv.DictReader(f))
def test_a():
    for r in rows():
        assert r["ok"] == "1"
def test_b():
    assert Path("/srv/parts").is_dir()
    parts = sorted(Path("/srv/parts").glob("*.csv"))
    for part in parts:
        assert part.read_text()
def test_c():
    assert all(line for line in open("/srv/report.txt"))
`;
    expect(await said('tests-vacuous-loop', python)).toEqual([
      'warning 9:"for r in rows()" With nothing in /srv/out.csv, this loop runs no assertion and test_a passes.',
      'warning 14:"for part in parts" With nothing in /srv/parts, this loop runs no assertion and test_b passes. [Assert that parts is not empty]',
      'warning 17:"all(line for line in open(\\"/srv/report.txt\\"))" With nothing in /srv/report.txt, this loop runs no assertion and test_c passes.',
    ]);
    expect(await fixed('tests-vacuous-loop', python, 'Assert that parts is not empty')).toContain(
      '    assert parts\n    for part in parts:\n',
    );
  });

  it.each([
    [
      'a count before',
      'import csv\ndef test_a():\n    rows = list(csv.reader(open("/srv/out.csv")))\n    assert len(rows) == 3\n    for r in rows:\n        assert r\n',
    ],
    [
      'a count in another test',
      'import csv\ndef rows(): return list(csv.reader(open("/srv/out.csv")))\ndef test_n():\n    assert len(rows()) == 3\ndef test_a():\n    for r in rows():\n        assert r\n',
    ],
    [
      'a counter',
      'def test_a():\n    seen = 0\n    for r in open("/srv/out.csv"):\n        assert r\n        seen += 1\n    assert seen == 3\n',
    ],
    ['constants', 'def test_a():\n    for name in ("a", "b"):\n        assert open("/srv/" + name).read()\n'],
    [
      'inputs of the tests',
      'import json\nfrom pathlib import Path\ndef test_a():\n    for case in json.load(open(Path(__file__).parent / "cases.json")):\n        assert case["ok"]\n',
    ],
    [
      'equality with what is expected',
      'def test_a():\n    lines = open("/srv/out.csv").readlines()\n    assert {l for l in lines} == {"a"}\n    for line in lines:\n        assert line\n',
    ],
    [
      'a list that is asserted first',
      'def test_a():\n    lines = open("/srv/out.csv").readlines()\n    assert lines\n    for line in lines:\n        assert line\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-vacuous-loop', python);
  });
});

describe('tests-async-not-awaited', () => {
  it('finds async tests that nothing runs, and coroutines that nobody awaits', async () => {
    const python =
      'import pytest\nasync def ready():\n    return 1\nasync def test_ws():\n    assert await ready()\ndef test_b():\n    assert ready()\n';
    expect(await said('tests-async-not-awaited', python)).toEqual([
      'error 4:"async def test_ws" test_ws is `async`, and nothing in this task makes pytest run it. [Mark with pytest.mark.asyncio (needs pytest-asyncio)]',
      'error 7:"ready()" `ready` is `async` and is not awaited: the assertion sees a coroutine, which is always true.',
    ]);
  });

  it.each([
    ['a marked test', 'import pytest\n@pytest.mark.asyncio\nasync def test_ws():\n    assert await f()\n', {}],
    [
      'a plug-in that is installed',
      'async def test_ws():\n    assert await f()\n',
      { 'environment/Dockerfile': 'FROM python:3.13-slim\nRUN pip install pytest-asyncio==1.2.0\n' },
    ],
    [
      'a mode',
      'async def test_ws():\n    assert await f()\n',
      { 'tests/pytest.ini': '[pytest]\nasyncio_mode = auto\n' },
    ],
    [
      'unittest’s own class',
      'import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def test_ws(self):\n        self.assertTrue(await f())\n',
      {},
    ],
    [
      'asyncio.run',
      'import asyncio\nasync def ready(): return 1\ndef test_a():\n    assert asyncio.run(ready())\n',
      {},
    ],
  ])('is silent about %s', async (_, python, changes) => {
    await silent('tests-async-not-awaited', python, changes);
  });
});

describe('tests-source-grep', () => {
  it('finds searches of source text', async () => {
    const python = `
import re
SRC = open("/srv/route.py").read()
def test_a():
    assert "heapq" in SRC
def test_b():
    assert re.search(r"def \\w+\\(", SRC)
    assert "global" not in SRC
`;
    expect(await said('tests-source-grep', python)).toEqual([
      'warning 5:"\\"heapq\\" in SRC" This looks for `heapq` in the source text of /srv/route.py instead of running it.',
      'warning 7:"re.search(r\\"def \\\\w+\\\\(\\", SRC)" This looks for `def \\w+\\(` in the source text of /srv/route.py instead of running it.',
      'warning 8:"\\"global\\" not in SRC" This looks for `global` in the source text of /srv/route.py instead of running it.',
    ]);
  });

  it('is information in a test that also looks at what the program does', async () => {
    const python =
      'import subprocess\ndef test_a():\n    assert "heapq" in open("/srv/route.py").read()\n    assert "eval" not in open("/srv/route.py").read()\n    assert subprocess.run(["python3", "/srv/route.py"], capture_output=True).stdout == b"1"\n';
    expect(await said('tests-source-grep', python)).toEqual([
      'information 3:"\\"heapq\\" in open(\\"/srv/route.py\\").read()" This looks for `heapq` in the source text of /srv/route.py instead of running it.',
    ]);
  });

  it.each([
    ['configuration', 'def test_a():\n    assert "listen 80" in open("/srv/nginx.conf").read()\n'],
    ['SQL', 'def test_a():\n    assert "select" in open("/srv/q.sql").read()\n'],
    ['alternatives', 'import re\ndef test_a():\n    assert re.search("heapq|bisect", open("/srv/a.py").read())\n'],
    [
      'output of the program',
      'import subprocess\ndef test_a():\n    out = subprocess.run(["python3", "/srv/a.py"], capture_output=True, text=True).stdout\n    assert "ok" in out\n',
    ],
    [
      'probes that the test compiles',
      'import subprocess\nfrom pathlib import Path\ndef test_a(tmp_path):\n    src = Path("/tmp/probe.c")\n    src.write_text("int main(){return 0;}")\n    assert "main" in src.read_text()\n    subprocess.run(["cc", "/tmp/probe.c"], check=True)\n',
    ],
    [
      'what a parser found',
      'import ast\ndef test_a():\n    names = [n.name for n in ast.walk(ast.parse(open("/srv/a.py").read()))]\n    assert "solve" in names\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-source-grep', python);
  });
});

describe('tests-substring-only', () => {
  it('finds outputs that are only searched', async () => {
    const python =
      'def test_a():\n    text = open("/srv/report.txt").read()\n    assert "14" in text\ndef test_b():\n    assert "late" in open("/srv/report.txt").read().lower()\n';
    expect(await said('tests-substring-only', python)).toEqual([
      'information 3:"\\"14\\" in text" /srv/report.txt is only searched for 2 short pieces, so that it may hold anything else besides.',
    ]);
  });

  it.each([
    [
      'a long text',
      'def test_a():\n    assert "the quick brown fox jumps over it" in open("/srv/report.txt").read()\n',
    ],
    [
      'another comparison',
      'def test_a():\n    text = open("/srv/report.txt").read()\n    assert "14" in text\n    assert text.split() == ["14"]\n',
    ],
    [
      'keys of parsed data',
      'import json\ndef test_a():\n    data = json.load(open("/srv/report.json"))\n    assert "total" in data\n',
    ],
    ['documents', 'def test_a():\n    assert "Usage" in open("/srv/README.md").read()\n'],
    ['bounded patterns', 'import re\ndef test_a():\n    assert re.match(r"^\\d+$", open("/srv/report.txt").read())\n'],
    [
      'a helper that is given it',
      'def test_a():\n    text = open("/srv/report.txt").read()\n    assert "14" in text\n    assert parse(text)\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-substring-only', python);
  });
});

describe('tests-grades-path', () => {
  it('finds tests of what was typed', async () => {
    const python =
      'from pathlib import Path\ndef test_a():\n    assert "git bisect" in Path("/root/.bash_history").read_text()\ndef test_b():\n    assert "awk" in Path("/srv/run.sh").read_text()\n';
    expect(await said('tests-grades-path', python)).toEqual([
      'warning 3:"\\"/root/.bash_history\\"" /root/.bash_history tells which commands were used, not what came of them.',
      'information 5:"\\"awk\\" in Path(\\"/srv/run.sh\\").read_text()" This asks whether /srv/run.sh uses `awk`, not what it does.',
    ]);
    await silent('tests-source-grep', python);
  });

  it('is information where the instruction asks for it, and silent about other logs', async () => {
    const python = 'def test_a():\n    assert open("/root/.bash_history").read()\n';
    const asked = { 'instruction.md': 'Clean `/root/.bash_history`, write `/srv/out.csv`.\n' };
    expect(await said('tests-grades-path', python, asked)).toHaveLength(1);
    expect((await said('tests-grades-path', python, asked))[0]).toMatch(/^information/);
    await silent('tests-grades-path', 'def test_a():\n    assert "x" in open("/srv/access.log").read()\n');
    await silent('tests-grades-path', 'def test_a():\n    assert "set -e" in open("/srv/run.sh").read()\n');
  });
});

describe('tests-fixed-sleep', () => {
  const start = 'import subprocess, time\nimport requests\ndef test_a():\n    p = subprocess.Popen(["/srv/app"])\n';

  it('finds a pause in front of what comes by itself', async () => {
    const python = `${start}    time.sleep(5)\n    assert requests.get("http://localhost:80/health").ok\n    p.kill()\n`;
    expect(await said('tests-fixed-sleep', python)).toEqual([
      'warning 5:"time.sleep(5)" After starting /srv/app, test_a waits 5 s and no longer, however long it takes on the machine of the day. [Wait until what the next line asserts holds]',
    ]);
    await silent('tests-fixed-sleep', `${start}    time.sleep(5)\n`);
  });

  it('puts a wait in its place', async () => {
    const python =
      'import time, subprocess\ndef ok(): return 1\ndef test_a():\n    subprocess.Popen(["/srv/app"])\n    time.sleep(2)\n    assert ok()\n';
    const after = await fixed('tests-fixed-sleep', python, 'Wait until what the next line asserts holds');
    expect(after).toContain('    wait_until(lambda: ok(), 30)\n    assert ok()\n');
    expect(after).toContain('import time, subprocess\ndef wait_until(condition, seconds):\n');
    await silent('tests-fixed-sleep', after);
    await silent('tests-syntax-error', after);
  });

  it('finds one in the test script', async () => {
    const script = (pause: string): Changes => ({
      'tests/test.sh': `#!/bin/bash\npython3 /srv/app.py &\n${pause}\nif pytest /tests/test_tram.py; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
    });
    expect(await said('tests-fixed-sleep', 'def test_a():\n    assert x\n', script('sleep 3'))).toEqual([
      'warning tests/test.sh:3:"sleep 3" After starting python3, the script waits 3 s and no longer, however long it takes on the machine of the day.',
    ]);
    await silent(
      'tests-fixed-sleep',
      'def test_a():\n    assert x\n',
      script('until curl -s localhost:80; do sleep 3; done'),
    );
    await silent('tests-fixed-sleep', 'def test_a():\n    assert x\n', script('sleep 0.2'));
  });

  it.each([
    [
      'a polling loop',
      `${start}    for _ in range(9):\n        if up(): break\n        time.sleep(1)\n    assert up()\n`,
    ],
    ['a settling pause after a wait', `${start}    wait_for_port(80)\n    time.sleep(1)\n    assert late() == []\n`],
    ['a short pause', `${start}    time.sleep(0.1)\n    assert up()\n`],
    [
      'a pause after nothing',
      'import time\ndef test_a():\n    time.sleep(2)\n    assert open("/srv/out.csv").read()\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-fixed-sleep', python);
  });
});

describe('tests-wall-clock', () => {
  it('finds bounds on elapsed time', async () => {
    const python = `
import time
def timed():
    t0 = time.perf_counter()
    run()
    return time.perf_counter() - t0
def test_a():
    t0 = time.monotonic()
    run()
    assert time.monotonic() - t0 < 1.5
def test_b():
    start = time.time()
    run()
    elapsed = time.time() - start
    assert 2 >= elapsed
def test_c():
    assert timed() < timed() / 2
`;
    expect(await said('tests-wall-clock', python)).toEqual([
      'warning 10:"time.monotonic() - t0 < 1.5" This passes or fails with the load of the machine: elapsed time has to stay below 1.5 s.',
      'warning 15:"2 >= elapsed" This passes or fails with the load of the machine: elapsed time has to stay below 2 s.',
      'warning 17:"timed() < timed() / 2" This compares two measured times, which vary from run to run.',
    ]);
  });

  const bound = (condition: string): string =>
    `import time\ndef test_a():\n    t0 = time.monotonic()\n    run()\n    assert ${condition}\n`;

  it('holds a bound against what the instruction states', async () => {
    const states = { 'instruction.md': 'It must end within 10 seconds.\n' };
    expect(await said('tests-wall-clock', bound('time.monotonic() - t0 < 12'), states)).toHaveLength(1);
    await silent('tests-wall-clock', bound('time.monotonic() - t0 < 120'), states);
    await silent('tests-wall-clock', bound('time.monotonic() - t0 < 12'));
  });

  it.each([
    ['a lower bound', bound('time.monotonic() - t0 >= 1')],
    ['a count', bound('queries() <= 3')],
    [
      'processor time',
      'import time\ndef test_a():\n    t0 = time.process_time()\n    assert time.process_time() - t0 < 1\n',
    ],
    [
      'the age of a file',
      'import time, os\ndef test_a():\n    assert time.time() - os.path.getmtime("/srv/out.csv") < 3\n',
    ],
    [
      'a deadline of a loop',
      'import time\ndef test_a():\n    end = time.time() + 3\n    while time.time() - end < 0:\n        pass\n    assert up()\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-wall-clock', python);
  });
});

describe('tests-unseeded-random', () => {
  it('finds inputs that nobody can repeat', async () => {
    const python =
      'import random\ndef test_a():\n    xs = random.sample(range(999), 20)\n    assert check(xs) is True\n';
    expect(await said('tests-unseeded-random', python)).toEqual([
      'warning 3:"random.sample(range(999), 20)" `random.sample(range(999), 20)` has no fixed seed, so that every run tests something else.',
    ]);
    const recomputed =
      'import random\ndef test_a():\n    xs = random.sample(range(999), 20)\n    assert agent(xs) == sorted(xs)\n';
    expect((await said('tests-unseeded-random', recomputed))[0]).toMatch(
      /^information .* failing run cannot be repeated\.$/,
    );
  });

  it.each([
    ['a seed', 'import random\nrandom.seed(7)\ndef test_a():\n    assert check(random.random()) is True\n'],
    [
      'a generator of its own',
      'import random\ndef test_a():\n    rng = random.Random(7)\n    assert check(rng.random()) is True\n',
    ],
    [
      'numpy with a seed',
      'import numpy as np\ndef test_a():\n    rng = np.random.default_rng(3)\n    assert check(rng.random()) is True\n',
    ],
    [
      'names and ports',
      'import random, uuid\ndef test_a():\n    port = random.randint(20000, 30000)\n    user_id = uuid.uuid4()\n    assert serve(port) is True\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-unseeded-random', python);
  });
});

describe('tests-current-date', () => {
  it('finds what holds until some day', async () => {
    const python = `
import json
from datetime import datetime, date
from pathlib import Path
CERT = json.loads((Path(__file__).parent / "cert.json").read_text())
def test_a():
    assert datetime.fromisoformat(CERT["until"]) > datetime.now()
def test_b():
    assert date.today() < date(2031, 1, 1)
`;
    expect(await said('tests-current-date', python)).toEqual([
      'warning 7:"datetime.now()" Whether this holds depends on the day on which it runs: `datetime.fromisoformat(CERT["until"])` stays as it is, the date does not.',
      'warning 9:"date.today()" Whether this holds depends on the day on which it runs: `date(2031, 1, 1)` stays as it is, the date does not.',
    ]);
  });

  it.each([
    [
      'measuring',
      'from datetime import datetime, timedelta\ndef test_a():\n    t0 = datetime.now()\n    run()\n    assert datetime.now() - t0 < timedelta(minutes=5)\n',
    ],
    [
      'scratch names',
      'from datetime import datetime\ndef test_a(tmp_path):\n    p = tmp_path / f"{datetime.now():%Y}"\n    assert write(p) == 1\n',
    ],
    [
      'today’s date in the output',
      'from datetime import date\ndef test_a():\n    assert open("/srv/report.txt").read() == date.today().isoformat()\n',
    ],
    ['two fixed dates', 'from datetime import datetime\ndef test_a():\n    assert until() > datetime(2024, 5, 1)\n'],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-current-date', python);
  });
});

describe('tests-float-equality', () => {
  it('finds a float that has to be exact', async () => {
    const python = 'import pytest\ndef test_a():\n    assert mean(rows) == 4.718\n';
    expect(await said('tests-float-equality', python)).toEqual([
      'information 3:"4.718" mean(rows) has to be exactly 4.718, to the last digit that the machine computes. [Allow half a unit of the last decimal]',
    ]);
    expect(await fixed('tests-float-equality', python, 'Allow half a unit of the last decimal')).toContain(
      '== pytest.approx(4.718, abs=5e-4)',
    );
  });

  it.each([
    ['approx', 'import pytest\ndef test_a():\n    assert mean() == pytest.approx(4.718)\n', {}],
    ['rounding', 'def test_a():\n    assert round(mean(), 3) == 4.718\n', {}],
    ['few decimals', 'def test_a():\n    assert mean() == 4.5\n', {}],
    ['exact binary fractions', 'def test_a():\n    assert mean() == 0.125\n', {}],
    [
      'a stated precision',
      'def test_a():\n    assert mean() == 4.718\n',
      { 'instruction.md': 'Round to three decimals in `/srv/out.csv`.\n' },
    ],
  ])('is silent about %s', async (_, python, changes) => {
    await silent('tests-float-equality', python, changes);
  });
});

describe('tests-order-dependence', () => {
  it('finds lists in no certain order', async () => {
    const python =
      'import os\ndef test_a():\n    assert os.listdir("/srv/out") == ["a.csv", "b.csv"]\ndef test_b():\n    rows = db.execute("SELECT name FROM tram").fetchall()\n    assert rows == [("a",), ("b",)]\n';
    expect(await said('tests-order-dependence', python)).toEqual([
      'information 3:"os.listdir(\\"/srv/out\\")" os.listdir gives its items in no certain order, and they are compared in order. [Sort both sides]',
      'information 6:"rows" a query without ORDER BY gives its items in no certain order, and they are compared in order. [Sort both sides]',
    ]);
    expect(await fixed('tests-order-dependence', python, 'Sort both sides')).toContain(
      'assert sorted(os.listdir("/srv/out")) == sorted(["a.csv", "b.csv"])',
    );
  });

  it.each([
    ['sorted lists', 'import os\ndef test_a():\n    assert sorted(os.listdir("/srv")) == ["a", "b"]\n'],
    ['sets', 'import os\ndef test_a():\n    assert set(os.listdir("/srv")) == {"a", "b"}\n'],
    ['one item', 'import os\ndef test_a():\n    assert os.listdir("/srv") == ["a"]\n'],
    [
      'lists sorted in place',
      'import os\ndef test_a():\n    names = os.listdir("/srv")\n    names.sort()\n    assert names == ["a", "b"]\n',
    ],
    ['an ordered query', 'def test_a():\n    assert db.execute("select a from t order by a").fetchall() == [1, 2]\n'],
    ['rows of a file', 'def test_a():\n    assert open("/srv/out.csv").read().split() == ["a", "b"]\n'],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-order-dependence', python);
  });
});

describe('tests-exact-text', () => {
  const python =
    'import subprocess\ndef test_a():\n    out = subprocess.run(["/srv/app"], capture_output=True, text=True).stdout\n    assert out == "Done: 3 trams are late.\\n"\n';

  it('finds a sentence that the agent cannot know', async () => {
    expect(await said('tests-exact-text', python)).toEqual([
      'information 4:"\\"Done: 3 trams are late.\\\\n\\"" An output has to be exactly `Done: 3 trams are late.`, which the agent can read nowhere.',
    ]);
  });

  it.each([
    ['a sentence of the instruction', python, { 'instruction.md': 'It prints\n\n    Done: 3 trams\n    are late.\n' }],
    ['a sentence of the project', python, { 'environment/app.py': 'print("Done: 3 trams are late.")\n' }],
    ['machine formats', 'def test_a():\n    assert open("/srv/out.csv").read() == "name,delay\\nA,3\\n"\n', {}],
    ['single words', 'def test_a():\n    assert open("/srv/out.csv").read() == "late"\n', {}],
    [
      'values of data',
      'import json\ndef test_a():\n    assert json.load(open("/srv/a.json"))["x"] == "Three trams are late"\n',
      {},
    ],
  ])('is silent about %s', async (_, text, changes) => {
    await silent('tests-exact-text', text, changes);
  });
});

describe('tests-leaves-process', () => {
  it('finds a program that goes on', async () => {
    const python =
      'import subprocess\ndef test_a():\n    server = subprocess.Popen(["/srv/app"])\n    assert server.poll() is None\ndef test_b():\n    subprocess.Popen("run me", shell=True)\n    assert up()\n';
    expect(await said('tests-leaves-process', python)).toEqual([
      'information 3:"subprocess.Popen([\\"/srv/app\\"])" test_a starts /srv/app and never ends it.',
      'information 6:"subprocess.Popen(\\"run me\\", shell=True)" test_b starts run and never ends it.',
    ]);
  });

  it('finds one that the test script leaves', async () => {
    const script = (more: string): Changes => ({
      'tests/test.sh': `#!/bin/bash\n/srv/app --port 80 &\n${more}\nif pytest /tests/test_tram.py; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
    });
    expect(await said('tests-leaves-process', 'def test_a():\n    assert x\n', script(''))).toEqual([
      'information tests/test.sh:2:"/srv/app --port 80" The script starts app in the background and never ends it.',
    ]);
    await silent('tests-leaves-process', 'def test_a():\n    assert x\n', script("trap 'kill $!' EXIT"));
    await silent('tests-leaves-process', 'def test_a():\n    assert x\n', script('PID=$!; sleep 0.1; kill $PID'));
  });

  it.each([
    [
      'terminate',
      'import subprocess\ndef test_a():\n    p = subprocess.Popen(["/srv/app"])\n    try:\n        assert up()\n    finally:\n        p.terminate()\n',
    ],
    ['with', 'import subprocess\ndef test_a():\n    with subprocess.Popen(["/srv/app"]) as p:\n        assert up()\n'],
    [
      'communicate',
      'import subprocess\ndef test_a():\n    p = subprocess.Popen(["/srv/app"])\n    assert p.communicate()[0] == b"x"\n',
    ],
    [
      'a fixture',
      'import subprocess, pytest\n@pytest.fixture\ndef server():\n    p = subprocess.Popen(["/srv/app"])\n    yield p\n    p.kill()\n',
    ],
    [
      'a helper that gives it on',
      'import subprocess\ndef start():\n    p = subprocess.Popen(["/srv/app"])\n    return p\n',
    ],
    [
      'another helper that ends it',
      'import subprocess\ndef test_a():\n    p = subprocess.Popen(["/srv/app"])\n    assert up()\n    stop(p)\n',
    ],
    [
      'pkill',
      'import subprocess\ndef test_a():\n    subprocess.Popen(["/srv/app"])\n    assert up()\n    subprocess.run(["pkill", "app"])\n',
    ],
  ])('is silent about %s', async (_, python) => {
    await silent('tests-leaves-process', python);
  });
});

describe('a pause in the script', () => {
  it('is told for the first one after a start only', async () => {
    const script =
      '#!/bin/bash\nserver &\nsleep 5\ncurl localhost:80/a\nmake stop\nsleep 5\npytest /tests\necho 0 > /logs/verifier/reward.txt\n';
    expect(await shown('tests-fixed-sleep', { 'tests/test.sh': script })).toEqual([
      'warning tests/test.sh:3:"sleep 5" After starting server, the script waits 5 s and no longer, however long it takes on the machine of the day.',
    ]);
  });
});

describe('source text got from a module', () => {
  it('is searched', async () => {
    const python =
      'import inspect\n\nimport tram\n\n\ndef test_pool():\n    source = inspect.getsource(tram.plan)\n    assert "PoolExecutor" in source\n';
    expect(await said('tests-source-grep', python)).toEqual([
      'warning 8:"\\"PoolExecutor\\" in source" This looks for `PoolExecutor` in the source text of tram instead of running it.',
    ]);
  });
});
