import { StringDecoder } from 'node:string_decoder';
import { extract } from 'tar-stream';
import type { Sandbox } from '../sandbox';

const everyMs = 1000;
/** Nobody reads more than this while it runs, and every look reads the file from its start. */
const maxBytes = 4 * 1024 * 1024;

export interface Tail {
  /** Hands on what came since the last look, and stops. */
  finish(): Promise<void>;
}

/**
 * Hands on the text of a file in the container while it grows. The archive interface is used, so that nothing runs in
 * the container and what writes the file sees no difference; a pipe in between would be one (harbor-run.md, section 9,
 * has the output go straight to a file).
 */
export function followFile(sandbox: Sandbox, path: string, onText: (text: string) => void): Tail {
  const decoder = new StringDecoder('utf8');
  let offset = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (offset >= maxBytes) return;
    // A look that fails is no more than a pause: the file itself is fetched at the end.
    const { bytes, more } = await readFrom(sandbox, path, offset).catch(() => ({
      bytes: Buffer.alloc(0),
      more: false,
    }));
    offset += bytes.length;
    let text = decoder.write(bytes);
    if (more) text += `\n… more in ${path.slice(path.lastIndexOf('/') + 1)}\n`;
    if (text !== '') onText(text);
  };
  const plan = (): void => {
    timer = setTimeout(() => {
      looking = look().then(() => {
        if (!stopped) plan();
      });
    }, everyMs);
  };
  plan();
  return {
    finish: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await look();
      const rest = decoder.end();
      if (rest !== '') onText(rest);
    },
  };
}

async function readFrom(sandbox: Sandbox, path: string, offset: number): Promise<{ bytes: Buffer; more: boolean }> {
  const tar = await sandbox.get(path);
  if (tar === null) return { bytes: Buffer.alloc(0), more: false };
  const parser = extract();
  tar.on('error', (error) => {
    parser.destroy(error);
  });
  tar.pipe(parser);
  const chunks: Buffer[] = [];
  let more = false;
  try {
    for await (const entry of parser) {
      const { type, size } = entry.header;
      if (type !== 'file' || size <= offset) break;
      more = size > maxBytes;
      let at = 0;
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        const from = Math.max(0, offset - at);
        const to = Math.min(chunk.length, maxBytes - at);
        if (to > from) chunks.push(chunk.subarray(from, to));
        at += chunk.length;
        if (at >= maxBytes) break;
      }
      break;
    }
  } finally {
    tar.unpipe(parser);
    tar.destroy();
    parser.destroy();
  }
  return { bytes: Buffer.concat(chunks), more };
}
