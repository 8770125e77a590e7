import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseImage, officialName } from '../../../src/core/model/base-image';
import { installOf } from '../../../src/core/model/installs';
import { readShell } from '../../../src/core/text/shell/read';
import { grammars } from '../grammars';

/** `tool: name version constraint, …`, with `r:` and `c:` for files. */
function shown(text: string): string[] {
  return readShell(text, grammars).commands.flatMap((command) => {
    const install = installOf(command);
    if (install === null) return [];
    const items = install.items.map(({ kind, name, version, constraint }) =>
      [kind === 'name' ? name : `<${kind}>`, version ?? '', version === null ? constraint : '']
        .filter((one) => one !== '')
        .join(' '),
    );
    const files = [
      ...install.requirements.map(({ text: file }) => `r:${file}`),
      ...install.constraints.map(({ text: file }) => `c:${file}`),
    ];
    return [`${install.tool}: ${[...items, ...files].join(', ')}`];
  });
}

describe('installOf', () => {
  it('reads what pip and its kin are asked for', () => {
    expect(
      shown('pip3 install -q --no-cache-dir -i https://x.example "A_b[c]==1.0" d -r r.txt -c c.txt -e . e'),
    ).toEqual(['pip install: a-b 1.0, d, <local>, e, r:r.txt, c:c.txt']);
    expect(shown('python -m pip install "x>=1,<2" y@https://e.example/y.zip z~=3 ; python3 -m venv v')).toEqual([
      'pip install: x >=1,<2, <direct>, z ~=3',
    ]);
    expect(
      shown('uv pip install --system a==1 && uv tool install b && uv sync && uv add c && pipx install d==2'),
    ).toEqual(['uv pip install: a 1', 'uv tool install: b', 'uv add: c', 'pipx install: d 2']);
    expect(
      shown(
        'uvx --with pytest==8,pytest-json-ctrf==0.3 -w x pytest@8.4.1 /tests && uvx --from a==1 b && uv run --with q==1 pytest',
      ),
    ).toEqual(['uvx: pytest 8, pytest-json-ctrf 0.3, x, pytest 8.4.1', 'uvx: a 1', 'uv run: q 1']);
    expect(shown('pip install "$PACKAGES" a==$V && pip download b && pip list')).toEqual([
      'pip install: <unknown>, <unknown>',
    ]);
  });

  it('reads other managers', () => {
    expect(
      shown('apt-get -qq install -y --no-install-recommends curl=7.88.1-10 libc6:i386 ./x.deb -t stable git'),
    ).toEqual(['apt-get install: curl 7.88.1-10, libc6:i386, <local>, git']);
    expect(shown('apk add --no-cache --virtual .deps jq=1.7-r0 bash')).toEqual(['apk add: jq 1.7-r0, bash']);
    expect(shown('npm install -g @scope/a@1.2.3 b@latest c && npx -y d@4.0.0 --flag && npm ci')).toEqual([
      'npm install: @scope/a 1.2.3, b @latest, c',
      'npx: d 4.0.0',
    ]);
    expect(
      shown('go install e.example/x@latest && cargo install --locked rg@14.1.0 && gem install rake -v 13.0'),
    ).toEqual(['go install: e.example/x @latest', 'cargo install: rg 14.1.0', 'gem install: rake 13.0']);
    expect(shown('sudo -E env X=1 apt-get install -y jq; conda install -n b -c conda-forge gdal=3.9')).toEqual([
      'apt-get install: jq',
      'conda install: gdal 3.9',
    ]);
  });

  it('takes any words', () => {
    const word = fc.constantFrom(
      'pip',
      'install',
      '-r',
      '--with',
      'uvx',
      '==',
      '@',
      'a,b',
      '$X',
      '"',
      '-e',
      'uv',
      'run',
      'npx',
      '-p',
      '--from',
      '=',
      '.',
      '[',
      'apt-get',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 10 }), (words) => {
        for (const one of shown(words.join(' '))) expect(one).toContain(':');
      }),
    );
  });
});

describe('baseImage', () => {
  it('takes references apart', () => {
    const parts = (reference: string): unknown => {
      const image = baseImage(reference);
      return image === null
        ? null
        : [image.official, image.tag, image.digest?.slice(0, 9) ?? null, image.facts?.manager ?? null];
    };
    expect(parts('docker.io/library/python:3.12-alpine')).toEqual(['python', '3.12-alpine', null, 'apk']);
    expect(parts('localhost:5000/x/y')).toEqual([null, null, null, null]);
    expect(parts('debian@sha256:00ff')).toEqual(['debian', null, 'sha256:00', 'apt']);
    expect(parts('')).toBeNull();
    expect(officialName('constructor')).toBeNull();
    expect(baseImage('ubuntu:24.04')?.facts?.pythonManaged).toBe(true);
    expect(baseImage('ubuntu:22.04')?.facts?.pythonManaged).toBe(false);
    expect(baseImage('debian:11')?.facts?.pythonManaged).toBe(false);
    expect(baseImage('debian:12.8-slim')?.facts?.pythonManaged).toBe(true);
    expect(baseImage('python:3.12-slim')?.facts?.lacks.has('curl')).toBe(true);
    expect(baseImage('python:3.12')?.facts?.programs.has('curl')).toBe(true);
  });
});
