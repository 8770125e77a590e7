import { describe, expect, it } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const dockerfile = (text: string, more: Changes = {}): Changes => ({ 'environment/Dockerfile': text, ...more });

/** Findings of a rule as `severity "range" message`, for a Dockerfile. */
async function of(ruleId: string, text: string, more: Changes = {}): Promise<string[]> {
  const found = await shown(ruleId, dockerfile(text, more));
  return found.map((one) => one.replace(/ environment\/Dockerfile:(\d+):/u, ' $1:'));
}

describe('docker-syntax', () => {
  const rule = 'docker-syntax';

  it('finds what the builder refuses', async () => {
    expect(await of(rule, 'FROM debian:12\nCOPPY a /b\n')).toEqual([
      'error 2:"COPPY" Docker knows no instruction COPPY; COPY is meant, it seems. [Change to COPY*]',
    ]);
    expect(await of(rule, 'RUN x\nFROM debian:12\n')).toEqual([
      'error 1:"RUN x" RUN stands before any FROM, so the builder does not know what image to start from.',
    ]);
    expect(await of(rule, 'FROM debian:12\nCOPY orchard.csv\n')).toEqual([
      'error 2:"COPY orchard.csv" COPY has one argument, orchard.csv, and needs a source and a destination.',
    ]);
    expect(await of(rule, 'FROM debian:12\nRUN cat <<EOF\nx\n')).toEqual([
      'error 2:"<<EOF" No line with EOF alone ends this here-document.',
    ]);
    expect(await of(rule, "FROM debian:12\nRUN ['a', 'b']\nWORKDIR\n")).toEqual([
      `error 2:"['a', 'b']" This is no JSON list of texts in double quotes, so the shell gets it as one command.`,
      'error 3:"WORKDIR" WORKDIR has nothing behind it.',
    ]);
    expect(await of(rule, 'FROM debian:12 builder\n')).toEqual([
      'error 1:"FROM debian:12 builder" FROM takes an image, and then nothing or AS and a name.',
    ]);
  });

  it('finds stages that do not exist', async () => {
    const text = 'FROM debian:12 AS build\nFROM debian:12\nCOPY --from=biuld /a /a\nCOPY --from=2 /a /a\n';
    expect(await of(rule, text)).toEqual([
      'error 3:"biuld" There is no stage biuld; build is meant, it seems. [Change to build*]',
      'error 4:"2" There is no stage 2 before this one.',
    ]);
    const late = 'FROM debian:12 AS x\nCOPY --from=late /a /a\nFROM debian:12 AS late\n';
    expect(await of(rule, `${late}FROM debian:12\nCOPY --from=x /a /a\n`)).toEqual([
      'error 2:"late" --from=late names a stage that begins only here or further down.',
    ]);
    // Nothing needs the stage, so it is not built.
    expect(await of(rule, late)).toEqual([]);
    expect(await of(rule, 'FROM debian:12\nENV A\nRUN\n')).toEqual([
      'error 2:"ENV A" ENV has a name, A, and no value.',
    ]);
    expect(await mended(rule, dockerfile(text), 'Change to build', 'environment/Dockerfile')).toContain(
      '--from=build /a',
    );
  });

  it('is silent about the unusual', async () => {
    expect(
      await of(
        rule,
        '# syntax=docker/dockerfile:1\nARG V=1\nFROM debian:$V\nRUN [ -f /x ] && true\nCOPY --from=busybox /a /b\n',
      ),
    ).toEqual([]);
    expect(await of(rule, '# syntax=example/other\nFROM debian:12\nNEWTHING x\n')).toEqual([]);
    expect(await of(rule, 'FROM debian:12\nRUN cat > /x <<EOF\nCOPPY x\nFROM\nEOF\n')).toEqual([]);
    expect(
      await shown(rule, dockerfile('COPPY\n', { 'task.toml': '[environment]\ndocker_image = "debian:12"\n' })),
    ).toEqual([]);
  });
});

describe('docker-missing-source', () => {
  const rule = 'docker-missing-source';

  it('finds a source that is not there', async () => {
    const files = { 'environment/hive-weights.csv': '1\n', 'environment/data/a.csv': '1\n' };
    expect(await of(rule, 'FROM debian:12\nCOPY hive_weights.csv /srv/\nCOPY nothing.bin /srv/\n', files)).toEqual([
      'error 2:"hive_weights.csv" environment/ has no hive_weights.csv; there is hive-weights.csv. [Change to hive-weights.csv*]',
      'error 3:"nothing.bin" environment/ has no nothing.bin.',
    ]);
    expect(await of(rule, 'FROM debian:12\nCOPY ../tests/x.py /srv/\n', { 'tests/x.py': 'x\n' })).toEqual([
      'error 2:"../tests/x.py" ../tests/x.py leads out of environment/, and the builder sees nothing beyond that folder.',
    ]);
    expect(
      await of(rule, 'FROM debian:12\nCOPY data/a.csv /srv/\n', {
        ...files,
        'environment/.dockerignore': '*.md\ndata\n',
      }),
    ).toEqual(['error 2:"data/a.csv" data/a.csv is kept out of the build by data in environment/.dockerignore.']);
  });

  it('is silent where it cannot know, or the builder does not mind', async () => {
    const text = [
      'FROM debian:12 AS unused',
      'COPY gone /x',
      'FROM debian:12',
      'ARG D',
      'COPY $D/x /x',
      'COPY --from=alpine /etc/os-release /x',
      'ADD https://e.example/x.csv /x',
      'COPY optional* /x/',
      'COPY <<EOF /x',
      'EOF',
      'COPY data /x',
      'COPY ./ /all',
      '# COPY comment /x',
    ].join('\n');
    expect(await of(rule, text, { 'environment/data/a.csv': '1\n' })).toEqual([]);
  });
});

describe('docker-copy-whole-context', () => {
  const rule = 'docker-copy-whole-context';
  const files = {
    'environment/docker-compose.yaml': 'services: {}\n',
    'environment/app.py': 'x\n',
    'environment/NOTES.md': 'n\n',
  };

  it('names what comes along', async () => {
    expect(await of(rule, 'FROM debian:12\nCOPY . /srv\n', files)).toEqual([
      'warning 2:"." This copies NOTES.md and docker-compose.yaml into the image too, where the agent can read them.',
    ]);
    expect(await of(rule, 'FROM debian:12\nCOPY . /srv\n', { 'environment/app.py': 'x\n' })).toEqual([
      'information 2:"." This copies Dockerfile into the image too, where the agent can read it.',
    ]);
  });

  it('is silent with an ignore file, in a builder stage, and where the surplus goes again', async () => {
    expect(
      await of(rule, 'FROM debian:12\nCOPY . /srv\n', { ...files, 'environment/.dockerignore': '*\n!app.py\n' }),
    ).toEqual([]);
    expect(
      await of(rule, 'FROM debian:12 AS b\nCOPY . /s\nFROM debian:12\nCOPY --from=b /s/app.py /app.py\n', files),
    ).toEqual([]);
    expect(
      await of(rule, 'FROM debian:12\nCOPY . /srv\nRUN cd /srv && rm Dockerfile docker-compose.yaml NOTES.md\n', files),
    ).toEqual([]);
    expect(await of(rule, 'FROM debian:12\nCOPY app.py /srv/\n', files)).toEqual([]);
  });
});

describe('docker-unpinned-base', () => {
  const rule = 'docker-unpinned-base';

  it('finds images that move', async () => {
    expect(await of(rule, 'FROM debian\n')).toEqual([
      'warning 1:"debian" debian has no tag, so the newest image is taken at each build. [Pin to debian:12.8-slim]',
    ]);
    expect(
      await of(rule, 'ARG T=latest\nFROM node:$T AS b\nFROM ghcr.io/acme/tool:nightly\nCOPY --from=b /a /a\n'),
    ).toEqual([
      'warning 2:"node:$T" The tag latest of node:latest moves to each new version.',
      'warning 3:"ghcr.io/acme/tool:nightly" The tag nightly of ghcr.io/acme/tool:nightly moves to each new version.',
    ]);
    expect(await shown(rule, { 'task.toml': '[environment]\ndocker_image = "acme/tool"\n' })).toEqual([
      'warning task.toml:2:"\\"acme/tool\\"" acme/tool has no tag, so the newest image is taken at each build.',
    ]);
    expect(
      await mended(rule, dockerfile('FROM debian AS x\n'), 'Pin to debian:12.8-slim', 'environment/Dockerfile'),
    ).toBe('FROM debian:12.8-slim AS x\n');
  });

  it('is silent about pinned ones, stages, scratch and what it does not know', async () => {
    const digest = `a@sha256:${'0'.repeat(64)}`;
    const text = `ARG V\nARG P=3.12\nFROM ${digest} AS build\nFROM debian AS unused\nFROM scratch AS s\nFROM x:$V AS v\nFROM python:$P AS p\nFROM build\nCOPY --from=s /a /a\nCOPY --from=v /a /a\nCOPY --from=p /a /a\n`;
    expect(await of(rule, text)).toEqual([]);
  });
});

describe('docker-platform-pinned', () => {
  const rule = 'docker-platform-pinned';

  it('finds a fixed architecture', async () => {
    const text = 'FROM --platform=linux/amd64 alpine:3.20\n';
    expect(await of(rule, text)).toEqual([
      'information 1:"--platform=linux/amd64" The image is built for linux/amd64 on every machine. [Remove --platform]',
    ]);
    expect(await mended(rule, dockerfile(text), 'Remove --platform', 'environment/Dockerfile')).toBe(
      'FROM alpine:3.20\n',
    );
  });

  it('is silent where it follows the machine or is the subject', async () => {
    expect(await of(rule, 'FROM --platform=$BUILDPLATFORM alpine:3.20\n')).toEqual([]);
    expect(
      await of(rule, 'FROM --platform=linux/amd64 alpine:3.20\n', {
        'instruction.md': 'Reverse the x86-64 binary in /app.\n',
      }),
    ).toEqual([]);
  });
});

describe('docker-no-workdir', () => {
  const rule = 'docker-no-workdir';

  it('finds a stage without one', async () => {
    const text = 'FROM debian:12.8-slim\nRUN true';
    expect(await of(rule, text)).toEqual([
      'information 1:"FROM debian:12.8-slim" No WORKDIR is set, so the agent and the verifier start in /. [Add WORKDIR /app]',
    ]);
    expect(await mended(rule, dockerfile(text), 'Add WORKDIR /app', 'environment/Dockerfile')).toBe(
      `${text}\nWORKDIR /app\n`,
    );
  });

  it('is silent where something sets one', async () => {
    expect(await of(rule, 'FROM golang:1.22\n')).toEqual([]);
    expect(await of(rule, 'FROM acme/base:1\n')).toEqual([]);
    expect(await of(rule, 'FROM debian:12 AS a\nWORKDIR /x\nFROM a\n')).toEqual([]);
    expect(await of(rule, 'FROM debian:12\n', { 'task.toml': '[environment]\nworkdir = "/x"\n' })).toEqual([]);
  });
});

describe('a text that the builder takes for instructions', () => {
  const found = (text: string): Promise<readonly string[]> =>
    shown('docker-syntax', { 'environment/Dockerfile': text });

  it('is told once, with the space that makes it so', async () => {
    const text =
      "FROM debian:12.8-slim\nRUN mkdir /srv && \\\n    python3 << 'MAKE'\nimport sqlite3\n\nprint('made')\nMAKE\nWORKDIR /srv\n";
    expect(await found(text)).toEqual([
      'error environment/Dockerfile:4:"import" Docker takes import for an instruction: `<< \'MAKE\'` begins no here-document, because of the space.',
    ]);
  });

  it('is none after a real here-document, and two mistakes apart are two', async () => {
    expect(
      await found("FROM debian:12.8-slim\nRUN mkdir /srv && \\\n    python3 <<'MAKE'\nimport sqlite3\nMAKE\n"),
    ).toEqual([]);
    expect(await found('FROM debian:12.8-slim\nRUNN ls\nWORKDIR /srv\nCOPPY a b\n')).toHaveLength(2);
  });
});
