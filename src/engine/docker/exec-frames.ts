export type OutputStream = 'stdout' | 'stderr';

const HEADER = 8;

/**
 * Takes apart what an exec without a terminal sends: frames of a header (stream number, three zeros, length as 32-bit
 * big-endian) and that many bytes. Header and content may be split anywhere across chunks; content is handed on as it
 * comes, so a frame of any length needs no memory.
 */
export class FrameDecoder {
  private readonly header = new Uint8Array(HEADER);
  private headerBytes = 0;
  private remaining = 0;
  private stream: OutputStream = 'stdout';

  /** Calls back in the order of arrival, never with an empty piece. The pieces are views of `chunk`. */
  push(chunk: Uint8Array, onBytes: (bytes: Uint8Array, stream: OutputStream) => void): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.remaining === 0) {
        const taken = chunk.subarray(at, at + HEADER - this.headerBytes);
        this.header.set(taken, this.headerBytes);
        this.headerBytes += taken.length;
        at += taken.length;
        if (this.headerBytes < HEADER) return;
        this.headerBytes = 0;
        this.stream = this.header[0] === 2 ? 'stderr' : 'stdout';
        this.remaining = new DataView(this.header.buffer).getUint32(4);
        continue;
      }
      const content = chunk.subarray(at, at + this.remaining);
      at += content.length;
      this.remaining -= content.length;
      onBytes(content, this.stream);
    }
  }
}
