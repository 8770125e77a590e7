import type { Readable } from 'node:stream';

/** The JSON documents of an answer, one a line, whole even when a line is split across chunks. */
export async function* jsonLines(stream: Readable): AsyncGenerator {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) {
    rest += chunk;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
  }
  if (rest.trim() !== '') yield JSON.parse(rest);
}
