import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dockerfile, Instruction } from '../../../../src/core/text/dockerfile/dockerfile';
import { flagOf, sourceStage } from '../../../../src/core/text/dockerfile/dockerfile';
import { readDockerfile } from '../../../../src/core/text/dockerfile/read-dockerfile';

const first = (text: string, args?: ReadonlyMap<string, string>): Instruction =>
  readDockerfile(`FROM x\n${text}`, args).instructions[1]!;
const values = (text: string): (string | null)[] => first(text).words.map((word) => word.value);
const last = (text: string): Instruction => readDockerfile(text).instructions.at(-1)!;

describe('the words of an instruction', () => {
  it('have the ranges they have in the file, across continued lines and comments', () => {
    const text = 'FROM x\r\nCOPY --chown=1:1 \\\r\n  # 🦉 note\r\n  a.txt \\\r\n\r\n  "b c" /d/\r\n';
    const copy = readDockerfile(text).instructions[1]!;
    expect(copy.words.map((word) => text.slice(word.start, word.end))).toEqual(['a.txt', '"b', 'c"', '/d/']);
    expect(copy.flags.map((flag) => [flag.name, flag.value.value, text.slice(flag.start, flag.end)])).toEqual([
      ['chown', '1:1', '--chown=1:1'],
    ]);
    expect(text.slice(copy.start, copy.end)).toBe(text.slice(text.indexOf('COPY'), text.indexOf('/d/') + 3));
    expect([copy.line, copy.endLine]).toEqual([1, 5]);
  });

  it('go together where a line is continued within a word', () => {
    expect(values('COPY ab\\\ncd /x')).toEqual(['abcd', '/x']);
  });

  it('are read from a list in brackets, with its escapes', () => {
    const copy = first('COPY ["a b", "\\u0063", "/d/"]');
    expect(copy.form).toBe('json');
    expect(copy.words.map((word) => word.value)).toEqual(['a b', 'c', '/d/']);
    expect(first("CMD ['a']").form).toBe('shell');
    expect(first('CMD ["a", ]').form).toBe('shell');
  });

  it('have variables put in', () => {
    const text = (line: string): string =>
      `ARG V=3.12\nFROM python:$V\nARG V\nENV A=1 B="x y"\nENV C=$A\nARG D\n${line}`;
    const of = (line: string): (string | null)[] => last(text(line)).words.map((word) => word.value);
    expect(readDockerfile(text('')).stages[0]?.reference?.value).toBe('python:3.12');
    expect(of('COPY $A ${B} ${C}${V} \\$A /d')).toEqual(['1', 'x y', '13.12', '$A', '/d']);
    expect(of('COPY ${X:-f} ${A:+set} ${X} ${D} ${A#x} /d')).toEqual(['f', 'set', null, null, null, '/d']);
    expect(of('COPY ${X:-${A:-q}/$B} /d')).toEqual(['1/x y', '/d']);
  });

  it('take a build argument where the build gives one, and the old form of ENV', () => {
    const text = 'FROM x\nARG V=1\nENV OLD two words $V\nCOPY $V $OLD /d';
    const copy = readDockerfile(text, new Map([['V', '2']])).instructions.at(-1)!;
    expect(copy.words.map((word) => word.value)).toEqual(['2', 'two words 2', '/d']);
  });

  it('keep ENV before a later ARG of the same name', () => {
    expect(last('FROM x\nENV A=1\nARG A=2\nCOPY $A /d').words[0]?.value).toBe('1');
  });
});

describe('stages', () => {
  const text = [
    'FROM golang:1.22 AS Build',
    'ENV OUT=/out',
    'FROM build as second',
    'RUN echo $OUT',
    'FROM debian',
    'COPY --from=build /a /b',
    'COPY --from=1 /a /b',
    'COPY --from=alpine /a /b',
  ].join('\n');
  const dockerfile: Dockerfile = readDockerfile(text);

  it('know their names and what they build on', () => {
    expect(dockerfile.stages.map(({ name, parent, reference }) => [name, parent, reference?.value])).toEqual([
      ['build', null, 'golang:1.22'],
      ['second', 0, 'build'],
      [null, null, 'debian'],
    ]);
    expect(dockerfile.stages[1]?.instructions[0]?.variables.get('OUT')).toBe('/out');
  });

  it('are found by name and by number', () => {
    const copies = dockerfile.stages[2]!.instructions;
    expect(copies.map((copy) => sourceStage(dockerfile, copy))).toEqual([0, 1, null]);
    expect(flagOf(copies[2]!, 'from')?.value).toBe('alpine');
  });
});

describe('what RUN gives to a shell', () => {
  const shell = (text: string): string => {
    const run = last(`FROM x\n${text}`);
    return run.shell?.text ?? '(none)';
  };

  it('is as long as its source, with comments gone', () => {
    const text = 'FROM x\nRUN --mount=type=cache,target=/c a \\  \n # no\n\n && b';
    const run = last(text);
    expect(run.shell?.text).toBe('a   \\\n    \\\n  && b');
    expect(run.shell?.start).toBe(text.indexOf('a \\'));
    expect(run.shell!.text.length).toBe(text.length - run.shell!.start);
    expect(flagOf(run, 'mount')?.value).toBe('type=cache,target=/c');
  });

  it('is the here-document alone, or the command with it', () => {
    expect(shell('RUN <<EOF\nset -e\nx\nEOF')).toBe('set -e\nx\n');
    expect(shell("RUN cat > /x <<'E'\n1\nE")).toBe("cat > /x <<'E'\n1\nE");
    const python = last('FROM x\nRUN <<EOF\n#!/usr/bin/env python3\nprint()\nEOF');
    expect(python.shell?.interpreter).toBe('python3');
  });

  it('knows the shell that SHELL sets, also from the stage below', () => {
    const run = last('FROM x AS a\nSHELL ["/bin/bash", "-o", "pipefail", "-c"]\nFROM a\nRUN x | y');
    expect([run.shell?.interpreter, run.shell?.flags]).toEqual(['/bin/bash', ['-o', 'pipefail']]);
  });

  it('is found in a list that starts a shell, and not in another', () => {
    const text = 'FROM x\nCMD ["bash", "-c", "a && b"]';
    expect(last(text).shell).toMatchObject({ text: 'a && b', start: text.indexOf('a &&') });
    expect(last('FROM x\nCMD ["nginx", "-g", "x"]').shell).toBeNull();
    expect(last('FROM x\nHEALTHCHECK --interval=5s CMD curl x').shell?.text).toBe('curl x');
    expect(last('FROM x\nHEALTHCHECK NONE').shell).toBeNull();
  });
});

describe('here-documents', () => {
  it('have their body, without tabs where `<<-` says so', () => {
    const text = "FROM x\nCOPY <<-A <<'B' /d/\n\tone\n\tA\ntwo $X\nB\nUSER u";
    const copy = readDockerfile(text).instructions[1]!;
    expect(copy.heredocs.map(({ name, quoted, text: body, closed }) => ({ name, quoted, body, closed }))).toEqual([
      { name: 'A', quoted: false, body: 'one\n', closed: true },
      { name: 'B', quoted: true, body: 'two $X\n', closed: true },
    ]);
    expect(last(text).keyword).toBe('USER');
  });

  it('may lack their end', () => {
    const copy = last('FROM x\nCOPY <<EOF /d\nbody');
    expect(copy.heredocs[0]).toMatchObject({ text: 'body', closed: false });
  });
});

describe('odd files', () => {
  it('reads past a byte-order mark and other instructions', () => {
    const text = '\uFEFF# syntax=docker/dockerfile:1\n# escape=`\nFROM x\nFRON y\n&& z';
    const dockerfile = readDockerfile(text);
    expect(dockerfile.syntax).toBe('docker/dockerfile:1');
    expect(dockerfile.escape).toBe('`');
    expect(dockerfile.instructions.map((one) => one.keyword)).toEqual(['FROM', 'FRON', '&&']);
  });

  const piece = fc.constantFrom(
    ...[
      'FROM a',
      'from b AS c',
      'RUN x \\',
      '  && y',
      'RUN <<E',
      'RUN cat <<-"E" > f',
      'E',
      '\tE',
      '# c',
      '',
      '\\',
      ' ',
    ],
    ...['COPY a b', 'COPY --from=c ["a", "b"]', 'COPY --chown=$A a \\', 'ENV A=1 B=${A:-x}', 'ENV A b', 'ARG A', '`'],
    ...[
      '"',
      "'",
      '--x',
      '[',
      '# escape=`',
      '\uFEFF',
      '🦉',
      'RUN ["sh", "-c", "a\\"]',
      'HEALTHCHECK',
      'HEALTHCHECK CMD x',
    ],
  );
  const ending = fc.constantFrom('\n', '\r\n', '');

  it('never fails, and every range shows the text it claims', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, ending), { maxLength: 25 }), (parts) => {
        const text = parts.flat().join('');
        const dockerfile = readDockerfile(text);
        let at = 0;
        for (const one of dockerfile.instructions) {
          expect(one.start).toBeGreaterThanOrEqual(at);
          expect(one.end).toBeLessThanOrEqual(text.length);
          // Another escape character than the backslash reads as one.
          expect(text.slice(one.start, one.keywordEnd).toUpperCase().replaceAll('`', '\\')).toBe(
            one.keyword.replaceAll('`', '\\'),
          );
          for (const word of one.words) {
            expect(word.start).toBeGreaterThanOrEqual(one.start);
            expect(word.end).toBeLessThanOrEqual(one.end);
            if (!word.raw.includes('\\\n')) expect(text.slice(word.start, word.end)).toBe(word.raw);
          }
          for (const flag of one.flags) expect(text.slice(flag.start, flag.start + 2)).toBe('--');
          if (one.shell !== null) {
            const source = text.slice(one.shell.start, one.shell.start + one.shell.text.length);
            expect(source.length).toBe(one.shell.text.length);
            // What differs are comments, blanks, line endings and the escape character.
            if (!/[#\r`]/.test(source))
              expect(one.shell.text.replace(/[\s\\]/g, '')).toBe(source.replace(/[\s\\]/g, ''));
          }
          at = one.end;
        }
      }),
      { numRuns: 400 },
    );
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(readDockerfile(text).text).toBe(text);
      }),
    );
  });

  it('takes a megabyte of one line, of quotes, and ten thousand of one thing', () => {
    const started = performance.now();
    readDockerfile(`FROM x\nRUN ${'a'.repeat(1 << 20)}`);
    readDockerfile(`FROM x\nRUN ${`"'`.repeat(1 << 19)}`);
    readDockerfile(`FROM x\nRUN ${`<<'`.repeat(1 << 18)}`);
    readDockerfile(`FROM x\nCOPY ${'\\\n'.repeat(1 << 18)}`);
    readDockerfile(`FROM x\nCOPY ${'${A:-'.repeat(100_000)} /d`);
    readDockerfile(`FROM x\nCOPY [${'"a",'.repeat(100_000)}`);
    readDockerfile('FROM x\nENV A=1\nRUN a\n'.repeat(5000));
    readDockerfile(`FROM x\n${Array.from({ length: 10_000 }, (_, at) => `ENV A${at}=1`).join('\n')}`);
    readDockerfile(`FROM x\nRUN ${'<<E '.repeat(3000)}\n${'b\n'.repeat(3000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
