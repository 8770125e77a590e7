import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const task = (instruction: string, changes: Changes = {}): Changes => ({
  'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY tides-2024.csv /srv/\n',
  'environment/tides-2024.csv': 'day,height_cm\n1,412\n',
  'instruction.md': instruction,
  'tests/test.sh': '#!/bin/bash\npytest /tests/test_a.py && echo 1 > /logs/verifier/reward.txt\n',
  'tests/test_a.py': 'def test_a():\n    assert open("/srv/plan.json").read() == "x"\n',
  'solution/solve.sh': '#!/bin/bash\npython3 /solution/make.py > /srv/plan.json\n',
  ...changes,
});

describe('instruction-missing-input', () => {
  const id = 'instruction-missing-input';

  test('a misspelt input is found and mended', async () => {
    const changes = task('Read `/srv/tides_2024.csv` and write `/srv/plan.json`.\n');
    expect(await shown(id, changes)).toEqual([
      'warning instruction.md:1:"/srv/tides_2024.csv" The image does not have /srv/tides_2024.csv, but it has /srv/tides-2024.csv. [Use /srv/tides-2024.csv]',
    ]);
    expect(await mended(id, changes, 'Use /srv/tides-2024.csv', 'instruction.md')).toBe(
      'Read `/srv/tides-2024.csv` and write `/srv/plan.json`.\n',
    );
  });

  test.each([
    ['in the image', 'Read `/srv/tides-2024.csv`.\n', {}],
    ['an output', 'Write the sums to `/srv/sums.csv`, then read `/srv/sums.csv` again.\n', {}],
    ['a system path', 'Read `/etc/hosts.conf`.\n', {}],
    ['a pattern', 'Read `/srv/tides-*.csv`.\n', {}],
    ['an example', 'Read files such as `/srv/tides_2020.csv`.\n', {}],
    ['made by a script of the image', 'Read `/srv/x.csv`.\n', { 'environment/tides-2024.csv': 'x.csv' }],
    ['made by the tests', 'Read `/srv/x.csv`.\n', { 'tests/test_a.py': 'open("/srv/x.csv", "w")\n' }],
    ['in an image that is not known', 'Read `/srv/x.csv`.\n', { 'environment/Dockerfile': 'FROM acme/base:1\n' }],
    [
      'in an image with a build that is not understood',
      'Read `/srv/x.csv`.\n',
      { 'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nRUN /opt/make-data\n' },
    ],
    [
      'on a volume',
      'Read `/srv/x.csv`.\n',
      { 'environment/docker-compose.yaml': 'services:\n  main:\n    volumes:\n      - data:/srv\nvolumes:\n  data:\n' },
    ],
  ])('%s is fine', async (_, instruction, changes: Changes) => {
    expect(await shown(id, task(instruction, changes))).toEqual([]);
  });

  test('a step may read what an earlier one had to write', async () => {
    const changes = task('', {
      'instruction.md': undefined,
      'task.toml': '[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
      'steps/one/instruction.md': 'Write the sums to `/srv/sums.csv`.\n',
      'steps/two/instruction.md': 'Read `/srv/sums.csv` and write `/srv/plan.json`.\n',
    });
    expect(await shown(id, changes)).toEqual([]);
  });
});

describe('instruction-schema-undocumented', () => {
  const id = 'instruction-schema-undocumented';
  const reads = (more = ''): Changes => ({
    'tests/test_a.py': `import json\n\ndef test_a():\n    plan = json.load(open("/srv/plan.json"))\n${more}    assert plan["late_minutes"] == 4\n    for row in plan["stops"]:\n        assert row["name"]\n`,
  });

  test('keys that only the tests know', async () => {
    expect(await shown(id, task('Write a JSON report to `/srv/plan.json`.\n', reads()))).toEqual([
      'warning instruction.md:1:"/srv/plan.json" The tests read the keys late_minutes, stops and name of /srv/plan.json, which neither the instruction nor the image names.',
    ]);
  });

  test.each([
    ['named', 'Write `late_minutes` and `stops` (each with a `name`) to `/srv/plan.json`.\n', reads()],
    ['shown', 'Write `/srv/plan.json`:\n\n```json\n{"late_minutes": 1, "stops": [{"name": "x"}]}\n```\n', reads()],
    [
      'in the image',
      'Write to `/srv/plan.json` as in `/srv/tides-2024.csv`.\n',
      { ...reads(), 'environment/tides-2024.csv': 'late_minutes,stops,name\n' },
    ],
    [
      'of the tests’ own data',
      'Write `/srv/plan.json`.\n',
      {
        'tests/test_a.py':
          'import json\n\ndef test_a():\n    want = json.load(open("/tests/want.json"))\n    assert open("/srv/plan.json").read() == want["late_minutes"]\n',
        'tests/want.json': '{}',
      },
    ],
    [
      'of a value that is not followed',
      'Write `/srv/plan.json`.\n',
      {
        'tests/test_a.py':
          'from helper import load\n\ndef test_a():\n    assert load("/srv/plan.json")["late_minutes"] == 4\n',
      },
    ],
    [
      'optional',
      'Write `/srv/plan.json`.\n',
      {
        'tests/test_a.py':
          'import json\n\ndef test_a():\n    plan = json.load(open("/srv/plan.json"))\n    assert plan.get("late_minutes", 0) == 0\n',
      },
    ],
  ])('%s is fine', async (_, instruction, changes: Changes) => {
    expect(await shown(id, task(instruction, changes))).toEqual([]);
  });
});

describe('a key that an input shows', () => {
  const python = (source: string): Changes =>
    task('Write a JSON report to `/srv/plan.json`.\n', {
      'environment/Dockerfile':
        'FROM python:3.13-slim\nWORKDIR /srv\nCOPY make.py /srv/\nRUN python3 /srv/make.py && rm /srv/make.py\n',
      'environment/make.py': 'print(1)\n',
      'tests/test_a.py': `import json\n\ndef test_a():\n    wanted = ${source}\n    plan = json.load(open("/srv/plan.json"))\n    assert plan["carriages"] == wanted["carriages"]\n`,
    });

  test('needs no word in the instruction', async () => {
    expect(await shown('instruction-schema-undocumented', python('json.load(open("/srv/given.json"))'))).toEqual([]);
  });

  test('does where only the tests have it', async () => {
    expect(await shown('instruction-schema-undocumented', python('{"carriages": 3}'))).toHaveLength(1);
  });
});
