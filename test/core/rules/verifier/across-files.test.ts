import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const reward = ' && echo 1 > /logs/verifier/reward.txt\n';
const python = 'def test_a():\n    assert open("/app/answer.txt").read() == "42"\n';

describe('verifier-missing-file', () => {
  const id = 'verifier-missing-file';

  test('a misspelt name is found and mended', async () => {
    const changes = {
      'tests/test.sh': `#!/bin/bash\npytest /tests/test_kiln.py${reward}`,
      'tests/test_kilns.py': python,
    };
    expect(await shown(id, changes)).toEqual([
      'error tests/test.sh:2:"/tests/test_kiln.py" test.sh runs /tests/test_kiln.py, which is not in tests/; /tests/test_kilns.py is. [Use /tests/test_kilns.py*]',
    ]);
    expect(await mended(id, changes, 'Use /tests/test_kilns.py', 'tests/test.sh')).toBe(
      `#!/bin/bash\npytest /tests/test_kilns.py${reward}`,
    );
  });

  test('a file that a test reads, and a script run where it is not', async () => {
    const changes = {
      'tests/test.sh': `#!/bin/bash\npython3 /app/tests/test_a.py${reward}`,
      'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /app\n',
      'tests/test_a.py': 'want = open("/tests/want.csv").read()\nassert open("/app/answer.txt").read() == want\n',
    };
    expect(await shown(id, changes)).toEqual([
      'error tests/test.sh:2:"/app/tests/test_a.py" test.sh runs /app/tests/test_a.py, where nothing puts a file: Harbor uploads it as /tests/test_a.py. [Use /tests/test_a.py*]',
      'error tests/test_a.py:1:"\\"/tests/want.csv\\"" test_a.py reads /tests/want.csv, which is not in tests/.',
    ]);
  });

  test.each([
    ['there', 'pytest /tests/test_a.py', {}],
    ['a folder', 'pytest /tests', {}],
    [
      'made before',
      'cp /app/answer.txt /tests/got.txt; diff /tests/got.txt /tests/want.txt',
      { 'tests/want.txt': '42' },
    ],
    ['asked for first', '[ -f /tests/extra.py ] && python3 /tests/extra.py', {}],
    ['a pattern', 'pytest /tests/test_*.py', {}],
    ['a report that is written', 'pytest /tests/test_a.py --junitxml /tests/report.xml', {}],
    ['a name in a comment', '# pytest /tests/test_b.py', {}],
    ['words that are printed', 'echo "pytest /tests/test_b.py"', {}],
    ['the lines of a here-document', "cat > /tmp/x <<'EOF'\npytest /tests/test_b.py\nEOF", {}],
    ['a name that is not constant', 'pytest "/tests/$NAME.py"', {}],
    ['copied to where it is run', 'cp /tests/test_a.py /app/test_a.py; pytest /app/test_a.py', {}],
  ])('%s', async (_, line, changes: Changes) => {
    expect(
      await shown(id, { 'tests/test.sh': `#!/bin/bash\n${line}\n`, 'tests/test_a.py': python, ...changes }),
    ).toEqual([]);
  });

  test('a step has the shared files and its own', async () => {
    const changes = {
      'task.toml': '[[steps]]\nname = "one"\n',
      'steps/one/instruction.md': 'Write 42 to /app/answer.txt.\n',
      'steps/one/tests/test.sh': `#!/bin/bash\npytest /tests/test_a.py /tests/test_one.py${reward}`,
      'tests/test_a.py': python,
      'steps/one/tests/test_one.py': python,
    };
    expect(await shown(id, changes)).toEqual([]);
  });
});

describe('verifier-test-not-run', () => {
  const id = 'verifier-test-not-run';
  const script = (line: string): string => `#!/bin/bash\n${line}${reward}`;

  test('a file that no command reaches', async () => {
    const changes = {
      'tests/test.sh': script('pytest /tests/test_a.py'),
      'tests/test_a.py': python,
      'tests/test_b.py': python,
    };
    expect(await shown(id, changes)).toEqual([
      'warning tests/test_b.py:1:"test_a" No command of test.sh runs test_b.py, so its tests never judge anything.',
    ]);
  });

  test('names that pytest does not collect', async () => {
    const changes = {
      'tests/test.sh': script('pytest /tests/checks.py /tests/test_c.py'),
      'tests/checks.py': 'def check_total():\n    assert open("/app/answer.txt").read() == "42"\n',
      'tests/test_c.py': `${python}\nclass TestMore:\n    def __init__(self):\n        self.x = 1\n\n    def test_x(self):\n        assert self.x\n`,
    };
    expect(await shown(id, changes)).toEqual([
      'warning tests/checks.py:1:"check_total" pytest collects nothing in checks.py, since no function there is called test…: check_total never runs.',
      'warning tests/test_c.py:4:"TestMore" pytest does not collect TestMore, since it has an __init__: test_x never runs.',
    ]);
  });

  test('a test that a selection leaves out', async () => {
    const changes = {
      'tests/test.sh': script('pytest /tests/test_a.py::test_a'),
      'tests/test_a.py': `${python}\ndef test_b():\n    assert 1\n`,
    };
    expect(await shown(id, changes)).toEqual([
      'warning tests/test_a.py:4:"test_b" The test script selects tests of test_a.py by name and leaves out test_b.',
    ]);
  });

  test.each([
    ['the folder', 'pytest /tests', {}],
    ['a pattern', 'pytest /tests/test_*.py', {}],
    ['from the folder', 'cd /tests && pytest', {}],
    ['through a variable', 'T=/tests; pytest "$T"', {}],
    ['through something unknown', 'pytest $TESTS', {}],
    ['a copy', 'cp -r /tests /srv/t && pytest /srv/t', {}],
    ['a copy of the files', 'cp /tests/*.py /srv/ && cd /srv && pytest', {}],
    ['one imports the other', 'pytest /tests/test_a.py', { 'tests/test_a.py': 'from test_b import *\n' }],
    ['another runner', 'cd /tests && python3 -m unittest test_a', {}],
    ['by another script', 'bash /tests/all.sh', { 'tests/all.sh': 'pytest /tests/test_a.py /tests/test_b.py\n' }],
    ['in a function', 'run() { pytest /tests/test_a.py "/tests/test_b.py"; }; run', {}],
    [
      'by a runner of packages',
      'uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest --ctrf /logs/verifier/ctrf.json /tests -rA',
      {},
    ],
  ])('%s is fine', async (_, line, changes: Changes) => {
    expect(
      await shown(id, {
        'tests/test.sh': script(line),
        'tests/test_a.py': python,
        'tests/test_b.py': python,
        ...changes,
      }),
    ).toEqual([]);
  });
});

describe('verifier-runs-agent-grader', () => {
  const id = 'verifier-runs-agent-grader';
  const task = (changes: Changes): Changes => ({
    'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY qc/ /opt/qc/\n',
    'environment/qc/validate_plan.py': 'print("ok")\n',
    'instruction.md': 'Write the plan to `/srv/plan.json`.\n',
    'tests/test.sh': `#!/bin/bash\npython3 /opt/qc/validate_plan.py /srv/plan.json${reward}`,
    'solution/solve.sh': '#!/bin/bash\necho 1 > /srv/plan.json\n',
    ...changes,
  });

  test('a checker of the image', async () => {
    expect(await shown(id, task({}))).toEqual([
      'error tests/test.sh:2:"/opt/qc/validate_plan.py" test.sh lets /opt/qc/validate_plan.py judge, which is in the image: the agent can replace it by one that always agrees.',
    ]);
  });

  test('a checker that a test runs', async () => {
    const changes = task({
      'tests/test.sh': `#!/bin/bash\npytest /tests/test_a.py${reward}`,
      'tests/test_a.py':
        'import subprocess\n\ndef test_a():\n    subprocess.run(["python3", "/opt/qc/validate_plan.py"], check=True)\n',
    });
    expect(await shown(id, changes)).toHaveLength(1);
  });

  test.each([
    [
      'a checker in tests/',
      { 'tests/test.sh': `#!/bin/bash\npython3 /tests/validate_plan.py${reward}`, 'tests/validate_plan.py': '' },
    ],
    ['the deliverable', { 'instruction.md': 'Fix `/opt/qc/validate_plan.py` so that it rejects empty plans.\n' }],
    [
      'what the solution replaces',
      { 'solution/solve.sh': '#!/bin/bash\ncp /solution/v.py /opt/qc/validate_plan.py\n' },
    ],
    [
      'a program that does not judge',
      { 'tests/test.sh': `#!/bin/bash\n/opt/qc/start.sh${reward}`, 'environment/qc/start.sh': 'x' },
    ],
    [
      'a separate verifier',
      {
        'task.toml': '[verifier]\nenvironment_mode = "separate"\n',
        'tests/Dockerfile': 'FROM python:3.13-slim\nCOPY . /tests/\n',
      },
    ],
    ['an agent that cannot write there', { 'task.toml': '[agent]\nuser = "nobody"\n' }],
  ])('%s is fine', async (_, changes: Changes) => {
    expect(await shown(id, task(changes))).toEqual([]);
  });
});

describe('verifier-makes-own-evidence', () => {
  const id = 'verifier-makes-own-evidence';
  const task = (line: string): Changes => ({
    'tests/test.sh': `#!/bin/bash\n${line}\npytest /tests/test_a.py${reward}`,
    'tests/test_a.py': 'def test_a():\n    assert open("/app/answer.txt").read() == "42"\n',
  });

  test('the output that is looked at', async () => {
    expect(await shown(id, task('echo 42 > /app/answer.txt'))).toEqual([
      'warning tests/test.sh:2:"/app/answer.txt" test.sh writes /app/answer.txt itself, which the agent was asked for and which is then looked at.',
    ]);
  });

  test('the reference solution, where it is there', async () => {
    expect(await shown(id, task('[ -f /solution/solve.sh ] && bash /solution/solve.sh'))).toEqual([
      'warning tests/test.sh:2:"/solution/solve.sh" test.sh runs /solution/solve.sh, the reference solution, before it judges: it would be judging that one.',
    ]);
  });

  test.each(['rm -f /app/answer.txt', 'mkdir -p /app', 'echo 1 > /app/input.txt', 'cat /app/answer.txt > /tmp/copy'])(
    '%s is fine',
    async (line) => {
      expect(await shown(id, task(line))).toEqual([]);
    },
  );
});

test('a shared test file that several steps run is told of once, and a batch file is no shell script', async () => {
  const steps = {
    'task.toml': '[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
    'steps/one/instruction.md': 'Write 42 to /app/answer.txt.\n',
    'steps/two/instruction.md': 'Write 43 to /app/answer.txt.\n',
    'tests/test.sh': `#!/bin/bash\npytest /tests/test_none.py${reward}`,
  };
  expect(await shown('verifier-missing-file', steps)).toHaveLength(1);
  const windows = {
    'task.toml': '[environment]\nos = "windows"\n',
    'tests/test.bat': '@echo off\r\npytest /tests/test_none.py\r\n',
  };
  expect(await shown('verifier-missing-file', windows)).toEqual([]);
});

describe('a file that a program may have made', () => {
  const script = (lines: string): Changes => ({ 'tests/test.sh': `#!/bin/bash\ncd /tests\n${lines}\n` });

  test('is given by its mere name before', async () => {
    expect(await shown('verifier-missing-file', script('tracer serve -db spans.db\ncp /tests/spans.db /tmp/'))).toEqual(
      [],
    );
  });

  test('is missing where it is only read before', async () => {
    expect(await shown('verifier-missing-file', script('cp /tests/spans.db /tmp/'))).toHaveLength(1);
  });
});

describe('a grader that only the agent can put there', () => {
  const script = (path: string): Changes => ({
    'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\n',
    'tests/test.sh': `#!/bin/bash\nif [ -f ${path} ]; then\n  bash ${path}\nelse\n  pytest /tests\nfi\necho 0 > /logs/verifier/reward.txt\n`,
  });

  test('is found', async () => {
    expect(await shown('verifier-runs-agent-grader', script('/srv/run-tests.sh'))).toEqual([
      'error tests/test.sh:3:"/srv/run-tests.sh" test.sh lets /srv/run-tests.sh judge if it is there, and nobody but the agent can put it there.',
    ]);
  });

  test.each(['/tests/run-tests.sh', '/srv/setup.sh'])('is not %s', async (path) => {
    expect(await shown('verifier-runs-agent-grader', script(path))).toEqual([]);
  });

  test('is none that the instruction asks for', async () => {
    const asked = {
      ...script('/srv/run-tests.sh'),
      'instruction.md': 'Write `/srv/run-tests.sh`, a script that tests the pumps.\n',
    };
    expect(await shown('verifier-runs-agent-grader', asked)).toEqual([]);
  });
});
