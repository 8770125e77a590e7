import { describe, expect, it } from 'vitest';
import { dockerfilePaths, resolvePath } from '../../../src/core/cheats/dockerfile-paths';

const context = ['Dockerfile', 'app/main.py', 'app/lib/util.py', 'check.sh', 'data/a.csv', 'data/b.csv'];
const paths = (dockerfile: string): readonly string[] => dockerfilePaths(dockerfile, context).paths;

describe('what a Dockerfile puts into the image', () => {
  it('gives a file the name of its target, or puts it into a folder', () => {
    expect(paths('FROM x\nCOPY check.sh /opt/check\nCOPY check.sh /opt/\nWORKDIR /srv\nCOPY check.sh .\n')).toEqual([
      '/opt/check',
      '/opt/check.sh',
      '/srv/check.sh',
    ]);
  });

  it('copies the content of a folder', () => {
    expect(paths('FROM x\nCOPY --chown=1:1 app /srv/app\n')).toEqual(['/srv/app/main.py', '/srv/app/lib/util.py']);
    expect(paths('FROM x\nCOPY . /all/\n')).toEqual(context.map((file) => `/all/${file}`));
  });

  it('knows patterns, lists in brackets and continuation lines', () => {
    expect(paths('FROM x\nCOPY data/*.csv \\\n  /in/\nADD ["check.sh", "/bin/my check"]\n')).toEqual([
      '/in/a.csv',
      '/in/b.csv',
      '/bin/my check',
    ]);
  });

  it('knows files that here-documents and RUN write', () => {
    expect(
      paths('FROM x\nCOPY <<EOF /etc/app.conf\na=1\nEOF\nRUN echo hi > /srv/hi.txt && \\\n  echo 2 | tee /srv/two\n'),
    ).toEqual(['/etc/app.conf', '/srv/hi.txt', '/srv/two']);
    expect(paths('FROM x\nRUN <<EOF\necho a > /a\nEOF\nRUN cat > /b <<EOF\necho c > /c\nEOF\n')).toEqual(['/a', '/b']);
  });

  it('reads the last stage only, and marks a folder that it cannot see into', () => {
    expect(
      paths('FROM a AS build\nCOPY check.sh /gone\nFROM b\nCOPY --from=build /out/ /srv/\nCOPY missing /m\n'),
    ).toEqual(['/srv/out', '/m']);
    expect(dockerfilePaths('FROM b\nCOPY . /srv\n', []).paths).toEqual(['/srv/']);
  });

  it('follows WORKDIR', () => {
    expect(dockerfilePaths('FROM x\nWORKDIR /a\nWORKDIR b\n', []).workdir).toBe('/a/b');
    expect(dockerfilePaths('FROM x\n', []).workdir).toBeNull();
  });

  it('resolves paths', () => {
    expect(resolvePath('/a/b', '../c/./d/')).toBe('/a/c/d');
    expect(resolvePath('/a', '/x//y')).toBe('/x/y');
  });
});
