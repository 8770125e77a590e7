import { describe, expect, it } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const compose = (text: string, more: Changes = {}): Changes => ({ 'environment/docker-compose.yaml': text, ...more });

async function of(ruleId: string, text: string, more: Changes = {}): Promise<string[]> {
  const found = await shown(ruleId, compose(text, more));
  return found.map((one) => one.replace(' environment/docker-compose.yaml:', ' '));
}

describe('compose-invalid', () => {
  const rule = 'compose-invalid';

  it('finds what Compose refuses', async () => {
    expect(await of(rule, 'services:\n  main:\n    image: "x\n')).toHaveLength(1);
    expect(await of(rule, 'service:\n  main:\n    image: x:1\n')).toEqual([
      'error 1:"service" Compose knows no key service at the top; services is meant, it seems. [Rename to services*]',
      'warning 1:"service" environment/docker-compose.yaml has no services, so it changes nothing.',
    ]);
    expect(await of(rule, 'services: []\n')).toEqual([
      'error 1:"services" services has to be a mapping of names to services.',
    ]);
    expect(
      await of(rule, 'services:\n  main:\n    depends_on: [ledger, db]\n  db:\n    image: postgres:16.4\n'),
    ).toEqual(['error 3:"ledger" main depends on ledger, and there is no such service.']);
    expect(
      await mended(rule, compose('service:\n  main: {}\n'), 'Rename to services', 'environment/docker-compose.yaml'),
    ).toBe('services:\n  main: {}\n');
  });

  it('finds a file that Harbor does not look for', async () => {
    expect(await shown(rule, { 'environment/docker-compose.yml': 'services:\n  main: {}\n' })).toEqual([
      'warning environment/docker-compose.yml:1:"services:" Harbor looks for environment/docker-compose.yaml alone and does not use environment/docker-compose.yml.',
    ]);
    const input = {
      'environment/docker-compose.yml': 'services:\n  web: {}\n',
      'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\nCOPY docker-compose.yml .\n',
    };
    expect(await shown(rule, input)).toEqual([]);
  });

  it('is silent about a file without main, extensions and includes', async () => {
    expect(
      await of(
        rule,
        'x-common: &c\n  image: a:1\nservices:\n  db:\n    <<: *c\n    depends_on: [main]\nvolumes:\n  v:\n',
      ),
    ).toEqual([]);
    expect(await of(rule, 'include:\n  - other.yaml\nservices:\n  main:\n    depends_on: [elsewhere]\n')).toEqual([]);
  });
});

describe('compose-exposes-task-files', () => {
  const rule = 'compose-exposes-task-files';
  const volumes = (...items: string[]): string =>
    `services:\n  main:\n    volumes:\n${items.map((item) => `      - ${item}\n`).join('')}`;

  it('finds mounts of what must stay hidden, and of the host', async () => {
    expect(
      await of(
        rule,
        volumes(
          '"../tests:/mnt"',
          '..:/task',
          '../task.toml:/t',
          '/var/run/docker.sock:/var/run/docker.sock',
          '/etc:/host',
          '/data/x:/x',
          '../other:/o',
          '../../shared:/s',
          './data:/d',
        ),
      ),
    ).toEqual([
      'error 4:"\\"../tests:/mnt\\"" ../tests is in tests/ of this task, and the agent gets it.',
      'error 5:"..:/task" .. is the whole task, with its tests and its solution, and the agent gets it.',
      'error 6:"../task.toml:/t" ../task.toml is the task.toml of this task, and the agent gets it.',
      'error 7:"/var/run/docker.sock:/var/run/docker.sock" /var/run/docker.sock gives the agent command of the Docker engine, and so of the host.',
      'error 8:"/etc:/host" /etc is a folder of the host that the agent gets, and another one on each machine.',
      'warning 9:"/data/x:/x" /data/x is a folder of the host that the agent gets, and another one on each machine.',
      'warning 10:"../other:/o" ../other lies outside of environment/, and the agent gets it.',
      'warning 11:"../../shared:/s" ../../shared lies outside of the task, and the agent gets it.',
      'information 12:"./data:/d" ./data is mounted from the host, which works only where the task\'s folder is on the engine\'s own machine.',
    ]);
  });

  it('finds build contexts that reach the tests', async () => {
    expect(
      await of(rule, 'services:\n  main:\n    build:\n      context: ..\n  judge:\n    build: ../tests\n'),
    ).toEqual([
      'warning 4:".." The build context of main is the whole task, with its tests and its solution: a COPY can bring them into the image.',
      'warning 6:"../tests" The build context of judge is in tests/ of this task: a COPY can bring it into the image.',
    ]);
  });

  it('is silent about volumes of the engine and what depends on a variable', async () => {
    expect(
      await of(
        rule,
        volumes(
          'seed-data:/mnt',
          '${HOST_VERIFIER_LOGS_PATH}:/logs/verifier',
          '/anonymous',
          '{ type: tmpfs, target: /t }',
        ),
      ),
    ).toEqual([]);
    expect(await of(rule, 'services:\n  main:\n    build: .\n  x:\n    build: ${CONTEXT_DIR}/x\n')).toEqual([]);
  });
});

describe('compose-privileged', () => {
  it('finds what takes the wall down', async () => {
    const text =
      'services:\n  main:\n    privileged: true\n    pid: host\n    cap_add: [SYS_PTRACE, CAP_NET_ADMIN, NET_BIND_SERVICE]\n  db:\n    network_mode: host\n    ipc: host\n    devices: ["/dev/kvm:/dev/kvm"]\n    security_opt: ["seccomp:unconfined"]\n';
    expect(await of('compose-privileged', text)).toEqual([
      'warning 3:"privileged: true" main is privileged, which is root on the host in all but name.',
      'warning 4:"host" main sees and can end every process of the host.',
      'warning 5:"SYS_PTRACE" main is given the capability SYS_PTRACE.',
      'warning 5:"CAP_NET_ADMIN" main is given the capability NET_ADMIN.',
      'warning 7:"host" db uses the network of the host, past every rule that Harbor sets.',
      'warning 8:"host" db shares the memory segments of the host.',
      'warning 9:"\\"/dev/kvm:/dev/kvm\\"" db is given the device /dev/kvm of the host.',
      'warning 10:"\\"seccomp:unconfined\\"" db runs without the profile that seccomp would put on it.',
    ]);
    expect(
      await of(
        'compose-privileged',
        'services:\n  main:\n    privileged: false\n    network_mode: none\n    cap_drop: [ALL]\n    security_opt: ["no-new-privileges:true"]\n',
      ),
    ).toEqual([]);
  });
});

describe('compose-unready-service', () => {
  const rule = 'compose-unready-service';
  const text = 'services:\n  main:\n    depends_on: [db]\n  db:\n    image: postgres:16.4\n';

  it('finds a service that cannot say that it is ready', async () => {
    expect(await of(rule, text)).toEqual([
      'information 3:"db" db has no health check, so the agent may begin before it answers. [Add a health check]',
    ]);
    expect(await mended(rule, compose(text), 'Add a health check', 'environment/docker-compose.yaml')).toBe(
      'services:\n  main:\n    depends_on: [db]\n  db:\n    healthcheck:\n      test: ["CMD-SHELL", "pg_isready -U $${POSTGRES_USER:-postgres}"]\n      interval: 2s\n      retries: 30\n    image: postgres:16.4\n',
    );
  });

  it('is silent where Harbor waits, or a service ends on its own', async () => {
    expect(await of(rule, `${text}    healthcheck:\n      test: ["CMD", "true"]\n`)).toEqual([]);
    expect(
      await of(
        rule,
        'services:\n  main:\n    depends_on:\n      db: { condition: service_completed_successfully }\n  db:\n    image: postgres:16.4\n',
      ),
    ).toEqual([]);
    expect(await of(rule, 'services:\n  main:\n    depends_on: [db]\n  db:\n    build: ./db\n')).toEqual([]);
    expect(await of(rule, 'services:\n  main: {}\n  db:\n    image: postgres:16.4\n')).toEqual([]);
  });
});

describe('compose-unpinned-image', () => {
  const rule = 'compose-unpinned-image';

  it('finds images of services that move', async () => {
    const text = 'services:\n  db:\n    image: postgres\n  web:\n    image: acme/web:latest\n';
    expect(await of(rule, text)).toEqual([
      'warning 3:"postgres" postgres has no tag, so the newest image is taken at each build. [Pin to postgres:16.6]',
      'warning 5:"acme/web:latest" The tag latest of acme/web:latest moves to each new version.',
    ]);
    expect(await mended(rule, compose(text), 'Pin to postgres:16.6', 'environment/docker-compose.yaml')).toContain(
      'image: postgres:16.6\n',
    );
  });

  it('is silent about pinned, built and unknown ones', async () => {
    expect(
      await of(
        rule,
        'services:\n  main:\n    image: task\n  a:\n    image: postgres:16.4\n  b:\n    build: .\n    image: b\n  c:\n    image: ${IMAGE}\n',
      ),
    ).toEqual([]);
  });
});

describe('Dockerfiles that a compose file names', () => {
  it('are judged, in their own role', async () => {
    const files = {
      'environment/docker-compose.yaml':
        'services:\n  main:\n    build:\n      context: ${CONTEXT_DIR}\n      dockerfile: main.Dockerfile\n  db:\n    platform: linux/arm64\n    build: ./db\n',
      'environment/main.Dockerfile': 'FROM debian\nWORKDIR /x\nCOPY cases /tests/cases\n',
      'environment/cases/a': '1\n',
      'environment/db/Dockerfile': 'FROM alpine\nCMD ["nginx"]\n',
    };
    expect(await shown('docker-unpinned-base', files)).toEqual([
      'warning environment/db/Dockerfile:1:"alpine" alpine has no tag, so the newest image is taken at each build. [Pin to alpine:3.21.3]',
      'warning environment/main.Dockerfile:1:"debian" debian has no tag, so the newest image is taken at each build. [Pin to debian:12.8-slim]',
    ]);
    expect(await shown('docker-service-in-cmd', files)).toEqual([]);
    expect(await shown('docker-occupies-harness-path', files)).toHaveLength(1);
    expect(await shown('docker-platform-pinned', files)).toEqual([
      'information environment/docker-compose.yaml:7:"linux/arm64" db runs as linux/arm64 on every machine.',
    ]);
  });

  it('find tests that a context at the root of the task brings along', async () => {
    const files = {
      'environment/docker-compose.yaml':
        'services:\n  main:\n    build:\n      context: ..\n      dockerfile: environment/Dockerfile\n',
      'environment/Dockerfile': 'FROM python:3.12-slim\nWORKDIR /app\nCOPY tests /opt/t\n',
      'tests/test.sh': '#!/bin/bash\npython3 /tests/judge.py > /logs/verifier/reward.txt\n',
      'tests/judge.py': 'import pathlib\nprint(int(pathlib.Path("/app/answer.txt").read_text() == "42"))\n',
    };
    expect(await shown('docker-copies-tests-or-solution', files)).toEqual([
      'error environment/Dockerfile:3:"tests" /opt/t/judge.py in the image is tests/judge.py, beside tests/test.sh, so the agent can read the tests. [Delete this COPY]',
    ]);
  });
});
