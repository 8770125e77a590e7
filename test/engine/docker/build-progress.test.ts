import { Writer } from 'protobufjs/minimal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BuildKitFollower, ClassicFollower, parseStepName } from '../../../src/engine/docker/build-progress';
import { decodeTrace } from '../../../src/engine/docker/build-trace';

/** Writes records as the engine does, with fields that the decoder does not know between the others. */
function vertex(digest: string, name: string, more: { started?: boolean; error?: string } = {}): Writer {
  const writer = Writer.create().uint32(10).string(digest).uint32(18).string('sha256:input').uint32(26).string(name);
  if (more.started) writer.uint32(42).bytes(Writer.create().uint32(8).int64(1_700_000_000).finish());
  if (more.error !== undefined) writer.uint32(58).string(more.error);
  return writer.uint32(66).bytes(Writer.create().uint32(10).string('group').finish()).uint32(800).uint32(7);
}

function log(digest: string, bytes: Uint8Array): Writer {
  return Writer.create().uint32(10).string(digest).uint32(24).int64(1).uint32(34).bytes(bytes);
}

function trace(vertices: readonly Writer[], logs: readonly Writer[] = []): unknown {
  const writer = Writer.create();
  for (const one of vertices) writer.uint32(10).bytes(one.finish());
  for (const one of logs) writer.uint32(26).bytes(one.finish());
  writer.uint32(34).bytes(Uint8Array.of(8, 1));
  return { id: 'moby.buildkit.trace', aux: Buffer.from(writer.finish()).toString('base64') };
}

function follow(records: readonly unknown[], kind: 'buildkit' | 'classic' = 'buildkit') {
  const lines: string[] = [];
  const listener = {
    onStep: (step: { index: number; total: number; name: string }) =>
      lines.push(`${step.index}/${step.total} ${step.name}`),
    onOutput: (text: string) => lines.push(`> ${text}`),
  };
  const follower = kind === 'buildkit' ? new BuildKitFollower(listener) : new ClassicFollower(listener);
  for (const record of records) follower.take(record);
  return { lines, outcome: follower.outcome() };
}

describe('decodeTrace', () => {
  it('reads any name and log, and skips what it does not know', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (name, bytes) => {
        const record = trace([vertex('d', name, { started: true })], [log('d', bytes)]) as { aux: string };
        const decoded = decodeTrace(Buffer.from(record.aux, 'base64'));
        expect(decoded.vertices).toMatchObject([{ digest: 'd', name, started: true, completed: false, error: '' }]);
        expect(Buffer.from(decoded.logs[0]!.bytes)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('refuses a record that is cut off', () => {
    const record = trace([vertex('d', 'name')]) as { aux: string };
    const bytes = Buffer.from(record.aux, 'base64');
    expect(() => decodeTrace(bytes.subarray(0, 9))).toThrow(RangeError);
  });
});

describe('BuildKitFollower', () => {
  it('announces each step once, when it begins, and keeps characters whole across records', () => {
    const smile = Buffer.from('☺');
    const { lines } = follow([
      trace([vertex('a', '[internal] load build definition', { started: true }), vertex('b', '[1/2] FROM x')]),
      trace([vertex('b', '[1/2] FROM x', { started: true })]),
      trace([vertex('b', '[1/2] FROM x', { started: true }), vertex('c', '[builder 2/2] RUN y', { started: true })]),
      trace([], [log('c', smile.subarray(0, 1))]),
      trace([], [log('c', smile.subarray(1))]),
    ]);
    expect(lines).toEqual(['1/2 FROM x', '2/2 RUN y', '> ☺']);
  });

  it('blames the step that failed, not those that were stopped for it', () => {
    const { outcome } = follow([
      trace([
        vertex('a', '[one 2/3] RUN slow', { started: true }),
        vertex('b', '[two 2/2] RUN bad', { started: true }),
      ]),
      trace([], [log('a', Buffer.from('slow\n')), log('b', Buffer.from('bad\n'))]),
      trace([vertex('a', '[one 2/3] RUN slow', { error: 'context canceled' })]),
      trace([vertex('b', '[two 2/2] RUN bad', { error: 'exit code: 1' })]),
      { errorDetail: { message: 'process did not complete successfully: exit code: 1' }, error: 'same' },
    ]);
    expect(outcome).toMatchObject({
      imageId: null,
      error: 'process did not complete successfully: exit code: 1',
      failed: { step: { stage: 'two', index: 2, total: 2, name: 'RUN bad' }, output: 'bad\n' },
    });
  });
});

describe('ClassicFollower', () => {
  it('reads steps from text, in pieces too, and Podman’s spelling', () => {
    const { lines, outcome } = follow(
      [
        { stream: 'Step 1/2 : FROM x' },
        { stream: '\n' },
        { stream: 'STEP 2/2: RUN y\n' },
        { stream: 'out\n' },
        { aux: { ID: 'sha256:1' } },
      ],
      'classic',
    );
    expect(lines.filter((line) => line !== '> \n')).toEqual(['1/2 FROM x', '2/2 RUN y', '> out\n']);
    expect(outcome).toMatchObject({ imageId: 'sha256:1', error: null, failed: null });
  });
});

describe('parseStepName', () => {
  it('takes padded numbers, stages and several lines', () => {
    expect(parseStepName('[ 3/12] RUN a')).toEqual({ stage: null, index: 3, total: 12, name: 'RUN a' });
    expect(parseStepName('[stage-1  3/12] RUN a\nb')).toEqual({
      stage: 'stage-1',
      index: 3,
      total: 12,
      name: 'RUN a\nb',
    });
    expect(parseStepName('[internal] load metadata for x')).toBeNull();
  });
});
