import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

/** A task with one Python test, whose image is known to the last file. */
const task = (instruction: string, python: string, changes: Changes = {}): Changes => ({
  'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY data.csv /srv/\n',
  'environment/data.csv': 'line,late\n1,4\n',
  'instruction.md': instruction,
  'tests/test.sh': '#!/bin/bash\npytest /tests/test_a.py && echo 1 > /logs/verifier/reward.txt\n',
  'tests/test_a.py': python,
  'solution/solve.sh': '#!/bin/bash\npython3 /solution/make.py > /srv/plan.json\n',
  ...changes,
});
const opens = (path: string): string => `def test_a():\n    assert open("${path}").read() == "x"\n`;

describe('consistency-output-not-in-instruction', () => {
  const id = 'consistency-output-not-in-instruction';

  test('a name that only the tests know', async () => {
    expect(
      await shown(
        id,
        task('Sum `/srv/data.csv` up.\n', opens('/srv/totals.txt'), {
          'solution/solve.sh': '#!/bin/bash\necho x > /srv/totals.txt\n',
        }),
      ),
    ).toEqual([
      'warning tests/test_a.py:2:"\\"/srv/totals.txt\\"" test_a.py reads /srv/totals.txt, which neither the instruction nor anything in the image names.',
    ]);
  });

  test.each([
    ['named with its path', 'Write to `/srv/totals.txt`.', opens('/srv/totals.txt'), {}],
    ['named without its folder', 'Write `totals.txt` to the folder `/srv`.', opens('/srv/totals.txt'), {}],
    ['named in a comment', 'Do it. <!-- /srv/totals.txt -->', opens('/srv/totals.txt'), {}],
    ['a numbered one', 'Write `/srv/part-N.txt` for each line.', opens('/srv/part-3.txt'), {}],
    [
      'written by the test',
      'Do it.',
      'def test_a():\n    open("/srv/totals.txt", "w").write("x")\n    assert open("/srv/totals.txt").read() == "x"\n',
      {},
    ],
    [
      'named in the image',
      'Mend `/srv/sum.py`.',
      opens('/srv/totals.txt'),
      {
        'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY sum.py /srv/\n',
        'environment/sum.py': 'open("/srv/totals.txt", "w")\n',
      },
    ],
    ['the product of a tool', 'Compile it.', opens('/srv/build/totals.txt'), {}],
    ['a file of the image', 'Do it.', opens('/srv/data.csv'), {}],
    ['a system file', 'Do it.', opens('/etc/totals.txt'), {}],
    [
      'one that may be missing',
      'Do it.',
      'import os\n\ndef test_a():\n    if os.path.exists("/srv/totals.txt"):\n        assert open("/srv/totals.txt").read() == "x"\n',
      {},
    ],
  ])('%s is fine', async (_, instruction, python, changes: Changes) => {
    const solution = {
      'solution/solve.sh':
        '#!/bin/bash\necho x > /srv/totals.txt\necho x > /srv/part-3.txt\necho > /srv/build/totals.txt\n',
    };
    expect(await shown(id, task(`${instruction}\n`, python, { ...solution, ...changes }))).toEqual([]);
  });
});

describe('consistency-output-untested', () => {
  const id = 'consistency-output-untested';
  const asks = 'Write the plan to `/srv/plan.json` and a list of all changes to `/srv/changes.csv`.\n';

  test('an output that no test looks at', async () => {
    expect(await shown(id, task(asks, opens('/srv/plan.json')))).toEqual([
      'warning instruction.md:1:"/srv/changes.csv" The instruction asks for /srv/changes.csv, and no test mentions it.',
    ]);
  });

  test.each([
    ['tested', asks, `${opens('/srv/plan.json')}\ndef test_b():\n    assert open("/srv/changes.csv").read()\n`],
    [
      'tested by its name',
      asks,
      `OUT = "/srv"\nNAMES = ["plan.json", "changes.csv"]\n\ndef test_a():\n    for name in NAMES:\n        assert open(f"{OUT}/{name}").read()\n`,
    ],
    [
      'found by a pattern',
      asks,
      `import glob\n${opens('/srv/plan.json')}\ndef test_b():\n    assert glob.glob("/srv/*.csv")\n`,
    ],
    ['a log', 'Write `/srv/plan.json` and a log to `/srv/run.log`.\n', opens('/srv/plan.json')],
    ['a choice', 'Write `/srv/plan.json`. You may write notes to `/srv/notes.txt`.\n', opens('/srv/plan.json')],
    ['an input', 'Read `/srv/data.csv` and write `/srv/plan.json`.\n', opens('/srv/plan.json')],
    [
      'used by a program that the tests run',
      asks,
      'import subprocess\n\ndef test_a():\n    assert subprocess.run(["/srv/run"]).returncode == 0\n',
    ],
  ])('%s is fine', async (_, instruction, python) => {
    expect(await shown(id, task(instruction, python))).toEqual([]);
  });
});

describe('consistency-path-spelling', () => {
  const id = 'consistency-path-spelling';

  test.each([
    ['/srv/results.json', '/srv/result.json'],
    ['/srv/stop-list.txt', '/srv/stop_list.txt'],
    ['/srv/Plan.json', '/srv/plan.json'],
    ['/srv/late.json', '/srv/late.csv'],
    ['/srv/result/late.csv', '/srv/results/late.csv'],
  ])('%s in the instruction, %s in the test', async (asked, tested) => {
    const changes = task(`Write the answer to \`${asked}\`.\n`, opens(tested), {
      'solution/solve.sh': `#!/bin/bash\necho x > ${asked}\n`,
    });
    expect(await shown(id, changes)).toEqual([
      `warning tests/test_a.py:2:"\\"${tested}\\"" test_a.py looks for ${tested}, but the instruction says ${asked}. [Use ${asked}]`,
    ]);
    expect(await mended(id, changes, `Use ${asked}`, 'tests/test_a.py')).toBe(opens(asked));
  });

  test.each([
    ['a numbered series', 'Write `/srv/part1.json`.', opens('/srv/part2.json')],
    ['both in the instruction', 'Write `/srv/results.json` and `/srv/result.json`.', opens('/srv/result.json')],
    ['short words', 'Write `/srv/out`.', opens('/srv/in')],
    ['quite another name', 'Write `/srv/results.json`.', opens('/srv/summary.json')],
    ['in the image', 'Write `/srv/date.csv`.', opens('/srv/data.csv')],
  ])('%s is fine', async (_, instruction, python) => {
    expect(await shown(id, task(`${instruction}\n`, python))).toEqual([]);
  });
});

describe('consistency-port-mismatch', () => {
  const id = 'consistency-port-mismatch';
  const contacts = (port: number): string =>
    `import urllib.request\n\ndef test_a():\n    assert urllib.request.urlopen("http://localhost:${port}/").status == 200\n`;

  test('two ports for one service', async () => {
    expect(await shown(id, task('Serve the plan at port 8080 of this machine.\n', contacts(8000)))).toEqual([
      'warning tests/test_a.py:4:"\\"http://localhost:8000/\\"" test_a.py contacts port 8000, but the instruction asks for port 8080.',
    ]);
  });

  test.each([
    ['the same', 'Serve it at port 8080.\n', contacts(8080), {}],
    ['two services', 'Serve it at port 8080, and the state at port 8000.\n', contacts(8000), {}],
    ['a port of the image', 'Serve it at port 8080.\n', contacts(8000), { 'environment/data.csv': 'port,8000\n' }],
    ['no port', 'Serve it.\n', contacts(8000), {}],
    [
      'a server of the test',
      'Serve it at port 8080.\n',
      `from http.server import HTTPServer\nS = HTTPServer(("", 8000), None)\n${contacts(8000)}`,
      {},
    ],
  ])('%s is fine', async (_, instruction, python, changes: Changes) => {
    expect(await shown(id, task(instruction, python, changes))).toEqual([]);
  });
});

describe('consistency-value-unknown-to-agent', () => {
  const id = 'consistency-value-unknown-to-agent';
  const imports = 'from planner import build_plan\n\ndef test_a():\n    assert build_plan([1]) == [1]\n';

  test('a function that nobody names', async () => {
    expect(await shown(id, task('Write the module `/srv/planner.py`.\n', imports))).toEqual([
      'information tests/test_a.py:1:"build_plan" test_a.py uses build_plan, which neither the instruction nor the image mentions.',
    ]);
  });

  test.each([
    ['named in the instruction', 'Write `build_plan(stops)` in `/srv/planner.py`.\n', imports, {}],
    [
      'in the image',
      'Mend `/srv/planner.py`.\n',
      imports,
      {
        'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY planner.py /srv/\n',
        'environment/planner.py': 'def build_plan(stops):\n    pass\n',
      },
    ],
    [
      'of a library',
      'Write `/srv/plan.json`.\n',
      'from json import loads\n\ndef test_a():\n    assert loads("1") == 1\n',
      {},
    ],
    [
      'of the tests',
      'Write `/srv/planner.py`.\n',
      'from helper import load\n\ndef test_a():\n    assert load() == 1\n',
      { 'tests/helper.py': 'def load():\n    return 1\n' },
    ],
  ])('%s is fine', async (_, instruction, python, changes: Changes) => {
    expect(await shown(id, task(instruction, python, changes))).toEqual([]);
  });
});

describe('consistency-protected-file-unchecked', () => {
  const id = 'consistency-protected-file-unchecked';
  const bans = 'Write `/srv/plan.json`. Do not modify `/srv/data.csv`.\n';

  test('a ban that nothing checks', async () => {
    expect(await shown(id, task(bans, opens('/srv/plan.json')))).toEqual([
      'information instruction.md:1:"/srv/data.csv" /srv/data.csv must stay as it is, but no test would notice a change.',
    ]);
  });

  test('checked, or put back', async () => {
    expect(
      await shown(
        id,
        task(bans, `${opens('/srv/plan.json')}\ndef test_b():\n    assert open("/srv/data.csv").read() == "line"\n`),
      ),
    ).toEqual([]);
    expect(
      await shown(
        id,
        task(bans, opens('/srv/plan.json'), {
          'tests/test.sh': '#!/bin/bash\ncp /tests/data.csv /srv/\n',
          'tests/data.csv': 'x',
        }),
      ),
    ).toEqual([]);
  });
});

describe('consistency-oracle-skips-output', () => {
  const id = 'consistency-oracle-skips-output';
  const both = `${opens('/srv/plan.json')}\ndef test_b():\n    assert open("/srv/stops.csv").read() == "x"\n`;
  const asks = 'Write `/srv/plan.json` and `/srv/stops.csv`.\n';

  test('a file that the solution does not know', async () => {
    expect(await shown(id, task(asks, both, { 'solution/make.py': 'print(1)\n' }))).toEqual([
      'information tests/test_a.py:5:"\\"/srv/stops.csv\\"" No file of the solution mentions /srv/stops.csv or its name, so the reference solution will hardly write it.',
    ]);
  });

  test.each([
    ['written by a helper', { 'solution/make.py': 'open("/srv/stops.csv", "w")\n' }],
    ['a name that is put together', { 'solution/make.py': 'for n in ("stops",):\n    open(f"/srv/{n}.csv", "w")\n' }],
    ['copied from a file', { 'solution/files/stops.csv': 'x' }],
    [
      'written by a program of the image',
      {
        'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY run.py /srv/\n',
        'environment/run.py': 'open("stops.csv", "w")\n',
      },
    ],
    ['a solution that is no text', { 'solution/make': new Uint8Array([0, 255, 254]) }],
  ])('%s is fine', async (_, changes: Changes) => {
    expect(await shown(id, task(asks, both, changes))).toEqual([]);
  });
});

describe('consistency-duplicated-asset-drift', () => {
  const id = 'consistency-duplicated-asset-drift';
  const schema = (max: number): string =>
    `{\n  "title": "plan",\n  "type": "object",\n  "required": ["stops"],\n  "properties": {\n    "stops": {\n      "type": "array",\n      "maxItems": ${max}\n    }\n  }\n}\n`;
  const uses =
    'import json\n\ndef test_a():\n    json.load(open("/tests/schema.json"))\n    assert open("/srv/plan.json").read()\n';
  const copies = (mine: string, theirs: string): Changes =>
    task('`/srv/schema.json` describes the plan. Write it to `/srv/plan.json`.\n', uses, {
      'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY schema.json /srv/\n',
      'environment/schema.json': theirs,
      'tests/schema.json': mine,
    });

  test('copies that were one file once', async () => {
    expect(await shown(id, copies(schema(9), schema(8)))).toEqual([
      'warning tests/schema.json:1:"" schema.json in tests/ is not the same as environment/schema.json, though nearly: agent and tests work from different versions.',
    ]);
  });

  test('equal, or different on purpose, or quite another file', async () => {
    expect(await shown(id, copies(schema(8), schema(8)))).toEqual([]);
    expect(await shown(id, copies(schema(9).replace('"plan"', '"plan, stricter on purpose"'), schema(8)))).toEqual([]);
    expect(await shown(id, copies('{}\n'.repeat(60), schema(8)))).toEqual([]);
  });
});

describe('consistency-named-technology', () => {
  const id = 'consistency-named-technology';
  const sqlite =
    'import sqlite3\n\ndef test_a():\n    sqlite3.connect(":memory:").execute(open("/srv/plan.sql").read())\n';

  test('another database', async () => {
    expect(await shown(id, task('Write a query for PostgreSQL 16 to `/srv/plan.sql`.\n', sqlite))).toEqual([
      'warning tests/test_a.py:4:"sqlite3.connect(\\":memory:\\")" test_a.py works with SQLite, but the instruction asks for PostgreSQL.',
    ]);
  });

  test('another version of the language', async () => {
    expect(await shown(id, task('Write `/srv/plan.json` with Python 3.11.\n', opens('/srv/plan.json')))).toEqual([
      'information instruction.md:1:"Python 3.11" The instruction speaks of Python 3.11, but the image is python:3.13-slim.',
    ]);
  });

  test.each([
    ['the same', 'Write a query for SQLite to `/srv/plan.sql`.\n', sqlite],
    ['both', 'Turn the MySQL dump into SQLite.\n', sqlite],
    ['none', 'Write a query to `/srv/plan.sql`.\n', sqlite],
    ['or later', 'Write it in Python 3.11 or later.\n', opens('/srv/plan.json')],
    ['at least', 'It must run with at least Python 3.11.\n', opens('/srv/plan.json')],
    ['the same version', 'Write it in Python 3.13.\n', opens('/srv/plan.json')],
  ])('%s is fine', async (_, instruction, python) => {
    expect(await shown(id, task(instruction, python))).toEqual([]);
  });
});

describe('consistency-number-untested', () => {
  const id = 'consistency-number-untested';
  const tests = `${opens('/srv/plan.json')}\ndef test_b():\n    assert len("x") <= 30\n`;

  test('a limit that no test knows', async () => {
    expect(await shown(id, task('Write `/srv/plan.json` with at most 17 stops.\n', tests))).toEqual([
      'hint instruction.md:1:"17" The instruction says 17, and that number stands in no test.',
    ]);
  });

  test.each([
    ['tested', 'Write `/srv/plan.json` with at most 30 stops.'],
    ['tested as the bound of a range', 'Write `/srv/plan.json` with less than 31 stops.'],
    ['tested in another unit', 'Write `/srv/plan.json` within 30 seconds, at most 0.5 minutes.'],
    ['no limit', 'There are 17 trams. Write `/srv/plan.json`.'],
    ['an example', 'Write `/srv/plan.json`, for example with at most 17 stops.'],
  ])('%s is fine', async (_, instruction) => {
    expect(await shown(id, task(`${instruction}\n`, tests))).toEqual([]);
  });
});
