import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { CapturedText, ExecOptions } from '../sandbox';
import { Capture, Spill } from './exec-capture';
import { FrameDecoder, type OutputStream } from './exec-frames';

const KEEP_BYTES = 1024 * 1024;
const SPILL_BYTES = 256 * 1024 * 1024;

/** Both streams of a command: what is kept, what goes to a file, and the text that is handed on as it comes. */
export class Output {
  private readonly frames = new FrameDecoder();
  private readonly captures: Record<OutputStream, Capture>;
  private readonly decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  private readonly spill: Spill | null;
  private closed: Promise<string | null> | null = null;

  constructor(private readonly options: ExecOptions) {
    const keep = options.keepBytes ?? KEEP_BYTES;
    this.captures = { stdout: new Capture(keep), stderr: new Capture(keep) };
    this.spill =
      options.spillFile === undefined ? null : new Spill(options.spillFile, options.spillLimitBytes ?? SPILL_BYTES);
  }

  async drain(stream: Readable, onBytes: () => void): Promise<void> {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const pieces: Uint8Array[] = [];
      this.frames.push(chunk, (bytes, name) => {
        this.captures[name].push(bytes);
        pieces.push(bytes);
        if (this.options.onOutput)
          this.hand(this.decoders[name].write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)), name);
      });
      onBytes();
      // Waiting here is what makes a command that writes faster than the disk wait in turn.
      if (this.spill && pieces.length > 0) await this.spill.write(pieces);
    }
  }

  /** Words of the engine in place of output. */
  note(message: string): void {
    const text = `${message}\n`;
    this.captures.stderr.push(Buffer.from(text));
    this.hand(text, 'stderr');
  }

  private hand(text: string, name: OutputStream): void {
    if (text !== '') this.options.onOutput?.(text, name);
  }

  captured(name: OutputStream): CapturedText {
    return this.captures[name].text();
  }

  /** Whether what is kept of either stream has this. */
  mentions(pattern: RegExp): boolean {
    return pattern.test(this.captured('stderr').text) || pattern.test(this.captured('stdout').text);
  }

  /** Returns why the spill file is not whole, or null. */
  async close(): Promise<string | null> {
    this.closed ??= (async () => {
      this.hand(this.decoders.stdout.end(), 'stdout');
      this.hand(this.decoders.stderr.end(), 'stderr');
      await this.spill?.close();
      return this.spill?.failure ?? null;
    })();
    return this.closed;
  }
}
