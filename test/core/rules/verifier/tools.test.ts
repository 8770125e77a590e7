import { describe, expect, test } from 'vitest';
import { soundConfig } from '../../memory-files';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const run = (lines: string, more: Changes = {}): Changes => ({
  'tests/test.sh': `#!/bin/bash\n${lines}\necho 0 > /logs/verifier/reward.txt\n`,
  ...more,
});
const python = (body: string): Changes =>
  run('pytest /tests/test_out.py', { 'tests/test_out.py': `import requests\ndef test_out():\n    ${body}\n` });
const dockerfile = (text: string): Changes => ({ 'environment/Dockerfile': text });

describe('verifier-runtime-install', () => {
  test('names what a script installs, once', async () => {
    const script =
      'apt-get update\napt-get install -y curl\ncurl -LsSf https://get.tool.dev/0.9.5/install.sh | sh\nuvx --with pytest==8.4.1 pytest /tests';
    expect(await shown('verifier-runtime-install', run(script))).toEqual([
      'information tests/test.sh:2:"apt-get update" test.sh installs while it grades: apt-get update, apt-get install, curl | sh and uvx.',
    ]);
  });

  test('is an error in a separate verifier', async () => {
    const separate = {
      'task.toml': `${soundConfig}\n[verifier.environment]\n`,
      'tests/Dockerfile': 'FROM python:3.13-slim\nCOPY . /tests/\n',
    };
    expect((await shown('verifier-runtime-install', run('pip install pytest==8.4.1', separate)))[0]).toMatch(
      /^error tests\/test.sh:2/u,
    );
  });

  test.each([
    'pip install -e /app',
    'pip install -r /app/requirements.txt',
    'cd /app && npm install',
    'pip install --no-index /tests/a.whl',
    '# pip install x',
    'curl -O https://tides.dev/a.csv',
  ])('lets be %j', async (line) => {
    expect(await shown('verifier-runtime-install', run(line))).toEqual([]);
  });
});

describe('verifier-unpinned-install', () => {
  test('finds what has no exact version', async () => {
    expect(
      await shown('verifier-unpinned-install', run('uvx --with pytest --with a==1 pytest /tests\nnpm i -g ajv-cli')),
    ).toEqual([
      'warning tests/test.sh:2:"pytest" test.sh takes pytest without an exact version when it grades.',
      'warning tests/test.sh:3:"ajv-cli" test.sh takes ajv-cli without an exact version when it grades.',
    ]);
  });

  test.each([
    'uvx --with pytest==8.4.1 pytest /tests',
    'pip install pytest==8.4.1',
    'pip install -U pip',
    'apt-get install -y jq',
    'npm ci',
    'pip install -e /app',
    'uvx pytest@8.4.1',
  ])('lets be %j', async (line) => {
    expect(await shown('verifier-unpinned-install', run(line))).toEqual([]);
  });
});

describe('verifier-network', () => {
  test('finds other hosts in the script and in the tests', async () => {
    expect(await shown('verifier-network', run('curl -s https://api.tides.dev/now'))).toEqual([
      'warning tests/test.sh:2:"https://api.tides.dev/now" test.sh asks api.tides.dev while it grades.',
    ]);
    expect(
      await shown('verifier-network', python('assert requests.get("https://api.tides.dev/now", timeout=3).ok')),
    ).toEqual([
      'warning tests/test_out.py:3:"\\"https://api.tides.dev/now\\"" test_out.py asks api.tides.dev while it grades.',
    ]);
  });

  test.each<[string, Changes]>([
    ['the own machine', python('assert requests.get("http://localhost:8000/now", timeout=3).ok')],
    ['a service of a compose file', python('assert requests.get("http://ledger:8000/now", timeout=3).ok')],
    ['an address that is compared', python('assert open("/app/u").read() == "https://api.tides.dev/now"')],
    ['an installer', run('curl -LsSf https://get.tool.dev/install.sh | sh')],
    [
      'a declared host',
      run('curl -s https://api.tides.dev/now', {
        'task.toml': `${soundConfig}network_mode = "allowlist"\nallowed_hosts = ["tides.dev"]\n`,
      }),
    ],
  ])('lets be %s', async (_, changes) => {
    expect(await shown('verifier-network', changes)).toEqual([]);
  });
});

describe('verifier-system-python-install', () => {
  const noble = 'FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y python3-pip\n';

  test('finds a refused install, and allows it', async () => {
    const changes = { ...dockerfile(noble), ...run('pip install pytest==8.4.1') };
    expect(await shown('verifier-system-python-install', changes)).toEqual([
      'warning tests/test.sh:2:"pip install" pip refuses to install into the system\'s Python of ubuntu:24.04, so test.sh goes without the package. [Add --break-system-packages*]',
    ]);
    expect(
      await mended('verifier-system-python-install', changes, 'Add --break-system-packages', 'tests/test.sh'),
    ).toContain('pip install --break-system-packages pytest==8.4.1');
    expect(
      await shown('verifier-system-python-install', dockerfile(`${noble}RUN pip3 install requests==2.32.3\n`)),
    ).toHaveLength(1);
  });

  test.each<[string, Changes]>([
    ['an image with a Python of its own', run('pip install pytest==8.4.1')],
    ['an older system', { ...dockerfile(noble.replace('24.04', '22.04')), ...run('pip install a==1') }],
    ['an unknown image', { ...dockerfile('FROM acme/base:1\n'), ...run('pip install a==1') }],
    [
      'a virtual environment',
      { ...dockerfile(noble), ...run('python3 -m venv /v\nsource /v/bin/activate\npip install a==1') },
    ],
    ['the pip of a folder', { ...dockerfile(noble), ...run('/v/bin/pip install a==1') }],
    ['what is allowed', { ...dockerfile(noble), ...run('pip install --break-system-packages a==1') }],
    [
      'what a variable allows',
      { ...dockerfile(`${noble}ENV PIP_BREAK_SYSTEM_PACKAGES=1\n`), ...run('pip install a==1') },
    ],
  ])('lets be %s', async (_, changes) => {
    expect(await shown('verifier-system-python-install', changes)).toEqual([]);
  });
});

describe('verifier-missing-tool', () => {
  test('finds a program that nothing installs', async () => {
    const changes = {
      ...dockerfile('FROM debian:12.8-slim\nWORKDIR /app\n'),
      ...run('jq -e .ok /app/out.json\njq . /app/b'),
    };
    expect(await shown('verifier-missing-tool', changes)).toEqual([
      'warning tests/test.sh:2:"jq" test.sh starts jq, which debian:12.8-slim does not have and nothing installs.',
    ]);
  });

  test.each<[string, string, string]>([
    ['an installed program', 'FROM debian:12.8-slim\nRUN apt-get update && apt-get install -y jq\n', 'jq . /app/b'],
    [
      'what another package may bring',
      'FROM debian:12.8-slim\nRUN apt-get update && apt-get install -y build-essential\n',
      'make',
    ],
    ['an unknown image', 'FROM acme/base:1\n', 'jq . /app/b'],
    ['what the script installs', 'FROM debian:12.8-slim\n', 'apt-get update && apt-get install -y jq\njq . /app/b'],
    ['what it looks for', 'FROM debian:12.8-slim\n', 'if command -v jq; then jq . /app/b; fi'],
    ['a copied program', 'FROM debian:12.8-slim\nCOPY jq /usr/local/bin/jq\n', 'jq . /app/b'],
  ])('lets be %s', async (_, image, script) => {
    expect(
      await shown('verifier-missing-tool', { ...dockerfile(image), 'environment/jq': 'x', ...run(script) }),
    ).toEqual([]);
  });
});

describe('verifier-unbounded-wait', () => {
  test('finds calls and loops without an end', async () => {
    expect(
      await shown('verifier-unbounded-wait', run('until curl -sf http://localhost:80/; do sleep 1; done')),
    ).toEqual([
      'information tests/test.sh:2:"until" this loop in test.sh may wait for ever, and so may 1 more call of the file.',
    ]);
    expect(await shown('verifier-unbounded-wait', python('assert requests.get("http://localhost:1/").ok'))).toEqual([
      'information tests/test_out.py:3:"requests.get" requests.get in test_out.py may wait for ever.',
    ]);
  });

  test.each<[string, Changes]>([
    ['a limit of the call', python('assert requests.get("http://localhost:1/", timeout=3).ok')],
    ['a limit of curl', run('curl -m 5 -sf http://localhost:80/')],
    ['a limit around it', run('timeout 9 curl -sf http://localhost:80/')],
    ['a loop that counts', run('n=0\nuntil [ -e /app/x ] || [ $n -gt 9 ]; do sleep 1; n=$((n+1)); done')],
    [
      'a limit for all tests',
      run('pytest --timeout=30 /tests/test_out.py', {
        'tests/test_out.py': 'import requests\ndef test_a():\n    assert requests.get("http://localhost:1/").ok\n',
      }),
    ],
  ])('lets be %s', async (_, changes) => {
    expect(await shown('verifier-unbounded-wait', changes)).toEqual([]);
  });
});

describe('verifier-trusts-agent-build-file', () => {
  const root = dockerfile('FROM python:3.13-slim\nWORKDIR /app\n');

  test('finds a verdict of the agent’s own build file', async () => {
    expect(await shown('verifier-trusts-agent-build-file', { ...root, ...run('cd /app && npm test') })).toEqual([
      'warning tests/test.sh:2:"npm test" test.sh lets npm test in /app decide, and the agent may edit what that runs.',
    ]);
  });

  test.each<[string, Changes]>([
    ['a file that is put back', { ...root, ...run('cp /tests/package.json /app/\ncd /app && npm test') }],
    [
      'tests that judge as well',
      {
        ...root,
        ...run('cd /app && make check\npytest /tests/test_a.py', {
          'tests/test_a.py': 'def test_a():\n    assert open("/app/answer.txt").read()\n',
        }),
      },
    ],
    ['another target', { ...root, ...run('cd /app && make all') }],
    ['a folder of the tests', { ...root, ...run('cd /tests && make check') }],
    ['an agent without rights there', run('cd /app && npm test')],
  ])('lets be %s', async (_, changes) => {
    expect(await shown('verifier-trusts-agent-build-file', changes)).toEqual([]);
  });
});

describe('npx', () => {
  test.each([
    ['npx vitest run', []],
    ['npx --no-install vitest run', []],
    ['npx -y vitest@2.0.5 run', []],
    [
      'npx --yes vitest run',
      ['warning tests/test.sh:2:"vitest" test.sh takes vitest without an exact version when it grades.'],
    ],
  ])('%s', async (line, said) => {
    expect(await shown('verifier-unpinned-install', run(line))).toEqual(said);
  });
});
