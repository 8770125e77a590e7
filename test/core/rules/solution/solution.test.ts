import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const solve = (script: string, more: Changes = {}): Changes => ({
  'solution/solve.sh': `#!/bin/bash\n${script}`,
  ...more,
});
const pytest =
  '#!/bin/bash\nif pytest /tests/test_out.py; then r=1; else r=0; fi\necho $r > /logs/verifier/reward.txt\n';
const reads = (path: string, want: string): Changes => ({
  'tests/test.sh': pytest,
  'tests/test_out.py': `from pathlib import Path\ndef test_out():\n    assert Path("${path}").read_text().strip() == ${want}\n`,
});

describe('solution-reads-tests', () => {
  test('finds each way into the tests and the logs', async () => {
    expect(
      await shown('solution-reads-tests', solve('cp /tests/want.csv /app/out.csv\ncat /logs/verifier/x.log\n')),
    ).toEqual([
      'error solution/solve.sh:2:"/tests/want.csv" solve.sh uses /tests/want.csv, which an agent never sees.',
      'error solution/solve.sh:3:"/logs/verifier/x.log" solve.sh uses /logs/verifier/x.log, which belongs to the verifier.',
    ]);
    expect(
      await shown('solution-reads-tests', solve('cp "$(dirname "$0")/../tests/want.csv" /app/out.csv\n')),
    ).toHaveLength(1);
  });

  test('lets be the project’s own tests, comments, echoed text and here-documents', async () => {
    const script =
      '# cp /tests/want.csv .\necho "see /tests/want.csv"\ncd /app && pytest /app/tests/test_a.py\nmkdir -p /logs/verifier\ncat > /app/notes.md <<EOF\ncp /tests/a /b\nEOF\n';
    expect(await shown('solution-reads-tests', solve(script))).toEqual([]);
  });
});

describe('solution-writes-reward', () => {
  test('finds the write, and takes out a line of its own', async () => {
    const changes = solve('make\necho 1 > /logs/verifier/reward.txt\nls\n');
    expect(await shown('solution-writes-reward', changes)).toEqual([
      'error solution/solve.sh:3:"/logs/verifier/reward.txt" solve.sh writes the reward /logs/verifier/reward.txt itself. [Remove the line*]',
    ]);
    expect(await mended('solution-writes-reward', changes, 'Remove the line', 'solution/solve.sh')).toBe(
      '#!/bin/bash\nmake\nls\n',
    );
    expect(await shown('solution-reads-tests', changes)).toEqual([]);
  });

  test('lets be other files, and text about it', async () => {
    expect(
      await shown(
        'solution-writes-reward',
        solve('echo "echo 1 > /logs/verifier/reward.txt"\necho 1 > /app/reward.txt\n'),
      ),
    ).toEqual([]);
  });
});

describe('solution-missing-file', () => {
  test('finds a name that is spelled otherwise', async () => {
    const changes = solve('python3 /solution/fixit.py\n', { 'solution/fix_it.py': 'print(1)\n' });
    expect(await shown('solution-missing-file', changes)).toEqual([
      'error solution/solve.sh:2:"/solution/fixit.py" solve.sh uses /solution/fixit.py, which is not in solution/; /solution/fix_it.py is. [Use /solution/fix_it.py*]',
    ]);
    expect(await shown('solution-missing-file', solve('bash "$(dirname "$0")/part.sh"\n'))).toHaveLength(1);
  });

  test('lets be what the script makes, looks for, or what is there', async () => {
    const script =
      'cat > /solution/a.py <<EOF\nprint(1)\nEOF\npython3 /solution/a.py\n[ -f /solution/b.py ] && python3 /solution/b.py\npython3 /solution/c.py\n';
    expect(await shown('solution-missing-file', solve(script, { 'solution/c.py': '' }))).toEqual([]);
  });
});

describe('solution-hardcoded-answer', () => {
  const task = {
    'instruction.md': 'Count the late trams in `/app/trams.csv` and write the number to `/app/late.txt`.\n',
  };

  test('finds a constant, and is sure where the tests expect it', async () => {
    expect(
      await shown('solution-hardcoded-answer', {
        ...task,
        ...solve('echo 1412 > /app/late.txt\n'),
        ...reads('/app/late.txt', '"1412"'),
      }),
    ).toEqual([
      'error solution/solve.sh:2:"/app/late.txt" solve.sh writes /app/late.txt as a constant, the very text that the tests expect; nothing computes it.',
    ]);
    expect(
      await shown('solution-hardcoded-answer', {
        ...task,
        ...solve('echo 1412 > /app/late.txt\n'),
        ...reads('/app/late.txt', 'str(700 * 2 + 12)'),
      }),
    ).toEqual([
      'warning solution/solve.sh:2:"/app/late.txt" solve.sh writes /app/late.txt as a constant; nothing computes it.',
    ]);
  });

  test.each([
    ['computed text', 'grep -c late /app/trams.csv > /app/late.txt'],
    ['a header that rows follow', 'echo count > /app/late.txt\ngrep -c late /app/trams.csv >> /app/late.txt'],
    ['a sentence', 'echo "Trams are late when it rains." > /app/late.txt'],
    ['a program', 'cat > /app/late.py <<EOF\nprint(1412)\nEOF\npython3 /app/late.py > /app/late.txt'],
  ])('lets be %s', async (_, script) => {
    expect(
      await shown('solution-hardcoded-answer', {
        ...task,
        ...solve(`${script}\n`),
        ...reads('/app/late.txt', '"1412"'),
      }),
    ).toEqual([]);
  });

  test('lets be what the instruction dictates', async () => {
    const changes = {
      'instruction.md': 'Write `Hello, world!` to `/app/hello.txt`.\n',
      ...solve('echo "Hello, world!" > /app/hello.txt\n'),
      ...reads('/app/hello.txt', '"Hello, world!"'),
    };
    expect(await shown('solution-hardcoded-answer', changes)).toEqual([]);
  });
});

describe('solution-edit-without-effect', () => {
  const image = {
    'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY bee.conf /srv/bee.conf\n',
    'environment/bee.conf': 'retries = 3\nhost = a.b\n',
  };

  test('finds a pattern that the file does not have', async () => {
    expect(
      await shown('solution-edit-without-effect', { ...image, ...solve("sed -i 's/retries=3/retries=5/' bee.conf\n") }),
    ).toEqual([
      'warning solution/solve.sh:2:"\'s/retries=3/retries=5/\'" "retries=3" does not occur in /srv/bee.conf, so this edit of solve.sh changes nothing.',
    ]);
  });

  test.each([
    ['a pattern that fits', "sed -i 's/retries = 3/retries = 5/' /srv/bee.conf"],
    [
      'one that fits after another edit',
      "sed -i 's/retries/tries/' bee.conf\nsed -i 's/^tries = .*/tries = 5/' bee.conf",
    ],
    ['one of several that fits', "sed -i -e 's/retries=3/x/' -e 's/retries = 3/x/' bee.conf"],
    ['an unknown file', "sed -i 's/a/b/' /etc/other.conf"],
    ['a file that a program may have changed', "./setup\nsed -i 's/never/b/' bee.conf"],
    ['an alternative', "sed -i 's/never/b/' bee.conf || echo b >> bee.conf"],
    ['what is looked at', "sed -i 's/never/b/' bee.conf\ngrep -q b bee.conf"],
    ['more than a simple pattern', "sed -i -E 's/(never|ever)+/b/' bee.conf"],
  ])('lets be %s', async (_, script) => {
    expect(await shown('solution-edit-without-effect', { ...image, ...solve(`${script}\n`) })).toEqual([]);
  });
});

describe('solution-network', () => {
  test('finds installs and downloads', async () => {
    expect(
      await shown('solution-network', solve('pip install ortools==9.11\ncurl -O https://get.tides.dev/x.tgz\n')),
    ).toEqual([
      'warning solution/solve.sh:2:"pip install" solve.sh needs a package server for pip install, so the oracle depends on the network of the day.',
      'warning solution/solve.sh:3:"https://get.tides.dev/x.tgz" solve.sh needs get.tides.dev for curl, so the oracle depends on the network of the day.',
    ]);
  });

  test('lets be what is local or asked for', async () => {
    expect(
      await shown(
        'solution-network',
        solve(
          'pip install --no-index /app/wheels/x.whl\npip install -e .\ncurl http://localhost:80/\ncurl http://db:80/\n',
        ),
      ),
    ).toEqual([]);
    const asked = { 'instruction.md': 'Install the package `ortools` into `/app/venv`.\n' };
    expect(await shown('solution-network', solve('pip install ortools\n', asked))).toEqual([]);
  });
});

describe('solution-no-errexit', () => {
  test('finds a long script without a check, and puts one in', async () => {
    const changes = solve('cd /app\nmake\ncp a b\ntouch done\n');
    expect(await shown('solution-no-errexit', changes)).toEqual([
      'information solution/solve.sh:1:"#!/bin/bash" solve.sh goes on after a command that fails: neither set -e nor a check is there. [Stop at the first failure (set -euo pipefail)]',
    ]);
    const after = await mended(
      'solution-no-errexit',
      changes,
      'Stop at the first failure (set -euo pipefail)',
      'solution/solve.sh',
    );
    expect(after.split('\n').slice(0, 3)).toEqual(['#!/bin/bash', 'set -euo pipefail', 'cd /app']);
  });

  test.each([
    'set -e\ncd /app\nmake\ncp a b\ntouch done',
    'cd /app || exit 1\nmake\ncp a b\ntouch done',
    'cd /app\nmake',
    'a\nb\nc\nif d; then e; fi',
  ])('lets be %j', async (script) => {
    expect(await shown('solution-no-errexit', solve(`${script}\n`))).toEqual([]);
  });
});

describe('solution-background-process', () => {
  test('finds open output and a foreground server', async () => {
    expect(await shown('solution-background-process', solve('python3 srv.py &\n'))).toEqual([
      'warning solution/solve.sh:2:"python3 srv.py" solve.sh starts python3 in the background with its output still open, so the run may wait for it.',
    ]);
    expect(await shown('solution-background-process', solve('nginx -g "daemon off;"\n'))).toEqual([
      'warning solution/solve.sh:2:"nginx -g \\"daemon off;\\"" solve.sh starts nginx in the foreground, so the script never ends.',
    ]);
  });

  test.each([
    'nohup python3 srv.py > /tmp/s.log 2>&1 &',
    'python3 srv.py &>/dev/null &',
    'make & make -C b & wait',
    'exec > /tmp/log 2>&1\npython3 srv.py &',
    'nginx',
  ])('lets be %j', async (script) => {
    expect(await shown('solution-background-process', solve(`${script}\n`))).toEqual([]);
  });
});

describe('solution-interactive', () => {
  test('finds what waits for a person', async () => {
    const script = 'apt-get install jq\nssh-keygen -t ed25519 -f k\ngit commit\nvim /app/x\nread answer\n';
    expect((await shown('solution-interactive', solve(script))).map((line) => line.replace(/^.*?" /u, ''))).toEqual([
      'solve.sh runs apt-get install without -y, which asks before it installs. [Add -y*]',
      "solve.sh runs ssh-keygen without -N, which asks for a passphrase. [Add -N ''*]",
      'solve.sh runs git commit without a message, which opens an editor.',
      'solve.sh runs vim, which waits for someone to type.',
      'solve.sh runs read, which waits for someone to type.',
    ]);
    expect(await mended('solution-interactive', solve(script), 'Add -y', 'solution/solve.sh')).toContain(
      'apt-get install -y jq\n',
    );
  });

  test.each([
    'apt-get install -y jq',
    'apt-get -yq install jq',
    'yes | apt-get install jq',
    "ssh-keygen -t ed25519 -f k -N ''",
    'git commit -m x',
    'git commit -am x',
    'git commit --amend --no-edit',
    'vim -es /app/x',
    'while read -r line; do echo "$line"; done < f',
    'echo a | passwd --stdin root',
    'read a <<< b',
  ])('lets be %j', async (script) => {
    expect(await shown('solution-interactive', solve(`${script}\n`))).toEqual([]);
  });
});

describe('solution-reads-baked-truth', () => {
  const task = (instruction: string, script: string): Changes => ({
    'instruction.md': instruction,
    'environment/Dockerfile':
      'FROM python:3.13-slim\nWORKDIR /srv\nCOPY final.csv /opt/ref/final.csv\nCOPY in.csv /srv/in.csv\n',
    'environment/final.csv': 'kiln,peak\na,1412\nb,1399\n',
    'environment/in.csv': 'kiln,peak\nb,1399\na,1412\na,1412\n',
    'tests/test.sh': pytest,
    'tests/test_out.py':
      'from pathlib import Path\ndef test_out():\n    assert Path("/srv/out.csv").read_text() == Path("/opt/ref/final.csv").read_text()\n',
    ...solve(script),
  });
  const ask = 'Remove repeated lines of `/srv/in.csv` and write the rest to `/srv/out.csv`.\n';

  test('finds a copy of what the tests compare with', async () => {
    expect(await shown('solution-reads-baked-truth', task(ask, 'cp /opt/ref/final.csv /srv/out.csv\n'))).toEqual([
      'error solution/solve.sh:2:"/opt/ref/final.csv" solve.sh takes the answer from /opt/ref/final.csv, with which the tests compare the result.',
    ]);
  });

  test('lets be a solution that works it out, and a file that the instruction hands out', async () => {
    expect(await shown('solution-reads-baked-truth', task(ask, 'sort -u /srv/in.csv > /srv/out.csv\n'))).toEqual([]);
    const given = `${ask}The result has to look like \`/opt/ref/final.csv\`.\n`;
    expect(await shown('solution-reads-baked-truth', task(given, 'cp /opt/ref/final.csv /srv/out.csv\n'))).toEqual([]);
  });
});
