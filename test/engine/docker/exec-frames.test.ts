import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Capture } from '../../../src/engine/docker/exec-capture';
import { FrameDecoder } from '../../../src/engine/docker/exec-frames';

function frame(stream: 'stdout' | 'stderr', content: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream === 'stdout' ? 1 : 2;
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** Cuts bytes at places drawn by the test. */
function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

const frames = fc.array(
  fc.record({
    stream: fc.constantFrom('stdout' as const, 'stderr' as const),
    content: fc.uint8Array({ maxLength: 40 }),
  }),
);

describe('FrameDecoder', () => {
  it('gives each stream its bytes, in order, however the frames are cut', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat(), { maxLength: 30 }), (sent, cuts) => {
        const decoder = new FrameDecoder();
        const got = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
        for (const chunk of split(Buffer.concat(sent.map((one) => frame(one.stream, one.content))), cuts)) {
          decoder.push(chunk, (bytes, stream) => {
            expect(bytes.length).toBeGreaterThan(0);
            got[stream].push(Buffer.from(bytes));
          });
        }
        for (const stream of ['stdout', 'stderr'] as const) {
          const wanted = sent.filter((one) => one.stream === stream).map((one) => Buffer.from(one.content));
          expect(Buffer.concat(got[stream])).toEqual(Buffer.concat(wanted));
        }
      }),
    );
  });
});

describe('Capture', () => {
  it('keeps everything that fits, and head and tail of what does not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 12 })),
        fc.integer({ min: 0, max: 60 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (texts, keep, cuts) => {
          const whole = Buffer.from(texts.join(''));
          const capture = new Capture(keep);
          for (const chunk of split(whole, cuts)) capture.push(chunk);
          const got = capture.text();
          expect(got.bytes).toBe(whole.length);
          if (got.omitted === 0) {
            expect(got.text).toBe(whole.toString());
            return;
          }
          expect(whole.length).toBeGreaterThan(keep);
          const [head = '', tail = ''] = got.text.split(`\n[… ${got.omitted} bytes left out …]\n`);
          expect(whole.toString().startsWith(head)).toBe(true);
          expect(whole.toString().endsWith(tail)).toBe(true);
          expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + got.omitted).toBe(whole.length);
          // Only a character that was cut is lost beyond what the limit takes.
          expect(got.omitted).toBeLessThanOrEqual(whole.length - keep + 6);
        },
      ),
    );
  });
});
