import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildImage } from '../../../src/core/model/image/build-image';
import { contextOf, type ContextEntry } from '../../../src/core/model/image/context';
import { dockerfileModel } from '../../../src/core/model/dockerfile-model';
import { readIgnoreFile } from '../../../src/core/text/dockerfile/ignore-file';
import { readDockerfile } from '../../../src/core/text/dockerfile/read-dockerfile';
import type { SandboxEngine } from '../../../src/engine/sandbox';
import { grammars } from '../../core/grammars';
import { BASE, connectForTest, folderOf, NEVER, run, startForTest } from './support';

let engine: SandboxEngine;
beforeAll(async () => {
  engine = await connectForTest();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
});

const context: Readonly<Record<string, string>> = {
  'a.txt': 'a\n',
  'data/one.csv': '1\n',
  'data/two.csv': '2\n',
  'data/deep/three.csv': '3\n',
  'notes.md': 'n\n',
  'keep.md': 'k\n',
  '.dockerignore': '*.md\n!keep.md\ndata/two*\n',
};

/** What is below /p of an image, by the model: `path content`, with `?` for content that it does not tell. */
function predicted(dockerfile: string): string[] {
  const entries: ContextEntry[] = [...Object.keys(context), 'Dockerfile'].map((path) => ({
    path,
    file: path,
    isFolder: false,
  }));
  for (const path of ['data', 'data/deep']) entries.push({ path, file: path, isFolder: true });
  const ignore = { file: '.dockerignore', rules: readIgnoreFile(context['.dockerignore'] ?? '') };
  const image = buildImage({
    model: dockerfileModel(readDockerfile(dockerfile), grammars),
    file: 'Dockerfile',
    context: contextOf('', entries, ignore, true),
    target: null,
  });
  const contentOf = (path: string): string => {
    const origin = image.files.get(path)?.origin;
    if (origin?.kind === 'text') return origin.text;
    return origin?.kind === 'context' && origin.file !== 'Dockerfile' ? (context[origin.file] ?? '?') : '?';
  };
  return [...image.files.keys()]
    .filter((path) => path.startsWith('/p/'))
    .sort()
    .map((path) => `${path} ${JSON.stringify(contentOf(path))}`);
}

async function real(dockerfile: string, known: readonly string[]): Promise<string[]> {
  const contextDir = await folderOf({ ...context, Dockerfile: dockerfile });
  const result = await engine.prepareImage(
    { kind: 'build', contextDir, dockerfile: 'Dockerfile' },
    { signal: NEVER, limitSec: 120 },
  );
  if (!result.ok) throw new Error(result.message);
  const sandbox = await startForTest(engine, result.image);
  try {
    const script =
      'import json, pathlib\nfor p in sorted(str(p) for p in pathlib.Path("/p").rglob("*") if p.is_file()): print(p, json.dumps(open(p).read()))';
    let output = '';
    await run(
      sandbox,
      { argv: ['python3', '-c', script], user: null, cwd: null, env: {} },
      { onOutput: (chunk) => (output += chunk) },
    );
    const unknown = new Set(known.filter((line) => line.endsWith(' "?"')).map((line) => line.slice(0, -4)));
    return output
      .trim()
      .split('\n')
      .map((line) => (unknown.has(line.split(' ')[0] ?? '') ? `${line.split(' ')[0] ?? ''} "?"` : line));
  } finally {
    await sandbox[Symbol.asyncDispose]();
    await result.release();
    await rm(contextDir, { recursive: true, force: true });
  }
}

const cases: Readonly<Record<string, string>> = {
  'copies, patterns, lists, here-documents and folders': `FROM ${BASE}
WORKDIR /p/w
COPY a.txt .
COPY a.txt /p/w
COPY a.txt /p/named
COPY data /p/data/
COPY dat* /p/glob/
COPY ["a.txt", "keep.md", "/p/list/"]
COPY . /p/all
COPY <<'E' /p/doc
x $Y
E
COPY a.t\\
xt \\
  # a comment
  /p/joined
`,
  'commands that write, move and remove': `FROM ${BASE}
WORKDIR /p
COPY data data
RUN printf 'x\\n' > made && cp made copy && mkdir sub && cp -r data sub && mv data/one.csv sub/ && cp -r data/. flat
RUN cd sub && cat > here <<E && echo more >> here
body
E
RUN cp -r data nofolder && rm -rf sub/data && rm made && touch empty && find . -name 'three*' -delete
RUN --mount=type=bind,source=data,target=/m cp /m/one.csv /p/mounted
`,
  stages: `FROM ${BASE} AS one
COPY data /x/data
RUN echo 1 > /x/y
FROM one AS two
RUN mkdir /p && cp /x/y /p/y && echo 2 > /p/z
FROM two
COPY --from=one /x/data /p/d
COPY --from=0 /x/y /p/d/
RUN rm /p/z
`,
};

for (const [name, dockerfile] of Object.entries(cases)) {
  it(`predicts ${name} as the builder does them`, async () => {
    const known = predicted(dockerfile);
    expect(known).toEqual(await real(dockerfile, known));
  });
}
