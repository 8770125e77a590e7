import { describe, expect, test } from 'vitest';
import { mended, shown } from '../checked';

const R = '/logs/verifier/reward.txt';
const decide = `if [ $? -eq 0 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi`;
const root = 'FROM python:3.13-slim\nWORKDIR /srv/app\nUSER root\n';
const task = (script: string, more: Record<string, string> = {}): Record<string, string> => ({
  'environment/Dockerfile': root,
  'tests/test.sh': `#!/bin/bash\n${script}\n${decide}\n`,
  'tests/test_a.py': 'def test_a(): assert 1 == 2\n',
  ...more,
});
const separate = '[agent]\ntimeout_sec = 1.0\n[verifier]\ntimeout_sec = 1.0\nenvironment_mode = "separate"\n';

describe('verifier-agent-controlled-test-config', () => {
  const id = 'verifier-agent-controlled-test-config';

  test.each([
    ['cd /srv/app && pytest', 'warning', '"pytest" pytest takes conftest.py and its configuration from /srv/app'],
    ['pytest /srv/app/test_a.py', 'warning', 'from /srv/app, where'],
    [
      'python3 -m pytest /tests/test_a.py',
      'warning',
      '"python3 -m pytest" `python -m pytest` in /srv/app first looks there for modules',
    ],
    ['python3 -m unittest discover /tests', 'warning', 'may have left a unittest.py'],
    [
      'pytest /tests/test_a.py',
      'information',
      'pytest would also use a pytest.ini or a conftest.py that the agent has left in /tests or /.',
    ],
    ['uvx -w pytest==8.4.1 pytest /tests', 'information', 'pytest would also use a pytest.ini or a conftest.py'],
    ['pytest --noconftest /tests', 'information', 'pytest would also use a pytest.ini that'],
  ])('%s', async (script, severity, message) => {
    const found = await shown(id, task(script));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
    expect(found[0]?.startsWith(severity)).toBe(true);
  });

  const guarded =
    'cd / && python3 -I -m pytest -c /dev/null --rootdir=/tests --noconftest -p no:cacheprovider /tests/test_a.py';
  test.each<[string, Record<string, string>]>([
    ['the guards', task(guarded)],
    [
      'a configuration and a conftest of its own',
      task('pytest /tests', { 'tests/pytest.ini': '[pytest]\n', 'tests/conftest.py': '' }),
    ],
    [
      'a separate verifier',
      task('python3 -m pytest', { 'task.toml': separate, 'tests/Dockerfile': 'FROM x:1\nWORKDIR /srv\n' }),
    ],
    [
      'an agent that may not',
      task('pytest /tests', { 'environment/Dockerfile': 'FROM python:3.13-slim\nUSER dev\nWORKDIR /app\n' }),
    ],
    ['no pytest', task('python3 /tests/test_a.py')],
  ])('is silent: %s', async (_, changes) => {
    expect(await shown(id, changes)).toEqual([]);
  });

  test('the fix adds the guards that are missing', async () => {
    const fixed = await mended(
      id,
      task('cd /; python3 -m pytest -c /dev/null /srv/app'),
      'Run pytest with the guards',
      'tests/test.sh',
    );
    expect(fixed).toContain('python3 -I -m pytest --noconftest -p no:cacheprovider -c /dev/null /srv/app');
    expect(
      await mended(id, task('python3 -m pytest /tests/test_a.py'), 'Run pytest with the guards', 'tests/test.sh'),
    ).toContain('python3 -I -m pytest -c /dev/null --rootdir=/tests --noconftest -p no:cacheprovider /tests/test_a.py');
  });
});

describe('verifier-install-failure-ignored', () => {
  const id = 'verifier-install-failure-ignored';

  test('is at the install, and the fix ends the script without a reward', async () => {
    expect(await shown(id, task('pip install -q pytest==8.4.1\npytest /tests'))).toEqual([
      'information tests/test.sh:2:"pip install -q pytest==8.4.1" If this install fails, test.sh goes on, pytest cannot run, and the attempt gets a 0. [End without a reward when it fails]',
    ]);
    const fixed = await mended(
      id,
      task('pip install -q pytest==8.4.1\npytest /tests'),
      'End without a reward when it fails',
      'tests/test.sh',
    );
    expect(fixed).toContain('pytest==8.4.1 || { echo "setup failed" >&2; exit 1; }\n');
    expect(await shown(id, { ...task(''), 'tests/test.sh': fixed })).toEqual([]);
  });

  test.each([
    'pip install -q pytest==8.4.1 || exit 1\npytest /tests',
    'set -e\npip install -q pytest==8.4.1\nset +e\npytest /tests',
    'pip install -q pytest==8.4.1 || pip install -q --break-system-packages pytest==8.4.1\npytest /tests',
    'pip install -q requests==2.32.3\npytest /tests',
    'pytest /tests',
  ])('is silent: %s', async (script) => {
    expect(await shown(id, task(script))).toEqual([]);
  });
});

describe('verifier-relative-path', () => {
  const id = 'verifier-relative-path';

  test('says where the path leads and where the file is', async () => {
    expect(await shown(id, task('pytest test_a.py::test_a'))).toEqual([
      'warning tests/test.sh:2:"test_a.py::test_a" test.sh starts in /srv/app, so this is /srv/app/test_a.py; the file is /tests/test_a.py. [Use /tests/test_a.py*]',
    ]);
    expect(await mended(id, task('pytest test_a.py::test_a'), 'Use /tests/test_a.py', 'tests/test.sh')).toContain(
      'pytest /tests/test_a.py::test_a',
    );
  });

  test.each(['python3 tests/test_a.py', './lib.sh', 'source ../tests/lib.sh', 'bash lib.sh'])(
    'finds: %s',
    async (script) => {
      expect(await shown(id, task(script, { 'tests/lib.sh': '' }))).toHaveLength(1);
    },
  );

  test.each([
    'cd "$(dirname "$0")"\npytest test_a.py',
    'cd /tests && pytest test_a.py',
    'cp /tests/test_a.py .\npytest test_a.py',
    'cp -r /tests/. .\npytest test_a.py',
    'pytest /tests/test_a.py -k test_a.py',
    './run_service.sh',
    'echo "run pytest test_a.py"',
  ])('is silent: %s', async (script) => {
    expect(await shown(id, task(script))).toEqual([]);
  });

  test('is silent where the working directory makes it right', async () => {
    const changes = {
      ...task('pytest tests/test_a.py'),
      'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /\n',
    };
    expect(await shown(id, changes)).toEqual([]);
  });
});

describe('verifier-sources-agent-file', () => {
  const id = 'verifier-sources-agent-file';

  test.each([
    ['source ~/.bashrc', '"source ~/.bashrc" test.sh runs /root/.bashrc, which the agent can write.'],
    ['. "$HOME/.local/bin/env"', 'test.sh runs /root/.local/bin/env'],
    ['source .env', 'test.sh runs /srv/app/.env'],
    ['bash -lc "pytest /tests"', '"bash" A login shell runs the profile'],
    ['su - dev -c "pytest /tests"', '"su" A login shell'],
    [
      'export PATH="/srv/app/bin:$PATH"',
      'PATH then begins with /srv/app/bin, where the agent can put programs of its own.',
    ],
    [
      'PYTHONPATH=/srv/app pytest /tests',
      'PYTHONPATH then begins with /srv/app, where the agent can put modules of its own.',
    ],
  ])('finds: %s', async (script, message) => {
    const found = await shown(id, task(script));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  test.each([
    'source /tests/lib.sh',
    'source "$(dirname "$0")/lib.sh"',
    'curl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh\nsource $HOME/.local/bin/env',
    'echo "A=1" > /srv/app/.env\nsource /srv/app/.env',
    'source /opt/venv/bin/activate',
    'source /srv/app/.venv/bin/activate',
    'export PATH="/usr/local/bin:$PATH"',
    'export PATH="$PATH:/srv/app/bin"',
    'source "$(cat /tests/where)"',
    'bash -c "pytest /tests"',
  ])('is silent: %s', async (script) => {
    expect(await shown(id, task(script, { 'tests/lib.sh': '' }))).toEqual([]);
  });

  test('is silent with a separate verifier', async () => {
    expect(
      await shown(id, task('source ~/.bashrc', { 'task.toml': separate, 'tests/Dockerfile': 'FROM x:1\n' })),
    ).toEqual([]);
  });
});

describe('verifier-exit-code-only', () => {
  const id = 'verifier-exit-code-only';
  const importing = (script: string, head: string): Record<string, string> =>
    task(script, {
      'environment/Dockerfile': `${root}COPY calc.py /srv/app/calc.py\n`,
      'environment/calc.py': 'def add(a, b): return a - b\n',
      'tests/test_a.py': `${head}\ndef test_a():\n    assert calc.add(1, 2) == 3\n`,
    });
  const imports = 'import sys\nsys.path.insert(0, "/srv/app")\nimport calc\n';

  test('is at the condition', async () => {
    expect(await shown(id, importing('pytest /tests/test_a.py', imports))).toEqual([
      'information tests/test.sh:3:"[ $? -eq 0 ]" test.sh trusts the exit status of pytest alone, and test_a.py imports /srv/app/calc, which can end that process with 0.',
    ]);
  });

  test('finds a module that is loaded by its path', async () => {
    const loads = 'import importlib.util\nspec = importlib.util.spec_from_file_location("calc", "/srv/app/calc.py")\n';
    expect(await shown(id, importing('pytest /tests/test_a.py', loads))).toHaveLength(1);
  });

  test.each([
    [
      'a program of its own',
      'pytest /tests/test_a.py',
      'import subprocess\nsubprocess.run(["python3", "/srv/app/calc.py"])\n',
    ],
    ['a module beside the tests', 'pytest /tests/test_a.py', 'import helper as calc\n'],
    [
      'a report that is looked at',
      `pytest --junitxml=/tmp/r.xml /tests/test_a.py && python3 /tests/count.py /tmp/r.xml 12`,
      imports,
    ],
  ])('is silent: %s', async (_, script, head) => {
    expect(await shown(id, importing(script, head))).toEqual([]);
  });
});
