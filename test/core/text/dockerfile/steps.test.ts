import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { readDockerfile } from '../../../../src/core/text/dockerfile/read-dockerfile';
import { findInstruction } from '../../../../src/core/text/dockerfile/steps';

function outline(text: string): string[] {
  return readDockerfile(text).instructions.map(
    (one) => `${one.line + 1}-${one.endLine + 1} s${one.stage} #${one.step ?? '-'} ${one.text}`,
  );
}

describe('readDockerfile', () => {
  it('joins continued lines across comments and empty lines', () => {
    const text = [
      '# head',
      'FROM base',
      '',
      'RUN echo one \\',
      '  # inner',
      '',
      '  && echo two',
      'ENV A=1',
      'COPY a b',
    ].join('\n');
    expect(outline(text)).toEqual([
      '2-2 s0 #1 FROM base',
      '4-7 s0 #2 RUN echo one && echo two',
      '8-8 s0 #- ENV A=1',
      '9-9 s0 #3 COPY a b',
    ]);
  });

  it('skips the body of here-documents, several and tabbed ones too', () => {
    const text = [
      'FROM base',
      'RUN <<A cat <<-"B" > /x',
      'RUN not an instruction',
      'A',
      '\tFROM neither',
      '\tB',
      'COPY <<EOF /y',
      'EOF',
      'RUN echo "<<NOT a document"',
      'WORKDIR /z',
    ].join('\n');
    expect(outline(text)).toEqual([
      '1-1 s0 #1 FROM base',
      '2-6 s0 #2 RUN <<A cat <<-"B" > /x',
      '7-8 s0 #3 COPY <<EOF /y',
      '9-9 s0 #4 RUN echo "<<NOT a document"',
      '10-10 s0 #5 WORKDIR /z',
    ]);
  });

  it('honours the escape directive, and only at the head', () => {
    expect(outline('# escape=`\nFROM a\nRUN c:\\ `\n  d')).toEqual(['2-2 s0 #1 FROM a', '3-4 s0 #2 RUN c:\\ d']);
    expect(outline('# a comment\n# escape=`\nFROM a\nRUN x `\nRUN y')).toHaveLength(3);
  });

  it('counts steps per stage and gives instructions before the first FROM none', () => {
    const text = 'ARG V=1\nFROM a AS one\nRUN x\nFROM one\r\nUSER 1\r\nRUN y\r\n';
    expect(outline(text)).toEqual([
      '1-1 s-1 #- ARG V=1',
      '2-2 s0 #1 FROM a AS one',
      '3-3 s0 #2 RUN x',
      '4-4 s1 #1 FROM one',
      '5-5 s1 #- USER 1',
      '6-6 s1 #2 RUN y',
    ]);
    expect(readDockerfile(text).stages.map(({ name, steps }) => ({ name, steps }))).toEqual([
      { name: 'one', steps: 2 },
      { name: null, steps: 2 },
    ]);
  });

  it('never fails, and its lines are in order and within the text', () => {
    const piece = fc.constantFrom('FROM a', 'RUN x \\', 'RUN <<E', 'E', '# c', '', '\\', 'COPY a b', '`', ' ', '"');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (lines) => {
        let last = -1;
        for (const one of readDockerfile(lines.join('\n')).instructions) {
          expect(one.line).toBeGreaterThan(last);
          expect(one.endLine).toBeGreaterThanOrEqual(one.line);
          expect(one.endLine).toBeLessThan(Math.max(1, lines.length));
          last = one.endLine;
        }
      }),
    );
  });
});

describe('findInstruction', () => {
  const { instructions } = readDockerfile('ARG V\nFROM a AS Base\nRUN x\nFROM b\nENV A=1\nRUN y\nRUN z\n');
  const line = (step: { stage: string | null; index: number; total: number; name: string }): number | null =>
    findInstruction(instructions, { ...step, counting: 'stage' })?.line ?? null;

  it('finds a step by stage and ordinal', () => {
    expect(line({ stage: 'base', index: 2, total: 2, name: 'RUN x' })).toBe(2);
    expect(line({ stage: 'stage-1', index: 3, total: 3, name: 'RUN z' })).toBe(6);
  });

  it('goes by the text when the base image adds steps of its own', () => {
    expect(line({ stage: 'stage-1', index: 4, total: 4, name: 'RUN z' })).toBe(6);
    expect(line({ stage: 'stage-1', index: 4, total: 4, name: 'RUN of the base image' })).toBeNull();
  });

  it('counts every instruction for the older builder', () => {
    expect(
      findInstruction(instructions, { stage: null, index: 6, total: 7, name: 'RUN y', counting: 'all' })?.line,
    ).toBe(5);
  });
});
