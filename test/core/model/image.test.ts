import { describe, expect, it } from 'vitest';
import type { Image } from '../../../src/core/model/image';
import { buildImage } from '../../../src/core/model/image/build-image';
import { contextOf } from '../../../src/core/model/image/context';
import { dockerfileModel } from '../../../src/core/model/dockerfile-model';
import { readIgnoreFile } from '../../../src/core/text/dockerfile/ignore-file';
import { readDockerfile } from '../../../src/core/text/dockerfile/read-dockerfile';
import { grammars } from '../grammars';

const context = [
  'Dockerfile',
  'app',
  'app/main.py',
  'app/lib',
  'app/lib/util.py',
  'data',
  'data/a.csv',
  'data/b.csv',
  'run.sh',
];

function image(
  text: string,
  files: readonly string[] = context,
  ignore: string | null = null,
  target: string | null = null,
): Image {
  const entries = files.map((path) => ({ path, file: `environment/${path}`, isFolder: !/[.]|Dockerfile/.test(path) }));
  const rules = ignore === null ? null : { file: 'environment/.dockerignore', rules: readIgnoreFile(ignore) };
  return buildImage({
    model: dockerfileModel(readDockerfile(text), grammars),
    file: 'environment/Dockerfile',
    context: contextOf('environment', entries, rules, true),
    target,
  });
}

/** `path < origin`, in order. */
function files(made: Image): string[] {
  return [...made.files.values()].map(({ path, origin }) => {
    const from =
      origin.kind === 'context'
        ? origin.file.replace('environment/', '')
        : origin.kind === 'text'
          ? JSON.stringify(origin.text)
          : origin.kind;
    return `${path} < ${from}`;
  });
}

const gaps = (made: Image): string[] => made.gaps.map(({ reason, below }) => `${reason} ${below ?? '*'}`);

describe('COPY and ADD', () => {
  it('give a file a name or put it into a folder', () => {
    expect(
      files(image('FROM x\nCOPY run.sh /opt/go\nCOPY run.sh /opt/\nWORKDIR /srv\nCOPY run.sh .\nCOPY run.sh /srv\n')),
    ).toEqual(['/opt/go < run.sh', '/opt/run.sh < run.sh', '/srv/run.sh < run.sh']);
  });

  it('take the content of a folder, patterns and lists', () => {
    expect(files(image('FROM x\nCOPY app /srv/app\nCOPY ["data/*.csv", "/in/"]'))).toEqual([
      '/srv/app/main.py < app/main.py',
      '/srv/app/lib/util.py < app/lib/util.py',
      '/in/a.csv < data/a.csv',
      '/in/b.csv < data/b.csv',
    ]);
  });

  it('take the whole context without what the ignore file leaves out', () => {
    const made = image('FROM x\nWORKDIR /w\nCOPY . .', context, 'data/*\n!data/a.csv\nDockerfile\n');
    expect(files(made)).toEqual([
      '/w/app/main.py < app/main.py',
      '/w/app/lib/util.py < app/lib/util.py',
      '/w/data/a.csv < data/a.csv',
      '/w/run.sh < run.sh',
    ]);
    expect(made.complete).toBe(true);
  });

  it('write here-documents', () => {
    expect(files(image("FROM x\nCOPY <<'E' /a/b\nx\nE\nCOPY <<one <<two /d/\n1\none\n2\ntwo"))).toEqual([
      '/a/b < "x\\n"',
      '/d/one < "1\\n"',
      '/d/two < "2\\n"',
    ]);
  });

  it('say what they do not know', () => {
    const made = image(
      'FROM x\nARG D\nCOPY run.sh $D/\nADD x.tar.gz /a\nADD https://e.x/y.bin /b/\nADD https://e.x/r.git /c',
      [...context, 'x.tar.gz'],
    );
    expect(gaps(made)).toEqual(['variable *', 'archive /a', 'clone /c']);
    expect(files(made)).toEqual(['/b/y.bin < download']);
    expect(made.complete).toBe(false);
  });

  it('carry files over from another stage with where they came from', () => {
    const made = image(
      'FROM x AS b\nCOPY data /in\nRUN echo 1 > /one && make\nFROM y\nCOPY --from=b /in/a.csv /one /o/\nCOPY --from=b /bin/tool /usr/local/bin/\n',
    );
    expect(files(made)).toEqual(['/o/a.csv < data/a.csv', '/o/one < "1\\n"', '/usr/local/bin/tool < unknown']);
    expect([...made.lineage]).toEqual([1]);
    expect([...made.needed].sort()).toEqual([0, 1]);
  });
});

describe('RUN', () => {
  it('writes, moves and removes files', () => {
    const made = image(
      'FROM x\nWORKDIR /w\nCOPY . /c/\nRUN echo 42 > answer && printf "a\\n" | tee log >/dev/null && cp /c/run.sh . && mv /c/data /d\nRUN rm -rf /c && cat > /etc/x <<EOF\nk=v\nEOF\n',
    );
    expect(files(made)).toEqual([
      '/w/answer < "42\\n"',
      '/w/log < unknown',
      '/w/run.sh < run.sh',
      '/d/a.csv < data/a.csv',
      '/d/b.csv < data/b.csv',
      '/etc/x < "k=v\\n"',
    ]);
    expect(made.removed.map(({ path }) => path)).toContain('/c/app/main.py');
    expect(gaps(made)).toEqual([]);
  });

  it('follows cd, appends, and removes by find', () => {
    const made = image(
      "FROM x\nRUN mkdir -p /a && cd /a && echo 1 > f && echo 2 >> f && touch b.pyc c/d.pyc && find . -name '*.pyc' -delete",
    );
    expect(files(made)).toEqual(['/a/f < "1\\n2\\n"']);
  });

  it('does not count on a removal that may not happen', () => {
    expect(files(image('FROM x\nCOPY run.sh /r\nRUN if test -n "$X"; then rm /r; fi'))).toEqual(['/r < run.sh']);
  });

  it('keeps modes and owners', () => {
    const made = image(
      'FROM x\nUSER app\nCOPY --chmod=755 run.sh /r\nCOPY data /d/\nRUN chmod +x /d/a.csv && chown -R app:app /d && echo 1 > /e',
    );
    expect([...made.files.values()].map(({ path, owner, mode }) => [path, owner, mode])).toEqual([
      ['/r', 'root', '755'],
      ['/d/a.csv', 'app:app', '+x'],
      ['/d/b.csv', 'app:app', null],
      ['/e', 'app', null],
    ]);
  });

  it('copies from a mount', () => {
    const made = image('FROM x\nRUN --mount=type=bind,source=data,target=/m cp /m/a.csv /srv/ && cp -r /m /all');
    expect(files(made)).toEqual(['/srv/a.csv < data/a.csv', '/all/a.csv < data/a.csv', '/all/b.csv < data/b.csv']);
  });

  it('knows programs that may leave anything', () => {
    expect(gaps(image('FROM x\nRUN apt-get update && apt-get install -y jq && rm -rf /var/lib/apt/lists/*'))).toEqual(
      [],
    );
    expect(gaps(image('FROM x\nRUN python3 /x.py'))).toEqual(['command *']);
    expect(
      gaps(image('FROM x\nRUN git clone https://e.x/tides.git && curl -o /f https://e.x/f && tar xf /f -C /t')),
    ).toEqual(['clone *', 'archive /t']);
    expect(gaps(image('FROM x\nWORKDIR /w\nRUN git clone --depth 1 https://e.x/tides.git'))).toEqual([
      'clone /w/tides',
    ]);
    expect(gaps(image('FROM x\nRUN ["/bin/x"]\nRUN <<E\n#!/usr/bin/python3\nx\nE\n'))).toEqual([
      'command *',
      'not-understood *',
    ]);
  });
});

describe('facts of an image', () => {
  it('come from its lineage', () => {
    const made = image(
      'FROM python:3.12-slim AS a\nUSER app\nWORKDIR /srv\nENV A=1\nEXPOSE 80 90/tcp\nENTRYPOINT ["/e"]\nCMD x\nFROM a\nRUN pip install Foo_Bar==1.2 baz && apt-get install -y jq=1.6-1\nWORKDIR sub\n',
    );
    expect(made.base?.official).toBe('python');
    expect(made.base?.facts?.lacks.has('curl')).toBe(true);
    expect([made.user, made.workdir, made.env.get('A'), made.exposed]).toEqual(['app', '/srv/sub', '1', [80, 90]]);
    expect(made.cmd?.keyword).toBe('CMD');
    expect(made.packages.map(({ manager, name, version }) => [manager, name, version])).toEqual([
      ['pip', 'foo-bar', '1.2'],
      ['pip', 'baz', null],
      ['apt', 'jq', '1.6-1'],
    ]);
  });

  it('are those of the stage that is asked for', () => {
    const text = 'FROM debian AS one\nWORKDIR /one\nFROM debian\nWORKDIR /two';
    expect(image(text).workdir).toBe('/two');
    expect(image(text, context, null, 'one').workdir).toBe('/one');
    expect(image('').finalStage).toBe(-1);
  });
});

describe('an image without end', () => {
  const unknown = (made: Image): unknown => [made.files.size, gaps(made), made.complete];

  it('takes a folder with unknown files that is copied into itself', () => {
    const made = image(
      'FROM x\nWORKDIR /app\nRUN git clone https://e.x/r /app\nRUN cp -r /app /app/x && cp -r /app /app/x\n',
    );
    expect(gaps(made)).toEqual(['clone /app', 'clone /app/x', 'clone /app/x/app']);
  });

  it('knows nothing of files that double with every command', () => {
    const copies = Array.from({ length: 40 }, (_, at) => `RUN cp -r /app /app/x${at}`).join('\n');
    expect(unknown(image(`FROM x\nCOPY app /app\n${copies}\n`))).toEqual([0, ['not-understood *'], false]);
  });

  it('knows nothing after a thousand stages that each take everything along', () => {
    const stages = Array.from(
      { length: 1000 },
      (_, at) => `FROM ${at === 0 ? 'x' : `s${at - 1}`} AS s${at}\nCOPY . /d${at}`,
    );
    const started = performance.now();
    expect(unknown(image(`${stages.join('\n')}\n`))).toEqual([0, ['not-understood *'], false]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('knows nothing of a context that thousands of patterns are to leave something out of', () => {
    const many = Array.from({ length: 1000 }, (_, at) => `d/f${at}.txt`);
    const made = image('FROM x\nCOPY . /app\n', many, '**/a*b/**\n'.repeat(2000));
    expect(unknown(made)).toEqual([0, ['not-understood /app'], false]);
  });

  it('still knows an ordinary image of thousands of files', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `f${at}.txt`);
    const commands = Array.from({ length: 100 }, (_, at) => `RUN rm /app/f${at}.txt`).join('\n');
    const made = image(`FROM x AS a\nCOPY . /app\nFROM x\nCOPY --from=a /app /app\n${commands}\n`, many);
    expect([made.files.size, made.removed.length, made.complete]).toEqual([4900, 100, true]);
  });
});
