import fc from 'fast-check';
import { expect, it } from 'vitest';
import { subjectOf } from '../../../../src/core/model/subject';
import { composeRules } from '../../../../src/core/rules/compose/list';
import { dockerRules } from '../../../../src/core/rules/docker/list';
import { harborProfile } from '../../../../src/core/rules/profile';
import { runRules } from '../../../../src/core/rules/run';
import { readDocument } from '../../../../src/core/task/document';
import { layoutOf } from '../../../../src/core/task/layout';
import { takeWholeSnapshot } from '../../../../src/core/task/whole-snapshot';
import { applyEdits } from '../../../../src/core/text/edits';
import { linesOf } from '../../../../src/core/text/lines';
import { grammars } from '../../grammars';
import { memoryFiles, soundConfig, taskTree } from '../../memory-files';

/** Every finding of both families; a rule that throws, or a range out of its file, fails the test. */
async function check(files: Readonly<Record<string, string>>): Promise<number> {
  const tree = taskTree('/t', files);
  const disk = await takeWholeSnapshot(memoryFiles(tree), '/t');
  const toml = readDocument(soundConfig);
  const subject = subjectOf({ toml, disk, layout: layoutOf(disk, toml.config), profile: harborProfile, grammars });
  const onTrouble = (ruleId: string, error: unknown): never => {
    throw new Error(`${ruleId} threw`, { cause: error });
  };
  const findings = runRules([...dockerRules, ...composeRules], subject, { onTrouble });
  for (const { file, range, fixes } of findings) {
    const text = subject.text(file) ?? '';
    const lines = linesOf(text);
    expect(lines.position(lines.offset(range.start))).toEqual(range.start);
    expect(lines.position(lines.offset(range.end))).toEqual(range.end);
    for (const fix of fixes) expect(applyEdits(subject.text(fix.edits[0]!.file) ?? '', fix.edits)).not.toBeNull();
  }
  return findings.length;
}

const line = fc.constantFrom(
  ...[
    'FROM debian',
    'FROM python:3.12 AS b',
    'FROM b',
    'FROM scratch',
    'FROM --platform=linux/amd64 x',
    'FROM',
    'COPPY a',
  ],
  ...[
    'COPY . /app',
    'COPY a.py /x/',
    'COPY --from=b /app /y',
    'COPY --from=0 / /',
    'COPY ["a.py", "/z"]',
    'ADD x.tgz /',
    'COPY ../a /b',
  ],
  ...[
    'COPY <<EOF /logs/verifier/reward.txt',
    'RUN <<EOF',
    'EOF',
    'RUN cat <<EOF > /tests/x \\',
    '  && rm -rf /',
    'RUN rm -rf $X /app/*',
  ],
  ...[
    'RUN apt-get install jq',
    'RUN apt-get update && apt-get install -y a=1',
    'RUN pip install -r r.txt x "y>=1"',
    'RUN uvx --with a,b c',
  ],
  ...[
    'RUN curl https://e.x/a.sh | sh',
    'RUN git clone https://e.x/r . && cd r',
    'RUN make -j$(nproc) \\',
    'RUN python -m a && rm a.py',
    'RUN mv /app /app/b',
  ],
  ...[
    'RUN cp -r /app /app/x && cp -t /d /app/*',
    'RUN find / -name "*.py" -delete',
    'RUN chmod -R 000 /app && chown x /y',
    'RUN ["sh", "-c", "x > /y"]',
  ],
  ...[
    'ENV A=$A B="',
    'ARG X',
    'WORKDIR ${X:-/app}',
    'WORKDIR x',
    'USER $U',
    'CMD ["nginx"]',
    'CMD nginx',
    'ENTRYPOINT ["/x/a.sh"]',
    'ENTRYPOINT bash -c x',
  ],
  ...[
    'EXPOSE 80 $P',
    'SHELL ["/bin/bash", "-c"]',
    'HEALTHCHECK CMD',
    '# c',
    '',
    '\\',
    '🦉',
    '\uFEFF',
    'RUN --mount=type=bind,from=b,target=/m cp -r /m/. /n',
  ],
);
const yaml = fc.constantFrom(
  ...[
    'services:',
    '  main:',
    '  db:',
    '    image: postgres',
    '    build: ..',
    '    build: { context: ., dockerfile: ../D, target: b }',
  ],
  ...[
    '    volumes: ["../tests:/x", "~:/y", "..:/z", x, "/"]',
    '    depends_on: [db, x]',
    '    privileged: true',
    '    cap_add: [ALL]',
    '  - x',
    '\t',
    '"',
    '{',
    '&a *a',
  ],
);

it('takes any Dockerfile and any compose file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 18 }), fc.array(yaml, { maxLength: 8 }), async (docker, compose) => {
      await check({
        'environment/Dockerfile': docker.join('\n'),
        ...(compose.length > 0 && { 'environment/docker-compose.yaml': compose.join('\n') }),
        'environment/a.py': 'print(1)\n',
        'environment/r.txt': 'x\ny==1\n',
        'environment/.dockerignore': '*.md\n!**/x\n[\n',
      });
    }),
    { numRuns: 150 },
  );
});

it('ends soon with long and repeated texts', async () => {
  const started = performance.now();
  await check({ 'environment/Dockerfile': `FROM x\n${'RUN apt-get install jq && rm -rf /a\n'.repeat(1500)}` });
  await check({
    'environment/Dockerfile': Array.from(
      { length: 800 },
      (_, at) => `FROM ${at === 0 ? 'x' : `s${at - 1}`} AS s${at}\nCOPY . /d${at}`,
    ).join('\n'),
  });
  await check({ 'environment/Dockerfile': `FROM x\nRUN ${'$(echo '.repeat(3000)}` });
  await check({ 'environment/Dockerfile': `FROM x\nRUN pip install ${'a '.repeat(50_000)}` });
  await check({
    'environment/Dockerfile': `FROM x\nCOPY ${'*a'.repeat(20_000)} /x\n`,
    'environment/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': '1',
  });
  expect(performance.now() - started).toBeLessThan(60_000);
});
