import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PathUse } from '../../../src/core/cheats/facts';
import type { TaskFiles } from './facts-of';
import { factsOf } from './facts-of';

/** Outputs as `path kind`, inputs after them. */
function shown(instruction: string, files: TaskFiles = {}): string[] {
  const { outputs, inputs } = factsOf({ 'instruction.md': instruction, ...files });
  return [...outputs.map(({ path, kind }) => `out ${path} ${kind}`), ...inputs.map((path) => `in ${path}`)];
}

const pytest = '#!/bin/bash\npytest /tests/test_a.py\n';

describe('paths of an instruction', () => {
  it.each([
    ['Read `/data/in.csv` and write the total to `/app/out.json`.', ['out /app/out.json json', 'in /data/in.csv']],
    ['Write the sum of the amounts in /data/in.csv to /app/out.txt.', ['out /app/out.txt text', 'in /data/in.csv']],
    ['Copy the lines of /var/log/a.log into /srv/b.log.', ['out /srv/b.log text', 'in /var/log/a.log']],
    ['The file `/srv/report.csv` must contain one row a day.', ['out /srv/report.csv csv']],
    ['The config at /etc/app/app.toml holds the port.', ['in /etc/app/app.toml']],
    ['Save the plots to the folder `/srv/plots/`.', ['out /srv/plots folder']],
    ['Write `total.json` into the folder `/srv/out`.', ['out /srv/out/total.json json', 'out /srv/out folder']],
    ['Create a script `/app/run.sh` that prints the date.', ['out /app/run.sh script']],
    ['Implement `solve(n)` in `/app/solver.py`.', ['out /app/solver.py module']],
    ['- Input: `/data/a.txt`\n- Output: `/data/b.txt`', ['out /data/b.txt text', 'in /data/a.txt']],
    ['Fix the bug in /app/server.py.', ['in /app/server.py']],
    ['Write to `/app/out.txt`. Do not change `/app/in.txt`.', ['out /app/out.txt text', 'in /app/in.txt']],
    ['Answer GET /items and POST `/items`; see https://example.org/a/b.txt.', []],
    ['Write one file a user, such as /out/<name>.txt or /out/*.txt.', []],
    ['Everything lives in /app. Do not touch /tests or /logs/verifier/reward.txt.', ['in /app']],
    ['```\ncat /data/x.txt\n```\n', []],
  ])('%s', (instruction, expected) => {
    expect(shown(instruction)).toEqual(expected);
  });

  it('takes what the image holds already for no output', () => {
    const image = { 'environment/Dockerfile': 'FROM x\nCOPY ship.py /srv/ship.py\n', 'environment/ship.py': '' };
    expect(shown('Write a better `/srv/ship.py`.', image)).toEqual(['in /srv/ship.py']);
  });

  it('takes a file that is to be changed for an output only where the image surely lacks it', () => {
    const dockerfile = (copy: string): TaskFiles => ({
      'environment/Dockerfile': `FROM python:3.13-slim\nWORKDIR /app\n${copy}`,
      'environment/a.py': '',
    });
    expect(shown('Complete `/app/a.py`.', dockerfile(''))).toEqual(['out /app/a.py module']);
    expect(shown('Complete `/app/a.py`.', dockerfile('COPY a.py .\n'))).toEqual(['in /app/a.py']);
    expect(shown('Complete `/app/a.py`.', dockerfile('RUN some-tool\n'))).toEqual(['in /app/a.py']);
  });

  it('takes a path that says nothing for an output when the verifier looks at it', () => {
    const tests = { 'tests/test.sh': pytest, 'tests/test_a.py': 'open("/app/x.json")\n' };
    expect(shown('Deliverable: /app/x.json', tests)).toEqual(['out /app/x.json json']);
    expect(shown('See /app/x.json', tests)).toEqual(['out /app/x.json json']);
    expect(shown('See /app/x.json')).toEqual(['in /app/x.json']);
  });

  it('says where an output is named', () => {
    expect(factsOf({ 'instruction.md': '# Title\r\n\r\n😀 Write to `/a/b.json`.\r\n' }).outputs).toEqual([
      { path: '/a/b.json', kind: 'json', line: 2 },
    ]);
  });
});

describe('examples, keys and ports', () => {
  const said = (instruction: string): ReturnType<typeof factsOf> => factsOf({ 'instruction.md': instruction });

  it('ties an example to the output named before it, if the format agrees', () => {
    const { examples, keys } = said(
      'Write `/a/out.json`:\n\n```json\n{"total": 3, "rows": []}\n```\n\nand run it like this:\n\n```sh\nrun\n```\n',
    );
    expect(examples).toEqual([
      { text: '{"total": 3, "rows": []}\n', line: 2, output: '/a/out.json' },
      { text: 'run\n', line: 8, output: null },
    ]);
    expect(keys).toEqual(['total', 'rows']);
  });

  it('gives the text of an example without the returns of its lines', () => {
    expect(said('Write `/a/o.csv`:\r\n\r\n```\r\na,b\r\n1,2\r\n```\r\n').examples).toEqual([
      { text: 'a,b\n1,2\n', line: 2, output: '/a/o.csv' },
    ]);
  });

  it('does not tie a table to a JSON output', () => {
    expect(said('Write `/a/out.json`.\n\n```\na,b\n```\n').examples[0]?.output).toBeNull();
  });

  it('finds columns and ports', () => {
    const { keys, ports } = said(
      'A CSV file with the columns `id`, `name`.\nListen on port 8080, at http://localhost:9090/.\n',
    );
    expect(keys).toEqual(['id', 'name']);
    expect(ports).toEqual([8080, 9090]);
  });

  it('takes what a list begins its items with for keys only where it is called so', () => {
    expect(said('The arguments:\n\n- `LOG`: where to read\n- `OUT`: where to write\n').keys).toEqual([]);
    expect(said('Each object has the keys:\n\n- `id`: a number\n- `name`\n').keys).toEqual(['id', 'name']);
  });
});

/** A verifier of this test script and of files beside it. */
function verifier(script: string, others: TaskFiles = {}): TaskFiles {
  const beside = Object.entries(others).map(([name, text]): [string, string | null] => [`tests/${name}`, text]);
  return { 'tests/test.sh': script, ...Object.fromEntries(beside) };
}

describe('the verifier', () => {
  it('tells whether Python and pytest matter', () => {
    const uses = (files: TaskFiles): string => {
      const { verifierUsesPython, verifierUsesPytest } = factsOf(files);
      return `${verifierUsesPython} ${verifierUsesPytest}`;
    };
    expect(uses(verifier('grep -q x /app/y\n'))).toBe('false false');
    expect(uses(verifier('grep -q x /app/y\n', { 'expected.png': null }))).toBe('false false');
    expect(uses(verifier('python3 /tests/check.py\n', { 'check.py': 'import json\n' }))).toBe('true false');
    expect(uses(verifier('uvx -w pytest==8.4.1 pytest /tests/test_a.py\n'))).toBe('true true');
    expect(uses(verifier('bash /tests/run.sh\n', { 'run.sh': 'pytest /tests\n' }))).toBe('true true');
    // What cannot be read may use anything; data are no doubt.
    expect(uses(verifier('grep -q x /app/y\n', { 'data/big.csv': 'a\0b' }))).toBe('false false');
    expect(uses(verifier('grep -q x /app/y\n', { '__pycache__/': null }))).toBe('false false');
    expect(uses(verifier('grep -q x /app/y\n', { 'node_modules/': null }))).toBe('true true');
    expect(uses(verifier('/tests/check\n', { check: null }))).toBe('true true');
    expect(uses(verifier('/tests/check\n', { check: '\x7fELF\0' }))).toBe('true true');
  });

  it('names its commands, its runner with the place, and the paths', () => {
    const { verifierCommands, runners, pathUses } = factsOf(
      verifier(
        '#!/bin/bash\nset -e\nPY=/usr/bin/python3\ncd /app\n"$PY" -m pytest /tests/test_a.py > /tmp/log\n' +
          'while read -r x; do echo "$x"; done < /app/in.csv\nmv --target-directory=/app/y z\n',
        { 'test_a.py': '' },
      ),
    );
    expect(verifierCommands).toEqual(['set', 'cd', '/usr/bin/python3', 'read', 'echo', 'mv']);
    expect(runners).toEqual([
      {
        runner: 'pytest',
        words: ['/usr/bin/python3', '-m', 'pytest', '/tests/test_a.py'],
        file: 'tests/test.sh',
        line: 4,
      },
    ]);
    for (const [path, line] of [
      ['/tests/test_a.py', 4],
      ['/tmp/log', 4],
      ['/app/in.csv', 5],
      ['/app/y', 6],
    ])
      expect(pathUses).toContainEqual({ path, file: 'tests/test.sh', line });
  });

  it('knows comments, here-documents and quotes for what they are', () => {
    const { verifierCommands, verifierPaths } = factsOf(
      verifier("cat <<'END' > /tmp/o # /app/no\nrm -rf /app/x\nEND\necho 'pytest /app/y' \"$(cat /app/z)\"\n"),
    );
    expect(verifierCommands).toEqual(['cat', 'echo', 'cat']);
    expect(verifierPaths.toSorted()).toEqual(['/app/z', '/tmp/o']);
  });

  it('sees through wrappers, in front of a runner and of a program', () => {
    const { runners } = factsOf(
      verifier(
        'A=1 env -i PATH=/bin /usr/bin/timeout -k 5 240 python3 /tests/t.py\nuv run /tests/t.py\nuv pip install x\n',
      ),
    );
    expect(runners.map(({ runner, words }) => `${runner} ${words.join(' ')}`)).toEqual([
      'python python3 /tests/t.py',
      'python uv run /tests/t.py',
    ]);
  });

  it('finds the runner that a Python file of the tests starts', () => {
    const { runners } = factsOf(
      verifier('python3 /tests/run.py\n', {
        'run.py':
          'import subprocess, sys\nsubprocess.run(["python3", "/app/a.py"])\nsubprocess.run([sys.executable, "-m", "pytest", "/tests"])\n',
      }),
    );
    expect(runners.map(({ runner, file, line }) => `${runner} ${file}:${line}`)).toEqual([
      'python tests/test.sh:0',
      'pytest tests/run.py:2',
    ]);
  });

  it('reads the Python that a script gives to the interpreter', () => {
    const { imports, pathUses, successWords } = factsOf(
      verifier(
        'cd /app\npython3 - <<\'END\'\nimport yaml\nassert open("/app/o.txt").read() == "ALL OK"\nEND\n' +
          'python3 -c \'import json; json.load(open("/app/t.json"))\'\n',
      ),
    );
    expect(imports).toEqual(['yaml', 'json']);
    expect(successWords).toEqual(['ALL OK']);
    expect(pathUses).toEqual(
      expect.arrayContaining<PathUse>([
        { path: '/app/o.txt', file: 'tests/test.sh', line: 3 },
        { path: '/app/t.json', file: 'tests/test.sh', line: 5 },
      ]),
    );
  });

  it('puts paths together, and says where they are used', () => {
    const { pathUses } = factsOf(
      verifier(pytest, {
        'test_a.py':
          'from pathlib import Path\nAPP = Path("/app")\n\ndef test_a():\n    assert (APP / "o.txt").exists()\n',
      }),
    );
    expect(pathUses).toContainEqual({ path: '/app/o.txt', file: 'tests/test_a.py', line: 4 });
  });

  it('takes files into account that the script is not seen to use', () => {
    const { imports, pathUses } = factsOf(
      verifier('/tests/start\n', {
        start: '#!/usr/bin/env ruby\nx = "/app/r.txt"\n',
        'more/check.py': 'import yaml\nopen("/app/p")\n',
      }),
    );
    expect(imports).toEqual(['yaml']);
    expect(pathUses).toContainEqual({ path: '/app/p', file: 'tests/more/check.py', line: 1 });
    expect(pathUses).toContainEqual({ path: '/app/r.txt', file: 'tests/start', line: 1 });
  });

  it('tells third-party modules from the standard library, from tests/ and from the task’s own', () => {
    const { imports, thirdPartyImports } = factsOf({
      ...verifier(pytest, {
        'test_a.py':
          'import json, yaml as y\nfrom helpers import x\nfrom . import near\nfrom requests.auth import A\nimport solver\n"""\nimport no\n"""\n',
        'helpers.py': '',
      }),
      'instruction.md': 'Implement it in `/app/solver.py`.',
    });
    expect(imports).toEqual(['json', 'yaml', 'helpers', 'requests', 'solver']);
    expect(thirdPartyImports).toEqual(['yaml', 'requests']);
  });

  it('finds the words of success that tests look for', () => {
    const { successWords } = factsOf(
      verifier(
        'echo "all passed"\n./a | grep -q "ALL GOOD"\n[ "$x" = "ok" ]\npytest /tests/test_a.py\ncase "$x" in\n  *VERIFIED*) ;;\nesac\n',
        {
          'test_a.py': 'assert "PASS" in out\nprint("done")\nassert out.startswith("Success")\n',
          'a.test.js': 'console.log("passed");\nexpect(out).toBe("correct");\n',
        },
      ),
    );
    expect(successWords).toEqual(['ALL GOOD', 'ok', 'VERIFIED', 'PASS', 'Success', 'correct']);
  });
});

describe('the image', () => {
  const image = (dockerfile: string, ...files: string[]): readonly string[] =>
    factsOf({
      'environment/Dockerfile': dockerfile,
      ...Object.fromEntries(files.map((file) => [`environment/${file}`, 'x'])),
    }).imagePaths;

  it('holds what is copied, also by a pattern, and what commands write', () => {
    expect(
      image('FROM x\nWORKDIR /srv\nCOPY a.sh b.py ./\nCOPY data/*.csv /data/\n', 'a.sh', 'b.py', 'data/c.csv'),
    ).toEqual(['/srv/a.sh', '/srv/b.py', '/data/c.csv']);
    expect(image('FROM x\nCOPY src /opt/src\n', 'src/a/b.py')).toEqual(['/opt/src/a/b.py']);
    expect(image('FROM x\nWORKDIR /w\nRUN echo 1 > one && echo 2 | tee /two >/dev/null\n')).toEqual(['/w/one', '/two']);
    expect(image('FROM x\nCOPY <<EOF /etc/motd\nhello\nEOF\n')).toEqual(['/etc/motd']);
  });

  it('has folders of unknown content, and nothing of stages that are left behind', () => {
    expect(image('FROM x\nRUN git clone https://example.org/r.git /src\n')).toEqual(['/src/']);
    expect(image('FROM x\nCOPY --from=y /bin/check /opt/check\n')).toEqual(['/opt/check']);
    expect(image('FROM x AS a\nCOPY f /f\nFROM y\nCOPY --from=a /f /g\n', 'f')).toEqual(['/g']);
  });

  it('gives the working directory, after the task’s own', () => {
    const files = { 'environment/Dockerfile': 'FROM x\nWORKDIR /a\nWORKDIR b\n' };
    expect(factsOf(files).workdir).toBe('/a/b');
    expect(factsOf(files, '/c').workdir).toBe('/c');
  });
});

describe('graders', () => {
  const image = {
    'environment/Dockerfile': 'FROM x\nWORKDIR /srv\nCOPY check.sh /opt/check.sh\nCOPY ship.py grade.py /srv/\n',
    'environment/check.sh': '',
    'environment/ship.py': '',
    'environment/grade.py': '',
  };
  const graders = (script: string, files: TaskFiles = {}): readonly string[] =>
    factsOf({ ...image, 'tests/test.sh': script, ...files }).graders;

  it('are programs of the image that the verifier runs', () => {
    expect(graders('bash /opt/check.sh\n')).toEqual(['/opt/check.sh']);
    expect(graders('. /opt/check.sh\n')).toEqual(['/opt/check.sh']);
    expect(graders('timeout 9 python3 grade.py --all\n')).toEqual(['/srv/grade.py']);
    expect(graders('cd /opt\n./check.sh && echo 1\n')).toEqual(['/opt/check.sh']);
    expect(graders('x=$(cd /opt && ./check.sh)\n')).toEqual(['/opt/check.sh']);
    expect(graders('cat /opt/check.sh\npython3 /tests/x.py /srv/grade.py\n')).toEqual([]);
  });

  it('are found in Python tests as well', () => {
    const inPython = (text: string): readonly string[] => graders(pytest, { 'tests/test_a.py': text });
    expect(
      inPython('import subprocess\nr = subprocess.run(\n    ["/opt/check.sh"],\n)\nopen("/srv/grade.py")\n'),
    ).toEqual(['/opt/check.sh']);
    expect(inPython('import os\nos.system("bash /opt/check.sh -v")\n')).toEqual(['/opt/check.sh']);
    expect(inPython('from helpers import run_tool\nrun_tool(["/opt/check.sh", "-v"])\n')).toEqual(['/opt/check.sh']);
  });

  it('are no interpreters, whoever put them there', () => {
    const files = { 'environment/Dockerfile': 'FROM x\nRUN ln -s /usr/bin/python3 /usr/bin/python\n' };
    expect(graders('/usr/bin/python /tests/a.py\n', files)).toEqual([]);
  });

  it('lie in folders of unknown content, those of the system left out', () => {
    const files = { 'environment/Dockerfile': 'FROM x\nRUN tar -xf a.tar -C /opt/t && tar -xf b.tar -C /usr/local\n' };
    expect(graders('/opt/t/bin/check\n/usr/local/bin/tool\n', files)).toEqual(['/opt/t/bin/check']);
  });

  it('are no deliverables', () => {
    const about = (instruction: string): TaskFiles => ({ 'instruction.md': instruction });
    expect(graders('python3 /srv/ship.py\n', about('Fix `/srv/ship.py`.'))).toEqual([]);
    expect(graders('python3 /srv/ship.py\n', about('The service is `ship.py`. It loses lines.'))).toEqual([]);
    expect(graders('python3 /srv/ship.py\n', about('Start it:\n\n```sh\npython3 ship.py\n```\n'))).toEqual([]);
    expect(graders('python3 /srv/ship.py\n', { 'solution/solve.sh': 'sed -i s/a/b/ ship.py' })).toEqual([]);
    expect(graders('/opt/check.sh\n', about('Run `/opt/check.sh` to check your work.'))).toEqual(['/opt/check.sh']);
    expect(graders('/opt/check.sh\n', about('Check your work:\n\n```sh\n/opt/check.sh\n```\n'))).toEqual([
      '/opt/check.sh',
    ]);
  });
});

describe('without parsers', () => {
  it('gives what the instruction says, and nothing of what is in tests/ or in the image', () => {
    const facts = factsOf(
      {
        'instruction.md': 'Write `/app/o.json`.',
        'environment/Dockerfile': 'FROM x\nCOPY check.sh /opt/check.sh\n',
        'environment/check.sh': '',
        ...verifier('pytest /tests/test_a.py\n/opt/check.sh\n', { 'test_a.py': 'import yaml\nassert "PASS" in x\n' }),
      },
      '/app',
      false,
    );
    expect(facts).toMatchObject({
      outputs: [{ path: '/app/o.json', kind: 'json', line: 0 }],
      workdir: '/app',
      // What is not known is not proved irrelevant.
      verifierUsesPython: true,
      verifierUsesPytest: true,
    });
    const { imports, pathUses, runners, graders, successWords, imagePaths } = facts;
    expect([...imports, ...pathUses, ...runners, ...graders, ...successWords, ...imagePaths]).toEqual([]);
  });
});

it('never fails, whatever the files', () => {
  const text = fc.string({
    unit: fc.constantFrom(...'ab/.$("\'\\`){}<>|&;\n#=[]: case esac in EOF python3'.split('')),
  });
  fc.assert(
    fc.property(text, text, text, (script, python, dockerfile) => {
      const files = {
        'instruction.md': script,
        'environment/Dockerfile': `FROM x\nRUN ${dockerfile}`,
        ...verifier(script, { 'a.py': python }),
      };
      const lines = script.split('\n').length + python.split('\n').length;
      for (const { line } of factsOf(files).pathUses) expect(line).toBeLessThan(lines);
    }),
    { numRuns: 60 },
  );
});
