import { describe, expect, it } from 'vitest';
import type { ComposeFile, ComposeService } from '../../../src/core/text/compose';
import { linesOf } from '../../../src/core/text/lines';
import { readCompose } from '../../../src/core/text/read-compose';

function read(text: string): ComposeFile {
  const result = readCompose(text);
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result.compose;
}

function service(text: string, name = 'main'): ComposeService {
  const found = read(text).services.get(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

const yaml = `services:
  main:
    build:
      context: ../shared
      dockerfile: Dockerfile.main
      target: final
    privileged: true
    pid: host
    cap_add: [SYS_PTRACE]
    volumes:
      - ../tests:/mnt:ro
      - seed-data:/seed
      - /scratch
      - type: bind
        source: \${HOST_DIR}/x
        target: /x
      - \${PLACE:-./here}:/y
    ports: ["8080:80", 9000, "127.0.0.1:5000:50/tcp", "\${P}:1"]
    environment:
      - TOKEN=a=b
      - FROM_HOST
    depends_on:
      ledger: { condition: service_healthy }
    command: ["sleep", "infinity"]
  ledger:
    image: ledger:1
    environment: { LEVEL: 3, EMPTY: }
    depends_on: [main]
    healthcheck: { test: ["NONE"] }
    command: run --now
volumes:
  seed-data:
`;

describe('readCompose', () => {
  it('reads the long and the short forms', () => {
    const main = service(yaml);
    expect(main.build).toMatchObject({
      context: { text: '../shared' },
      dockerfile: { text: 'Dockerfile.main' },
      target: { text: 'final' },
    });
    expect(
      main.volumes.map(({ type, source, target, readOnly }) => [type, source?.text, target?.text, readOnly]),
    ).toEqual([
      ['bind', '../tests', '/mnt', true],
      ['volume', 'seed-data', '/seed', false],
      ['anonymous', undefined, '/scratch', false],
      ['bind', '${HOST_DIR}/x', '/x', false],
      ['other', '${PLACE:-./here}', '/y', false],
    ]);
    expect(main.ports.map(({ published, target }) => [published, target])).toEqual([
      [8080, 80],
      [null, 9000],
      [5000, 50],
      [null, 1],
    ]);
    expect(main.environment.map(({ name, value }) => [name, value?.text])).toEqual([
      ['TOKEN', 'a=b'],
      ['FROM_HOST', undefined],
    ]);
    expect(main.dependsOn).toMatchObject([{ service: 'ledger', condition: 'service_healthy', long: true }]);
    expect(main.command?.words?.map(({ text }) => text)).toEqual(['sleep', 'infinity']);
    const ledger = service(yaml, 'ledger');
    expect(ledger.environment.map(({ name, value }) => [name, value?.text])).toEqual([
      ['LEVEL', '3'],
      ['EMPTY', undefined],
    ]);
    expect(ledger.dependsOn).toMatchObject([{ service: 'main', condition: 'service_started', long: false }]);
    expect(ledger.healthcheck).toMatchObject({ disabled: true, hasTest: false });
    expect(ledger.command).toMatchObject({ words: null, shell: { text: 'run --now' } });
    expect([...read(yaml).volumes]).toEqual(['seed-data']);
  });

  it('gives the place of each thing', () => {
    const lines = linesOf(yaml);
    const main = service(yaml);
    const text = (range: {
      start: { line: number; character: number };
      end: { line: number; character: number };
    }): string => yaml.slice(lines.offset(range.start), lines.offset(range.end));
    expect(text(main.nameRange)).toBe('main');
    expect(text(main.privileged?.range ?? main.nameRange)).toBe('privileged: true');
    expect(main.volumes.slice(0, 1).map(({ range }) => text(range))).toEqual(['../tests:/mnt:ro']);
    expect(main.dependsOn.map(({ range }) => text(range))).toEqual(['ledger']);
  });

  it('knows what other files may bring in', () => {
    expect(read('include: [other.yaml]\nservices: {}\n').incomplete).toBe(true);
    expect(read('services:\n  main:\n    extends: { service: base }\n').incomplete).toBe(true);
    expect(read(yaml).incomplete).toBe(false);
  });

  it('passes over what has another shape', () => {
    const main = service(
      'services:\n  main:\n    volumes: nonsense\n    build: [x]\n    ports: { a: 1 }\n    privileged: "yes"\n    image: [a]\n',
    );
    expect(main).toMatchObject({ volumes: [], build: null, ports: [], privileged: null, image: null });
    expect(read('services: 3\n').servicesIsMap).toBe(false);
    expect(readCompose('- a\n').ok).toBe(false);
    expect(read('').servicesKey).toBeNull();
  });
});
