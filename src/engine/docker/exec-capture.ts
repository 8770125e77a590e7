import { open, type FileHandle } from 'node:fs/promises';
import type { CapturedText } from '../sandbox';

/** Keeps the first and the last bytes of a stream, half of the room each, and counts what lies between. */
export class Capture {
  private readonly headLimit: number;
  private readonly tailLimit: number;
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  /** A ring, made when the head is full. */
  private ring: Buffer | null = null;
  private ringAt = 0;
  private ringBytes = 0;
  private total = 0;

  constructor(keepBytes: number) {
    this.headLimit = Math.ceil(keepBytes / 2);
    this.tailLimit = keepBytes - this.headLimit;
  }

  push(bytes: Uint8Array): void {
    this.total += bytes.length;
    const room = this.headLimit - this.headBytes;
    if (room > 0) {
      const first = Buffer.from(bytes.subarray(0, room));
      this.head.push(first);
      this.headBytes += first.length;
    }
    if (bytes.length > room) this.pushTail(bytes.subarray(Math.max(room, 0)));
    // Many small writes would otherwise keep as many small buffers.
    if (this.head.length > 256) this.head.splice(0, this.head.length, Buffer.concat(this.head));
  }

  private pushTail(bytes: Uint8Array): void {
    if (this.tailLimit === 0) return;
    this.ring ??= Buffer.alloc(this.tailLimit);
    const last = bytes.subarray(Math.max(0, bytes.length - this.tailLimit));
    const first = last.subarray(0, this.tailLimit - this.ringAt);
    this.ring.set(first, this.ringAt);
    this.ring.set(last.subarray(first.length), 0);
    this.ringAt = (this.ringAt + last.length) % this.tailLimit;
    this.ringBytes = Math.min(this.tailLimit, this.ringBytes + last.length);
  }

  text(): CapturedText {
    const head = Buffer.concat(this.head);
    const tail = this.tail();
    if (head.length + tail.length === this.total) {
      return { text: Buffer.concat([head, tail]).toString('utf8'), bytes: this.total, omitted: 0 };
    }
    const start = head.subarray(0, wholeEnd(head));
    const end = tail.subarray(wholeStart(tail));
    const omitted = this.total - start.length - end.length;
    const text = `${start.toString('utf8')}\n[… ${omitted} bytes left out …]\n${end.toString('utf8')}`;
    return { text, bytes: this.total, omitted };
  }

  private tail(): Buffer {
    if (this.ring === null) return Buffer.alloc(0);
    if (this.ringBytes < this.tailLimit) return this.ring.subarray(0, this.ringBytes);
    return Buffer.concat([this.ring.subarray(this.ringAt), this.ring.subarray(0, this.ringAt)]);
  }
}

/** Length of the bytes without a character that is cut off at the end. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Index of the first byte that begins a character. */
function wholeStart(bytes: Uint8Array): number {
  for (let at = 0; at < Math.min(3, bytes.length); at++) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at;
  }
  return Math.min(3, bytes.length);
}

/** Writes a stream to a host file as it comes, up to a limit. A full disk ends the writing, not the command. */
export class Spill {
  private handle: FileHandle | null = null;
  private written = 0;
  /** Why writing ended early; null while it did not. */
  failure: string | null = null;

  constructor(
    private readonly path: string,
    private readonly limitBytes: number,
  ) {}

  /** Resolves when the disk has taken it, which is what slows the sender down. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    if (this.failure !== null) return;
    try {
      this.handle ??= await open(this.path, 'w');
      for (const chunk of chunks) {
        const piece = chunk.subarray(0, this.limitBytes - this.written);
        if (piece.length > 0) await this.handle.writeFile(piece);
        this.written += piece.length;
        if (piece.length < chunk.length) {
          this.failure = `it is longer than ${this.limitBytes} bytes`;
          await this.handle.writeFile(`\n[… cut off after ${this.limitBytes} bytes …]\n`);
          return;
        }
      }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  async close(): Promise<void> {
    // An empty file says that there was no output.
    if (this.handle === null) await this.write([]);
    await this.handle?.close().catch(() => undefined);
  }
}
