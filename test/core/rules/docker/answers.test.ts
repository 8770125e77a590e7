import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { shown } from '../checked';

const task = (dockerfile: string, python: string, changes: Changes = {}): Changes => ({
  'environment/Dockerfile': `FROM python:3.13-slim\nWORKDIR /app\n${dockerfile}`,
  'tests/test.sh': '#!/bin/bash\npytest /tests/test_a.py && echo 1 > /logs/verifier/reward.txt\n',
  'tests/test_a.py': python,
  'instruction.md': 'Write the total to `/app/total.txt`.\n',
  'solution/solve.sh': '#!/bin/bash\npython3 /solution/sum.py > /app/total.txt\n',
  ...changes,
});

const reads = (path: string): string =>
  `def test_a():\n    total = int(open("/app/total.txt").read())\n    assert total == int(open("${path}").read())\n`;
const equals = 'def test_a():\n    assert int(open("/app/total.txt").read()) == 731598\n';

describe('docker-bakes-answer', () => {
  const id = 'docker-bakes-answer';

  test('the tests read the expected value from the image', async () => {
    expect(await shown(id, task('RUN echo 731598 > /opt/.checksum\n', reads('/opt/.checksum')))).toEqual([
      'error environment/Dockerfile:3:"/opt/.checksum" The tests take the expected value from /opt/.checksum, which the agent can read and change.',
    ]);
    // One defect, one finding.
    expect(
      await shown(
        'tests-expected-from-agent-space',
        task('RUN echo 731598 > /opt/.checksum\n', reads('/opt/.checksum')),
      ),
    ).toEqual([]);
  });

  test('both sides are read by one helper', async () => {
    const python =
      'import json\n\ndef load(path):\n    with open(path) as file:\n        return json.load(file)\n\ndef test_a():\n    assert load("/app/total.txt") == load("/opt/sums.json")\n';
    expect(await shown(id, task('COPY sums.json /opt/\n', python, { 'environment/sums.json': '{"a": 1}\n' }))).toEqual([
      'error environment/Dockerfile:3:"sums.json" The tests take the expected value from /opt/sums.json, which the agent can read and change.',
    ]);
  });

  test('a file holds what the tests expect', async () => {
    expect(await shown(id, task('RUN echo 731598 > /opt/cache\n', equals))).toEqual([
      'error environment/Dockerfile:3:"/opt/cache" /opt/cache holds a value that the tests expect, so the agent can read it instead of finding it.',
    ]);
    expect(await shown(id, task('COPY sum.dat /srv/\n', equals, { 'environment/sum.dat': '731598\n' }))).toEqual([
      'error environment/Dockerfile:3:"sum.dat" /srv/sum.dat holds a value that the tests expect, so the agent can read it instead of finding it.',
    ]);
  });

  test('a name that says so', async () => {
    const changes = { 'environment/expected_totals.csv': 'a,1\n' };
    expect(await shown(id, task('COPY expected_totals.csv /srv/\n', equals, changes))).toEqual([
      'warning environment/Dockerfile:3:"expected_totals.csv" /srv/expected_totals.csv is in the agent’s image, is called like an answer, and nothing mentions it.',
    ]);
  });

  test.each([
    ['in tests/', '', reads('/tests/expected_total.txt'), { 'tests/expected_total.txt': '731598' }],
    [
      'named in the instruction',
      'RUN echo 731598 > /opt/sum\n',
      equals,
      { 'instruction.md': 'Copy `/opt/sum` to `/app/total.txt`.\n' },
    ],
    ['removed again', 'RUN echo 731598 > /opt/cache\nRUN rm /opt/cache\n', equals, {}],
    ['in a comment', '# RUN echo 731598 > /opt/cache\n', equals, {}],
    ['printed only', 'RUN echo "echo 731598 > /opt/cache"\n', equals, {}],
    [
      'a common word',
      'RUN echo success > /opt/state\n',
      'def test_a():\n    assert open("/app/total.txt").read() == "success"\n',
      {},
    ],
    [
      'a small number',
      'RUN echo 10000 > /opt/limit\n',
      'def test_a():\n    assert int(open("/app/total.txt").read()) == 10000\n',
      {},
    ],
    [
      'given in the instruction',
      'RUN echo 731598 > /opt/id\n',
      equals,
      { 'instruction.md': 'Write the number 731598 to `/app/total.txt`.\n' },
    ],
    [
      'input that the instruction hands out by name',
      'COPY expected_totals.csv /srv/\n',
      equals,
      {
        'environment/expected_totals.csv': 'a,1\n',
        'instruction.md': 'Write the sum of `/srv/expected_totals.csv` to `/app/total.txt`.\n',
      },
    ],
    [
      'a fixture of the project’s own tests',
      'COPY app/ /srv/\n',
      equals,
      { 'environment/app/tests/expected_totals.csv': 'a,1\n' },
    ],
    [
      'used by the program',
      'COPY app/ /srv/\n',
      equals,
      {
        'environment/app/expected_totals.csv': 'a,1\n',
        'environment/app/run.py': 'open("/srv/expected_totals.csv")\n',
      },
    ],
  ])('%s is fine', async (_, dockerfile, python, changes: Changes) => {
    expect(await shown(id, task(dockerfile, python, changes))).toEqual([]);
  });
});

describe('docker-leftover-generator', () => {
  const id = 'docker-leftover-generator';
  const generator = 'import random\nrandom.seed(90210)\nopen("/srv/data.csv", "w").write(str(random.random()))\n';
  const seeded =
    'import random\n\ndef test_a():\n    random.seed(90210)\n    assert open("/app/total.txt").read() == str(random.random())\n';
  const built = 'COPY make_data.py /srv/\nRUN python3 /srv/make_data.py\n';

  test('the seed of the tests', async () => {
    expect(await shown(id, task(built, seeded, { 'environment/make_data.py': generator }))).toEqual([
      'warning environment/Dockerfile:3:"make_data.py" /srv/make_data.py stays in the image after it has made the data, and shares the seed 90210 with the tests.',
    ]);
  });

  test.each([
    ['nothing in common', built, equals, {}],
    ['removed', `${built}RUN rm /srv/make_data.py\n`, seeded, {}],
    [
      'in a builder stage',
      '',
      seeded,
      {
        'environment/Dockerfile':
          'FROM python:3.13-slim AS seed\nCOPY make_data.py /srv/\nRUN python3 /srv/make_data.py\nFROM python:3.13-slim\nWORKDIR /app\nCOPY --from=seed /srv/data.csv /srv/\n',
      },
    ],
    [
      'mentioned',
      built,
      seeded,
      { 'instruction.md': 'Run `/srv/make_data.py` again and write the total to `/app/total.txt`.\n' },
    ],
  ])('%s is fine', async (_, dockerfile, python, changes: Changes) => {
    expect(await shown(id, task(dockerfile, python, { 'environment/make_data.py': generator, ...changes }))).toEqual(
      [],
    );
  });
});
