import { describe, expect, it } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const dockerfile = (text: string, more: Changes = {}): Changes => ({ 'environment/Dockerfile': text, ...more });

async function of(ruleId: string, text: string, more: Changes = {}): Promise<string[]> {
  const found = await shown(ruleId, dockerfile(text, more));
  return found.map((one) => one.replace(/ environment\/Dockerfile:\d+:/u, ' '));
}

const testCode = [
  'from pathlib import Path',
  '',
  'def test_total():',
  '    # the total of all catches',
  '    assert Path("/app/total.txt").read_text().strip() == "7315"',
  '',
  'def test_count():',
  '    assert Path("/app/count.txt").read_text().strip() == "28"',
  '',
].join('\n');
const solution =
  '#!/bin/bash\nset -e\npython3 -c "print(sum(map(int, open(\'/app/catch.csv\'))))" > /app/total.txt\necho 28 > /app/count.txt\n';
const parts: Changes = {
  'tests/test.sh': '#!/bin/bash\npython3 -m pytest /tests/test_state.py\necho $? > /logs/verifier/reward.txt\n',
  'tests/test_state.py': testCode,
  'solution/solve.sh': solution,
};

describe('docker-copies-tests-or-solution', () => {
  const rule = 'docker-copies-tests-or-solution';

  it('finds the tests under another name and place', async () => {
    const files = { ...parts, 'environment/grade/check.py': testCode.replace('    # the total of all catches\n', '') };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY grade/ /opt/grade/\n', files)).toEqual([
      'error "grade/" /opt/grade/check.py in the image is tests/test_state.py, so the agent can read the tests. [Delete this COPY]',
    ]);
    const text = 'FROM python:3.12-slim\nCOPY grade/ /opt/grade/\nWORKDIR /app\n';
    expect(await mended(rule, dockerfile(text, files), 'Delete this COPY', 'environment/Dockerfile')).toBe(
      'FROM python:3.12-slim\nWORKDIR /app\n',
    );
  });

  it('finds the solution, also through the whole context, another stage and a here-document', async () => {
    const files = {
      ...parts,
      'environment/a.sh': solution,
      'environment/catch.csv': '1\n',
      'environment/.dockerignore': '*.md\n',
    };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY . /app\n', files)).toEqual([
      'error "." /app/a.sh in the image is solution/solve.sh, so the agent can read the reference solution. [Leave it out by environment/.dockerignore]',
    ]);
    expect(
      await mended(
        rule,
        dockerfile('FROM python:3.12-slim\nCOPY . /app\n', files),
        'Leave it out by environment/.dockerignore',
        'environment/.dockerignore',
      ),
    ).toBe('*.md\na.sh\n');
    expect(
      await of(rule, 'FROM python:3.12-slim AS b\nCOPY a.sh /x/\nFROM python:3.12-slim\nCOPY --from=b /x /y\n', files),
    ).toHaveLength(1);
    expect(await of(rule, `FROM python:3.12-slim\nCOPY <<'E' /opt/a.sh\n${solution}E\n`, parts)).toHaveLength(1);
    expect(
      await of(
        rule,
        'FROM python:3.12-slim\nRUN --mount=type=bind,source=a.sh,target=/m/a.sh cp /m/a.sh /opt/\n',
        files,
      ),
    ).toHaveLength(1);
  });

  it('warns of a test of the same name that is the same for the most part', async () => {
    const long =
      testCode + testCode.replaceAll('total', 'mean').replaceAll('count', 'most') + testCode.replaceAll('total', 'low');
    const files = { ...parts, 'tests/test_state.py': long, 'environment/test_state.py': long.replace('28', '29') };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY test_state.py /opt/\n', files)).toEqual([
      'warning "test_state.py" /opt/test_state.py in the image is tests/test_state.py for the most part, so the agent can read the tests. [Delete this COPY]',
    ]);
  });

  it('finds an expected value by its name and content', async () => {
    const expected = 'port,catch\nskagen,7315\nhirtshals,2211\nesbjerg,8123\n';
    const files = {
      ...parts,
      'tests/expected.csv': expected,
      'environment/data/expected.csv': expected,
      'tests/test_state.py': `${testCode}E = open("/tests/expected.csv").read()\n`,
    };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY data /app/\n', files)).toEqual([
      'error "data" /app/expected.csv in the image is tests/expected.csv, so the agent can read what the tests expect. [Delete this COPY]',
    ]);
  });

  it('is silent about the tests of the project, unused files, and what the instruction hands out', async () => {
    const project = {
      ...parts,
      'environment/src/tests/test_unit.py':
        'from src import catch\n\ndef test_catch():\n    assert catch.total([1, 2]) == 3\n',
    };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY src /app/\n', project)).toEqual([]);
    const unused = {
      ...parts,
      'tests/old_test.py': `${testCode}# old\n`.replace('7315', '7316'),
      'environment/old_test.py': `${testCode}# old\n`.replace('7315', '7316').replace('state', 'x'),
    };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY old_test.py /app/\n', unused)).toEqual([]);
    const handed = {
      ...parts,
      'environment/tests/test_state.py': testCode,
      'instruction.md': 'Make the tests in `/app/tests/` pass.\n',
    };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY tests /app/tests\n', handed)).toEqual([]);
  });

  it('is silent about input in both places, builder stages, removed and tiny files', async () => {
    const data = 'port,catch\nskagen,7315\nhirtshals,2211\nesbjerg,8123\n';
    const input = {
      ...parts,
      'tests/catch.csv': data,
      'environment/catch.csv': data,
      'tests/test_state.py': `${testCode}C = open("/tests/catch.csv").read()\n`,
    };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY catch.csv /app/\n', input)).toEqual([]);
    const leak = { ...parts, 'environment/x.py': testCode };
    expect(await of(rule, 'FROM python:3.12-slim AS b\nCOPY x.py /x\nFROM python:3.12-slim\n', leak)).toEqual([]);
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY x.py /x.py\nRUN python3 /x.py && rm /x.py\n', leak)).toEqual([]);
    expect(
      await of(rule, 'FROM python:3.12-slim\nCOPY . /app\n', {
        ...parts,
        'tests/__init__.py': '',
        'environment/__init__.py': '',
        'tests/conftest.py': 'import os\n',
        'environment/conftest.py': 'import os\n',
      }),
    ).toEqual([]);
  });

  it('is silent where a solution holds the unchanged project as well', async () => {
    const shared = 'def read(path):\n    return [int(line) for line in open(path)]\n';
    const files = {
      ...parts,
      'solution/solve.sh': '#!/bin/bash\ncp -r /solution/app/. /app/\n',
      'solution/app/read.py': shared,
      'solution/app/main.py': `${shared}print(sum(read("/app/catch.csv")))\n`,
      'environment/app/read.py': shared,
      'environment/app/main.py': `${shared}print(0)\n`,
    };
    expect(await of(rule, 'FROM python:3.12-slim\nCOPY app /app\n', files)).toEqual([]);
  });
});

describe('docker-reward-precreated and docker-occupies-harness-path', () => {
  it('find a grade in the image', async () => {
    expect(
      await of(
        'docker-reward-precreated',
        'FROM debian:12\nRUN mkdir -p /logs/verifier && echo 0 > /logs/verifier/reward.txt\n',
      ),
    ).toEqual(
      [
        'error "> /logs/verifier/reward.txt" The image comes with /logs/verifier/reward.txt, a grade before anything was done.',
      ].map((one) => one.replace('"> ', '"')),
    );
    expect(
      await of('docker-reward-precreated', 'FROM debian:12\nCOPY r.json /logs/verifier/reward.json\n', {
        'environment/r.json': '{}\n',
      }),
    ).toEqual([
      'error "r.json" The image comes with /logs/verifier/reward.json, a grade before anything was done. [Delete this COPY]',
    ]);
    expect(
      await of(
        'docker-reward-precreated',
        'FROM debian:12\nRUN mkdir -p /logs/verifier && echo 0 > /logs/verifier/other.txt\n',
      ),
    ).toEqual([]);
  });

  it('find files where Harbor puts its own', async () => {
    const files = { 'environment/cases/a.txt': '1\n' };
    expect(
      await of(
        'docker-occupies-harness-path',
        'FROM debian:12\nCOPY cases/ /tests/cases/\nRUN echo a > /solution/x\n',
        files,
      ),
    ).toEqual([
      'warning "cases/" /tests/cases/a.txt lies where Harbor uploads the tests, and is there while they run.',
      'warning "/solution/x" /solution/x lies where Harbor uploads the solution, in every run.',
    ]);
    expect(
      await of(
        'docker-occupies-harness-path',
        'FROM debian:12\nRUN mkdir -p /tests /solution /logs/verifier\nCOPY cases /srv/tests/\n',
        files,
      ),
    ).toEqual([]);
    const separate = {
      'task.toml': '[verifier]\nenvironment_mode = "separate"\n[verifier.environment]\ncpus = 1\n',
      'tests/Dockerfile': 'FROM debian:12\nCOPY . /tests\n',
    };
    expect(await shown('docker-occupies-harness-path', separate)).toEqual([]);
  });
});

describe('docker-secret', () => {
  const token = `ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8`;

  it('finds tokens in the Dockerfile and in the image', async () => {
    expect(await of('docker-secret', `FROM debian:12\nENV REGISTRY=${token}\n`)).toEqual([
      `error "${token}" This is a GitHub token, in a Dockerfile that goes wherever the task goes.`,
    ]);
    expect(
      await shown(
        'docker-secret',
        dockerfile('FROM debian:12\nCOPY c.ini /etc/c.ini\n', { 'environment/c.ini': `t=${token}\n` }),
      ),
    ).toEqual([`error environment/c.ini:1:"${token}" /etc/c.ini in the image holds a GitHub token.`]);
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'.repeat(4)}\n-----END PRIVATE KEY-----\n`;
    expect(
      await shown('docker-secret', dockerfile('FROM debian:12\nCOPY k.pem /etc/k.pem\n', { 'environment/k.pem': key })),
    ).toEqual([
      'warning environment/k.pem:1:"-----BEGIN PRIVATE KEY-----" /etc/k.pem in the image holds a private key; is it one that was made for this task?',
    ]);
  });

  it('is silent about dummies, keys of the task, and what is not in the image', async () => {
    expect(
      await of(
        'docker-secret',
        'FROM debian:12\nENV A=AKIAIOSFODNN7EXAMPLE B=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx C=sk-proj-short\n',
      ),
    ).toEqual([]);
    expect(await of('docker-secret', 'FROM debian:12\n', { 'environment/c.ini': `t=${token}\n` })).toEqual([]);
    expect(
      await shown(
        'docker-secret',
        dockerfile('FROM debian:12\nCOPY c.ini /etc/\n', {
          'environment/c.ini': `t=${token}\n`,
          'instruction.md': 'Remove all leaked tokens.\n',
        }),
      ),
    ).toEqual([`information environment/c.ini:1:"${token}" /etc/c.ini in the image holds a GitHub token.`]);
    expect(
      await shown(
        'docker-secret',
        dockerfile('FROM debian:12\nCOPY c.ini /etc/\n', {
          'environment/c.ini': `t=${token}\n`,
          'instruction.md': 'Read c.ini.\n',
        }),
      ),
    ).toEqual([]);
  });
});

describe('docker-git-history', () => {
  const rule = 'docker-git-history';

  it('finds a history where the agent works', async () => {
    const text =
      'FROM debian:12\nWORKDIR /srv/tides\nRUN git clone https://e.example/tides . && git checkout 4f1c2aa\n';
    expect(await of(rule, text)).toEqual([
      'warning "git clone https://e.example/tides" /srv/tides keeps the whole history of https://e.example/tides. [Remove /srv/tides/.git]',
    ]);
    expect(await mended(rule, dockerfile(text), 'Remove /srv/tides/.git', 'environment/Dockerfile')).toContain(
      'git checkout 4f1c2aa && rm -rf /srv/tides/.git\n',
    );
    expect(await of(rule, 'FROM debian:12\nWORKDIR /srv\nRUN git clone --depth 1 https://e.example/tides\n')).toEqual([
      'information "git clone --depth 1 https://e.example/tides" /srv/tides keeps its .git, from which `git fetch` can bring the later commits. [Remove /srv/tides/.git]',
    ]);
    expect(
      await of(rule, 'FROM debian:12\nCOPY repo /srv/repo\n', {
        'environment/repo/.git/HEAD': 'ref\n',
        'environment/repo/a': '1\n',
      }),
    ).toEqual(['warning "repo" This brings environment/repo/.git with its history into the image.']);
  });

  it('is silent about tools, removed histories and tasks about git', async () => {
    expect(await of(rule, 'FROM debian:12\nWORKDIR /srv\nRUN git clone https://e.example/pyenv /opt/pyenv\n')).toEqual(
      [],
    );
    expect(
      await of(
        rule,
        'FROM debian:12\nWORKDIR /srv\nRUN git clone https://e.example/t && cd t && git checkout 4f1 && rm -rf .git\n',
      ),
    ).toEqual([]);
    expect(
      await of(rule, 'FROM debian:12\nWORKDIR /srv\nRUN git clone https://e.example/t\n', {
        'instruction.md': 'Restore the lost commit.\n',
      }),
    ).toEqual([]);
    expect(
      await of(
        rule,
        'FROM debian:12 AS b\nWORKDIR /srv\nRUN git clone https://e.example/t\nFROM debian:12\nWORKDIR /srv\nCOPY --from=b /srv/t/src /srv\n',
      ),
    ).toEqual([]);
  });
});

describe('docker-bytecode-left', () => {
  const rule = 'docker-bytecode-left';

  it('finds bytecode without its source', async () => {
    const text = 'FROM python:3.12\nWORKDIR /srv\nCOPY seed.py .\nRUN python -m seed && rm seed.py\n';
    expect(await of(rule, text, { 'environment/seed.py': 'print(1)\n' })).toEqual([
      'warning "python -m seed" /srv/seed.py goes, but its bytecode stays in /srv/__pycache__. [Write no bytecode (-B)]',
    ]);
    expect(
      await mended(
        rule,
        dockerfile(text, { 'environment/seed.py': '' }),
        'Write no bytecode (-B)',
        'environment/Dockerfile',
      ),
    ).toContain('python -B -m seed');
    expect(await of(rule, 'FROM python:3.12\nCOPY lib /srv/lib\n', { 'environment/lib/gen.pyc': 'x' })).toEqual([
      'warning "lib" This brings /srv/lib/gen.pyc into the image, from which its missing source can be had.',
    ]);
  });

  it('is silent where none is written or none is left', async () => {
    const files = { 'environment/seed.py': 'print(1)\n' };
    for (const lines of [
      'RUN python -B -m seed && rm seed.py',
      'RUN python seed.py && rm seed.py',
      'RUN python -m seed && rm -rf seed.py __pycache__',
      'ENV PYTHONDONTWRITEBYTECODE=1\nRUN python -m seed && rm seed.py',
      'RUN python -m seed',
      "RUN python -m seed && rm seed.py && find . -name '*.pyc' -delete",
    ])
      expect(await of(rule, `FROM python:3.12\nWORKDIR /srv\nCOPY seed.py .\n${lines}\n`, files)).toEqual([]);
    expect(
      await of(rule, 'FROM python:3.12\nCOPY lib /srv/lib\n', {
        'environment/lib/gen.pyc': 'x',
        'environment/lib/gen.py': 'x',
      }),
    ).toEqual([]);
  });
});

describe('docker-permission-is-no-guard', () => {
  const rule = 'docker-permission-is-no-guard';
  const root = 'FROM debian:12\nWORKDIR /app\n';

  it('finds modes that hide nothing from root', async () => {
    expect(
      await of(rule, `${root}COPY k.json /opt/answer.json\nRUN chmod 000 /opt/answer.json\n`, {
        'environment/k.json': '{}',
      }),
    ).toEqual(['warning "chmod 000" The agent is root, so mode 000 keeps nothing of /opt/answer.json from it.']);
    expect(
      await of(rule, `${root}COPY --chmod=400 k.json /opt/k.json\n`, {
        'environment/k.json': '{}',
        'tests/test.sh': '#!/bin/bash\ncmp /opt/k.json /app/x\n',
      }),
    ).toEqual(['warning "400" The agent is root, so mode 400 keeps nothing of /opt/k.json from it.']);
  });

  it('is silent for another user, ordinary modes and what the instruction names', async () => {
    expect(await of(rule, `${root}RUN useradd a && chmod 000 /opt/answer.json\nUSER a\n`)).toEqual([]);
    expect(
      await of(
        rule,
        `${root}RUN chmod 600 /root/.ssh/id_ed25519 && chmod 755 /opt/answer.sh && chmod +x /opt/grader\n`,
      ),
    ).toEqual([]);
    expect(
      await of(rule, `${root}RUN chmod 400 /opt/answer.json\n`, { 'instruction.md': 'Open answer.json as root.\n' }),
    ).toEqual([]);
  });
});
