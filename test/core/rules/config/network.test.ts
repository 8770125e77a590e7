import { describe, expect, test } from 'vitest';
import { soundConfig } from '../../memory-files';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const closed = `${soundConfig}network_mode = "no-network"\n`;
const script = (line: string): string => `#!/bin/bash\n${line}\necho 0 > /logs/verifier/reward.txt\n`;

describe('config-network-contradiction', () => {
  test('finds what a closed network denies, in the script and at the policy', async () => {
    const changes = { 'task.toml': closed, 'tests/test.sh': script('pip install pytest==8.4.1') };
    expect(await shown('config-network-contradiction', changes)).toEqual([
      'information task.toml:13:"\\"no-network\\"" Under this policy a command of the verifier cannot work (tests/test.sh).',
      'error tests/test.sh:2:"pip install" pip install cannot work here: the verifier\'s network policy is no-network.',
    ]);
    expect(await shown('verifier-runtime-install', changes)).toEqual([]);
    expect(await shown('verifier-unpinned-install', changes)).toEqual([]);
  });

  test('finds a host outside of an allow-list, and what the instruction asks for', async () => {
    const list = `${soundConfig}network_mode = "allowlist"\nallowed_hosts = ["tides.dev"]\n`;
    const changes = {
      'task.toml': list,
      'instruction.md': 'Download `https://data.waves.dev/a.csv` to `/app/a.csv`.\n',
      'solution/solve.sh':
        '#!/bin/bash\ncurl -o /app/a.csv https://data.waves.dev/a.csv\ncurl https://api.tides.dev/now\n',
    };
    expect(
      (await shown('config-network-contradiction', changes)).filter((line) => !line.startsWith('information')),
    ).toEqual([
      'warning instruction.md:1:"https://data.waves.dev/a.csv" The instruction sends the agent to data.waves.dev, which its network policy (allowlist) denies.',
      'error solution/solve.sh:2:"https://data.waves.dev/a.csv" curl from data.waves.dev cannot work here: the agent\'s network policy is allowlist.',
    ]);
  });

  test.each([
    'pip install --no-index /tests/wheels/a.whl',
    'curl -sf http://localhost:8080/health',
    'curl -sf http://ledger:8080/health',
    'pip install -e /app',
    'echo "pip install pytest"',
    'cat > /tmp/Dockerfile <<EOF\nRUN pip install pytest\nEOF',
  ])('lets be %j', async (line) => {
    expect(await shown('config-network-contradiction', { 'task.toml': closed, 'tests/test.sh': script(line) })).toEqual(
      [],
    );
  });

  test('says less of what has an alternative, and nothing under an open network', async () => {
    const changes = { 'task.toml': closed, 'tests/test.sh': script('pip install pytest || true') };
    expect((await shown('config-network-contradiction', changes)).filter((line) => line.startsWith('error'))).toEqual(
      [],
    );
    expect(await shown('config-network-contradiction', { 'tests/test.sh': script('pip install pytest') })).toEqual([]);
  });
});

describe('config-network-public', () => {
  test('finds an open network that nobody needs, and closes it', async () => {
    expect(await shown('config-network-public', {})).toEqual([
      'information task.toml:10:"[environment]" The agent’s network is open, though neither the instruction nor the solution needs one. [Close the network]',
    ]);
    expect(await mended('config-network-public', {}, 'Close the network', 'task.toml')).toContain(
      'network_mode = "no-network"',
    );
  });

  test.each<[string, Changes]>([
    ['a closed network', { 'task.toml': closed }],
    [
      'an instruction that names a host',
      { 'instruction.md': 'Read https://tides.dev/today and write /app/answer.txt.\n' },
    ],
    ['an instruction that asks to install', { 'instruction.md': 'Install nginx and write /app/answer.txt.\n' }],
    ['a solution that downloads', { 'solution/solve.sh': '#!/bin/bash\ncurl https://tides.dev/ > /app/answer.txt\n' }],
    ['a verifier that installs in the same container', { 'tests/test.sh': script('pip install pytest==8.4.1') }],
    ['no solution to judge by', { 'solution/solve.sh': undefined }],
  ])('lets be %s', async (_, changes) => {
    expect(await shown('config-network-public', changes)).toEqual([]);
  });
});

describe('config-timeout-too-small', () => {
  test('finds pauses that use up the limit', async () => {
    const changes = { 'tests/test.sh': script('sleep 55') };
    expect(await shown('config-timeout-too-small', changes)).toEqual([
      'warning task.toml:8:"60.0" The verifier always sleeps for 55 s, and its limit is 60 s. [Allow 110.0 seconds]',
    ]);
    expect(await shown('config-timeout-too-small', { 'solution/solve.sh': '#!/bin/bash\nsleep 10m\n' })).toHaveLength(
      1,
    );
  });

  test.each([
    'sleep 40',
    'if x; then sleep 55; fi',
    'sleep 55 &',
    'x || sleep 55',
    'echo "sleep 55"',
    'while x; do sleep 55; done',
  ])('lets be %j', async (line) => {
    expect(await shown('config-timeout-too-small', { 'tests/test.sh': script(line) })).toEqual([]);
  });
});
