import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const runsPytest =
  '#!/bin/bash\nif pytest /tests/test_plan.py; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n';

/** A task whose tests are this Python file. */
const tested = (python: string, changes: Changes = {}): Changes => ({
  'tests/test.sh': runsPytest,
  'tests/test_plan.py': python,
  'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY ref/ /srv/ref/\n',
  'environment/ref/want.json': '{"stops": [4, 7, 9]}\n',
  'instruction.md': 'Write the plan to `/srv/plan.json`.\n',
  'solution/solve.sh': '#!/bin/bash\npython3 /solution/plan.py > /srv/plan.json\n',
  ...changes,
});

describe('tests-expected-from-agent-space', () => {
  const compare = (want: string): string =>
    `import json\n\ndef test_plan():\n    want = json.load(open("${want}"))\n    assert json.load(open("/srv/plan.json")) == want\n`;

  test('documented input in the image is information', async () => {
    const changes = tested(compare('/srv/ref/want.json'), {
      'instruction.md': 'Read `/srv/ref/want.json`. Write the plan to `/srv/plan.json`.\n',
    });
    expect(await shown('tests-expected-from-agent-space', changes)).toEqual([
      'information tests/test_plan.py:4:"\\"/srv/ref/want.json\\"" The expected value is read from /srv/ref/want.json, which the agent is given and can change: a copy in tests/ could not be.',
    ]);
  });

  test('what a command of the image made under the name of an answer is an error', async () => {
    const changes = tested(compare('/srv/data/expected.json'), {
      'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY make.py /srv/\nRUN python3 /srv/make.py\n',
      'environment/make.py': 'import json\n',
    });
    expect(await shown('tests-expected-from-agent-space', changes)).toEqual([
      'error tests/test_plan.py:4:"\\"/srv/data/expected.json\\"" The expected value is read from /srv/data/expected.json, where the agent can change it to whatever it made.',
    ]);
  });

  test.each([
    ['a file below /tests', compare('/tests/want.json'), { 'tests/want.json': '{}' }],
    [
      'a value computed from the input',
      'import json\n\ndef test_plan():\n    rows = json.load(open("/srv/ref/want.json"))\n    total = sum(row["n"] for row in rows)\n    assert json.load(open("/srv/plan.json")) == total\n',
      { 'instruction.md': 'Write to `/srv/plan.json` the total of `/srv/ref/want.json`.\n' },
    ],
    [
      'a file that the test writes itself',
      'import json\n\ndef test_plan():\n    open("/srv/ref/want.json", "w").write("{}")\n    want = json.load(open("/srv/ref/want.json"))\n    assert json.load(open("/srv/plan.json")) == want\n',
      {},
    ],
    [
      'two outputs that are compared with each other',
      compare('/srv/copy.json'),
      { 'instruction.md': 'Write the plan to `/srv/plan.json` and a copy to `/srv/copy.json`.\n' },
    ],
    [
      'a separate verifier',
      compare('/srv/ref/want.json'),
      {
        'task.toml': 'artifacts = ["/srv/plan.json"]\n[verifier]\nenvironment_mode = "separate"\n',
        'tests/Dockerfile': 'FROM python:3.13-slim\nCOPY . /tests/\n',
      },
    ],
  ])('%s is fine', async (_, python, changes) => {
    expect(await shown('tests-expected-from-agent-space', tested(python, changes))).toEqual([]);
  });
});

describe('tests-existence-only', () => {
  const id = 'tests-existence-only';

  test('asks only whether the output is there', async () => {
    const python =
      'import os\nfrom pathlib import Path\n\ndef test_plan():\n    assert Path("/srv/plan.json").exists()\n    assert os.path.getsize("/srv/plan.json") > 0\n';
    expect(await shown(id, tested(python))).toEqual([
      'warning tests/test_plan.py:5:"Path(\\"/srv/plan.json\\").exists()" No test looks at what is in plan.json: any file of that name passes.',
    ]);
  });

  test('a script that judges by itself', async () => {
    const script =
      '#!/bin/bash\nreward=0\n[ -f /app/answer.txt ] && reward=1\necho "$reward" > /logs/verifier/reward.txt\n';
    expect(await shown(id, { 'tests/test.sh': script })).toEqual([
      'warning tests/test.sh:3:"/app/answer.txt" No test looks at what is in answer.txt: any file of that name passes.',
    ]);
  });

  test.each([
    ['another test looks deeper', 'def test_b():\n    assert open("/srv/plan.json").read() == "x"\n'],
    ['a program is run', 'import subprocess\n\ndef test_b():\n    subprocess.run(["/srv/run"], check=True)\n'],
    [
      'a helper asserts on the content',
      'def check(text):\n    assert "late" in text\n\ndef test_b():\n    check(open("/srv/plan.json").read())\n',
    ],
  ])('%s', async (_, more) => {
    const python = `from pathlib import Path\n\ndef test_plan():\n    assert Path("/srv/plan.json").exists()\n\n${more}`;
    expect(await shown(id, tested(python))).toEqual([]);
  });

  test('a folder may be all that was asked for', async () => {
    const python = 'import os\n\ndef test_plan():\n    assert os.path.isdir("/srv/out")\n';
    expect(await shown(id, tested(python, { 'instruction.md': 'Create the folder `/srv/out`.\n' }))).toEqual([]);
  });
});

describe('tests-undeclared-artifact', () => {
  const id = 'tests-undeclared-artifact';
  const separate = (python: string, artifacts: string, changes: Changes = {}): Changes =>
    tested(python, {
      'task.toml': `artifacts = ${artifacts}\n[verifier]\nenvironment_mode = "separate"\n`,
      'tests/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /tests\nCOPY . /tests/\n',
      ...changes,
    });
  const reads = 'def test_plan():\n    assert open("/srv/plan.json").read() == "x"\n';

  test('a path that nothing brings', async () => {
    expect(await shown(id, separate(reads, '[]'))).toEqual([
      'error tests/test_plan.py:2:"\\"/srv/plan.json\\"" test_plan.py reads /srv/plan.json, which no artifact brings to the separate verifier. [Add /srv/plan.json to the artifacts*]',
    ]);
    expect(
      await mended(id, separate(reads, '["/srv/log"]'), 'Add /srv/plan.json to the artifacts', 'task.toml'),
    ).toContain('artifacts = ["/srv/plan.json", "/srv/log"]\n');
  });

  test.each([
    ['declared', reads, '["/srv/plan.json"]', {}],
    ['below a declared folder', reads, '[{ source = "/srv" }]', {}],
    ['below /logs/artifacts', 'def test_a():\n    assert open("/logs/artifacts/a").read()\n', '[]', {}],
    [
      'in the image of the verifier',
      reads,
      '[]',
      { 'tests/Dockerfile': 'FROM python:3.13-slim\nCOPY . /tests/\nCOPY plan.json /srv/\n', 'tests/plan.json': 'x' },
    ],
    [
      'an image that cannot be read to the end',
      reads,
      '[]',
      { 'tests/Dockerfile': 'FROM python:3.13-slim\nCOPY . /tests/\nRUN sh /tests/make.sh\n' },
    ],
    [
      'a read that provides for a missing file',
      'import os\n\ndef test_a():\n    if os.path.exists("/srv/plan.json"):\n        assert open("/srv/plan.json").read()\n',
      '[]',
      {},
    ],
    ['shared mode', reads, '[]', { 'task.toml': 'artifacts = []\n' }],
  ])('%s', async (_, python, artifacts, changes) => {
    expect(await shown(id, separate(python, artifacts, changes))).toEqual([]);
  });
});

describe('tests-missing-input', () => {
  const id = 'tests-missing-input';

  test('a relative path, while the tests start elsewhere', async () => {
    const python = 'import json\n\ndef test_plan():\n    assert json.load(open("fixtures/want.json")) == 1\n';
    expect(await shown(id, tested(python, { 'tests/fixtures/want.json': '1' }))).toEqual([
      'error tests/test_plan.py:4:"\\"fixtures/want.json\\"" The test opens fixtures/want.json from /srv, where the tests start; the file is /tests/fixtures/want.json.',
    ]);
  });

  test('a file that nobody makes', async () => {
    const python = 'def test_plan():\n    assert open("/srv/limits.csv").read() == open("/srv/plan.json").read()\n';
    expect(await shown(id, tested(python))).toEqual([
      'error tests/test_plan.py:2:"\\"/srv/limits.csv\\"" The test opens /srv/limits.csv, which is neither in the image nor in tests/, and which neither the solution nor the instruction knows.',
    ]);
  });

  test.each([
    [
      'relative to the test file',
      'from pathlib import Path\n\ndef test_a():\n    assert (Path(__file__).parent / "fixtures/want.json").read_text() == "1"\n',
      { 'tests/fixtures/want.json': '1' },
    ],
    [
      'after a change of the folder',
      'def test_a():\n    assert open("fixtures/want.json").read() == "1"\n',
      {
        'tests/fixtures/want.json': '1',
        'tests/test.sh': '#!/bin/bash\ncd /tests\npytest test_plan.py && echo 1 > /logs/verifier/reward.txt\n',
      },
    ],
    ['in the image', 'def test_a():\n    assert open("/srv/ref/want.json").read()\n', {}],
    [
      'made by the solution',
      'def test_a():\n    assert open("/srv/late.csv").read()\n',
      { 'solution/plan.py': 'open("/srv/late.csv", "w")\n' },
    ],
    [
      'asked for by the instruction',
      'def test_a():\n    assert open("/srv/late.csv").read()\n',
      { 'instruction.md': 'Write `/srv/plan.json` and `late.csv` beside it.\n' },
    ],
    [
      'guarded',
      'import os\n\ndef test_a():\n    if os.path.exists("/srv/late.csv"):\n        assert open("/srv/late.csv").read()\n',
      {},
    ],
    ['in a temporary folder', 'def test_a(tmp_path):\n    assert (tmp_path / "x").read_text() == ""\n', {}],
    [
      'perhaps made by a program that the test runs',
      'import subprocess\n\ndef test_a():\n    subprocess.run(["/srv/run"])\n    assert open("/srv/late.csv").read()\n',
      {},
    ],
    [
      'in an image that is not known',
      'def test_a():\n    assert open("/srv/late.csv").read()\n',
      { 'environment/Dockerfile': 'FROM acme/base:1\nWORKDIR /srv\n' },
    ],
    ['a system file', 'def test_a():\n    assert open("/etc/hostname").read()\n', {}],
  ])('%s', async (_, python, changes) => {
    expect(await shown(id, tested(python, changes))).toEqual([]);
  });
});

describe('tests-imports-solution', () => {
  const id = 'tests-imports-solution';

  test('runs, reads and imports', async () => {
    const python =
      'import subprocess\nimport sys\nsys.path.insert(0, "/solution")\n\ndef test_a():\n    subprocess.run(["bash", "/solution/fix.sh"])\n    assert open("/solution/want.txt").read()\n';
    expect(await shown(id, tested(python))).toEqual([
      'error tests/test_plan.py:3:"\\"/solution\\"" test_plan.py imports from /solution, which is there only when the reference solution is run.',
      'error tests/test_plan.py:6:"[\\"bash\\", \\"/solution/fix.sh\\"]" test_plan.py runs /solution/fix.sh, which is there only when the reference solution is run.',
      'error tests/test_plan.py:7:"\\"/solution/want.txt\\"" test_plan.py reads /solution/want.txt, which is there only when the reference solution is run.',
    ]);
  });

  test('is a warning where the instruction has the agent write there', async () => {
    const changes = tested('def test_a():\n    assert open("/solution/out.txt").read() == "x"\n', {
      'instruction.md': 'Write the plan to `/solution/out.txt`.\n',
    });
    expect(await shown(id, changes)).toEqual([
      'warning tests/test_plan.py:2:"\\"/solution/out.txt\\"" test_plan.py reads /solution/out.txt, in the folder that the reference solution is uploaded to.',
    ]);
  });

  test('a package of the project that is called so is fine', async () => {
    const python =
      'from solution import plan\n\ndef test_a():\n    assert open("/srv/solution/x.txt").read() == plan()\n';
    expect(await shown(id, tested(python))).toEqual([]);
  });
});

describe('tests-degenerate-integrity-check', () => {
  const id = 'tests-degenerate-integrity-check';
  const script = (line: string): Changes => ({
    'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY .sums lib.c lib.c.orig /srv/\n',
    'environment/.sums': 'x',
    'environment/lib.c': 'int a;',
    'environment/lib.c.orig': 'int a;',
    'tests/test.sh': `#!/bin/bash\n${line}\n`,
  });

  test.each([
    [
      'sha256sum -c /srv/.sums',
      'warning tests/test.sh:2:"sha256sum -c /srv/.sums" test.sh compares with /srv/.sums, which the agent can change too.',
    ],
    [
      'cmp /srv/lib.c /srv/lib.c.orig',
      'warning tests/test.sh:2:"cmp /srv/lib.c /srv/lib.c.orig" test.sh compares with /srv/lib.c.orig, which the agent can change too.',
    ],
    [
      'cd /srv; git diff --quiet lib.c',
      'warning tests/test.sh:2:"git diff --quiet lib.c" test.sh compares with the Git history of /srv, which the agent can change too.',
    ],
  ])('%s', async (line, finding) => {
    expect(await shown(id, script(line))).toEqual([finding]);
  });

  test.each([
    'cd /srv && sha256sum -c /tests/sums',
    'sha256sum /srv/lib.c',
    'sha256sum /srv/lib.c > /tmp/sums; sha256sum -c /tmp/sums',
    'cmp /srv/lib.c /tests/lib.c.orig',
    'git diff --no-index --quiet /srv/lib.c /tests/lib.c',
    '# sha256sum -c /srv/.sums',
    'echo "sha256sum -c /srv/.sums"',
  ])('%s is fine', async (line) => {
    expect(await shown(id, script(line))).toEqual([]);
  });
});

describe('tests-output-may-be-link', () => {
  const id = 'tests-output-may-be-link';
  const python = (more = ''): string =>
    `from pathlib import Path\n\ndef test_a():\n${more}    assert Path("/srv/plan.json").read_text() == Path("/tests/want.json").read_text()\n`;

  test('an output like a file of the tests', async () => {
    expect(await shown(id, tested(python(), { 'tests/want.json': '1' }))).toEqual([
      'information tests/test_plan.py:4:"\\"/srv/plan.json\\"" A link from /srv/plan.json to /tests/want.json would pass: nothing asks whether the output is a file of its own.',
    ]);
  });

  test('a test that asks for links, and a constant', async () => {
    const asks = python('    assert not Path("/srv/plan.json").is_symlink()\n');
    expect(await shown(id, tested(asks, { 'tests/want.json': '1' }))).toEqual([]);
    expect(await shown(id, tested('def test_a():\n    assert open("/srv/plan.json").read() == "1"\n'))).toEqual([]);
  });
});

describe('tests-reads-instruction-file', () => {
  const id = 'tests-reads-instruction-file';
  const python = 'def test_a():\n    assert "42" in open("/app/instruction.md").read()\n';

  test('the instruction is no file', async () => {
    expect(await shown(id, tested(python))).toEqual([
      'error tests/test_plan.py:2:"\\"/app/instruction.md\\"" test_plan.py reads /app/instruction.md, but the instruction is not a file in the container.',
    ]);
  });

  test('unless the image has a copy', async () => {
    const changes = {
      'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /app\nCOPY instruction.md /app/\n',
      'environment/instruction.md': 'x',
    };
    expect(await shown(id, tested(python, changes))).toEqual([]);
  });
});
