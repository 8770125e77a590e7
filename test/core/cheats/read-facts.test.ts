import { describe, expect, it } from 'vitest';
import type { FactInput } from '../../../src/core/cheats/facts';
import { readFacts } from '../../../src/core/cheats/read-facts';

function facts(parts: Partial<FactInput>): ReturnType<typeof readFacts> {
  return readFacts({
    instruction: '',
    tests: [],
    testsComplete: true,
    testScript: 'tests/test.sh',
    dockerfile: null,
    contextFiles: [],
    solution: [],
    workdir: null,
    ...parts,
  });
}

/** Outputs as `path kind`, inputs after them. */
function shown(instruction: string, parts: Partial<FactInput> = {}): string[] {
  const { outputs, inputs } = facts({ instruction, ...parts });
  return [...outputs.map(({ path, kind }) => `out ${path} ${kind}`), ...inputs.map((path) => `in ${path}`)];
}

describe('paths of an instruction', () => {
  it.each([
    ['Read `/data/in.csv` and write the total to `/app/out.json`.', ['out /app/out.json json', 'in /data/in.csv']],
    ['Write the sum of the amounts in /data/in.csv to /app/out.txt.', ['out /app/out.txt text', 'in /data/in.csv']],
    ['Copy the lines of /var/log/a.log into /srv/b.log.', ['out /srv/b.log text', 'in /var/log/a.log']],
    ['The file `/srv/report.csv` must contain one row a day.', ['out /srv/report.csv csv']],
    ['The config at /etc/app/app.toml holds the port.', ['in /etc/app/app.toml']],
    ['Save the plots to the folder `/srv/plots/`.', ['out /srv/plots folder']],
    ['Create a script `/app/run.sh` that prints the date.', ['out /app/run.sh script']],
    ['Implement `solve(n)` in `/app/solver.py`.', ['out /app/solver.py module']],
    ['- Input: `/data/a.txt`\n- Output: `/data/b.txt`', ['out /data/b.txt text', 'in /data/a.txt']],
    ['Fix the bug in /app/server.py.', ['in /app/server.py']],
    ['Answer GET /items and POST `/items`; see https://example.org/a/b.txt.', []],
    ['Write one file a user, such as /out/<name>.txt or /out/*.txt.', []],
    ['Everything lives in /app. Do not touch /tests or /logs/verifier/reward.txt.', ['in /app']],
    ['```\ncat /data/x.txt\n```\n', []],
  ])('%s', (instruction, expected) => {
    expect(shown(instruction)).toEqual(expected);
  });

  it('takes what the image holds already for no output', () => {
    const image = { dockerfile: 'FROM x\nCOPY ship.py /srv/ship.py\n', contextFiles: ['ship.py'] };
    expect(shown('Write a better `/srv/ship.py`.', image)).toEqual(['in /srv/ship.py']);
  });

  it('takes a path that says nothing for an output when the verifier looks at it', () => {
    const tests = [{ path: 'tests/test_a.py', text: 'open("/app/x.json")\n' }];
    expect(shown('Deliverable: /app/x.json', { tests })).toEqual(['out /app/x.json json']);
    expect(shown('Deliverable: /app/x.json')).toEqual(['in /app/x.json']);
  });

  it('says where an output is named', () => {
    expect(facts({ instruction: '# Title\n\nWrite to `/a/b.json`.\n' }).outputs).toEqual([
      { path: '/a/b.json', kind: 'json', line: 2 },
    ]);
  });
});

describe('examples, keys and ports', () => {
  it('ties an example to the output named before it, if the format agrees', () => {
    const { examples, keys } = facts({
      instruction:
        'Write `/a/out.json`:\n\n```json\n{"total": 3, "rows": []}\n```\n\nand run it like this:\n\n```sh\nrun\n```\n',
    });
    expect(examples).toEqual([
      { text: '{"total": 3, "rows": []}\n', line: 2, output: '/a/out.json' },
      { text: 'run\n', line: 8, output: null },
    ]);
    expect(keys).toEqual(['total', 'rows']);
  });

  it('does not tie a table to a JSON output', () => {
    expect(facts({ instruction: 'Write `/a/out.json`.\n\n```\na,b\n```\n' }).examples[0]?.output).toBeNull();
  });

  it('finds columns and ports', () => {
    const { keys, ports } = facts({
      instruction: 'A CSV file with the columns `id`, `name`.\nListen on port 8080, at http://localhost:9090/.\n',
    });
    expect(keys).toEqual(['id', 'name']);
    expect(ports).toEqual([8080, 9090]);
  });
});

describe('the verifier', () => {
  const test = (script: string, ...others: [string, string][]): Partial<FactInput> => ({
    tests: [
      { path: 'tests/test.sh', text: script },
      ...others.map(([path, text]) => ({ path: `tests/${path}`, text })),
    ],
  });

  it('tells whether Python and pytest matter', () => {
    const uses = (parts: Partial<FactInput>): string => {
      const { verifierUsesPython, verifierUsesPytest } = facts(parts);
      return `${verifierUsesPython} ${verifierUsesPytest}`;
    };
    expect(uses(test('grep -q x /app/y\n'))).toBe('false false');
    expect(uses(test('python3 /tests/check.py\n', ['check.py', 'import json\n']))).toBe('true false');
    expect(uses(test('uvx -w pytest==8.4.1 pytest /tests/test_a.py\n'))).toBe('true true');
    expect(uses(test('bash /tests/run.sh\n', ['run.sh', 'pytest /tests\n']))).toBe('true true');
    expect(uses({ ...test('/tests/check\n'), testsComplete: false })).toBe('true true');
  });

  it('names its commands, its runner with the place, and the paths', () => {
    const { verifierCommands, runners, pathUses } = facts(
      test('#!/bin/bash\nset -e\nPY=/usr/bin/python3\ncd /app\n"$PY" -m pytest /tests/test_a.py > /tmp/log\n'),
    );
    expect(verifierCommands).toEqual(['set', 'cd', '/usr/bin/python3']);
    expect(runners).toEqual([
      {
        runner: 'pytest',
        words: ['/usr/bin/python3', '-m', 'pytest', '/tests/test_a.py'],
        file: 'tests/test.sh',
        line: 4,
      },
    ]);
    expect(pathUses).toContainEqual({ path: '/tests/test_a.py', file: 'tests/test.sh', line: 4 });
  });

  it('tells third-party modules from the standard library, from tests/ and from the task’s own', () => {
    const { imports, thirdPartyImports } = facts({
      ...test(
        'pytest\n',
        ['test_a.py', 'import json, yaml as y\nfrom helpers import x\nfrom requests.auth import A\nimport solver\n'],
        ['helpers.py', ''],
      ),
      instruction: 'Implement it in `/app/solver.py`.',
    });
    expect(imports).toEqual(['json', 'yaml', 'helpers', 'requests', 'solver']);
    expect(thirdPartyImports).toEqual(['yaml', 'requests']);
  });

  it('finds the words of success that tests look for', () => {
    const { successWords } = facts(
      test('echo "all passed"\n./a | grep -q "ALL GOOD"\n[ "$x" = "ok" ]\n', [
        'test_a.py',
        'assert "PASS" in out\nprint("done")\n',
      ]),
    );
    expect(successWords).toEqual(['ALL GOOD', 'ok', 'PASS']);
  });
});

describe('graders', () => {
  const image = {
    dockerfile: 'FROM x\nWORKDIR /srv\nCOPY check.sh /opt/check.sh\nCOPY ship.py grade.py /srv/\n',
    contextFiles: ['check.sh', 'ship.py', 'grade.py'],
  };
  const graders = (script: string, parts: Partial<FactInput> = {}): readonly string[] =>
    facts({ ...image, tests: [{ path: 'tests/test.sh', text: script }], ...parts }).graders;

  it('are programs of the image that the verifier runs', () => {
    expect(graders('bash /opt/check.sh\n')).toEqual(['/opt/check.sh']);
    expect(graders('timeout 9 python3 grade.py --all\n')).toEqual(['/srv/grade.py']);
    expect(graders('cd /opt\n./check.sh && echo 1\n')).toEqual(['/opt/check.sh']);
    expect(graders('cat /opt/check.sh\npython3 /tests/x.py /srv/grade.py\n')).toEqual([]);
  });

  it('are found in Python tests as well', () => {
    const tests = [
      { path: 'tests/test_a.py', text: 'r = subprocess.run(\n    ["/opt/check.sh"],\n)\nopen("/srv/grade.py")\n' },
    ];
    expect(graders('', { tests })).toEqual(['/opt/check.sh']);
  });

  it('are no deliverables', () => {
    expect(graders('python3 /srv/ship.py\n', { instruction: 'Fix `/srv/ship.py`.' })).toEqual([]);
    expect(graders('python3 /srv/ship.py\n', { instruction: 'The service is `ship.py`. It loses lines.' })).toEqual([]);
    expect(
      graders('python3 /srv/ship.py\n', { solution: [{ path: 'solution/solve.sh', text: 'sed -i s/a/b/ ship.py' }] }),
    ).toEqual([]);
    expect(graders('/opt/check.sh\n', { instruction: 'Run `/opt/check.sh` to check your work.' })).toEqual([
      '/opt/check.sh',
    ]);
  });
});
