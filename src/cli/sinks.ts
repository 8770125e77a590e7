import type { WriteStream } from 'node:tty';
import type { TextSink } from './context';

/** A sink that knows when everything it took has left the process. */
export interface DrainingSink extends TextSink {
  /** Settles when all that was written is out, or can never be. */
  drained(): Promise<void>;
}

/**
 * A process's stream as a sink. A reader that goes away (`taskwright … | head`) is no error of ours: what is written
 * after that is dropped.
 */
export function sinkFor(stream: WriteStream, env: Readonly<Record<string, string | undefined>>): DrainingSink {
  let gone = false;
  let pending = 0;
  let waiting: (() => void)[] = [];
  const settle = (): void => {
    if (!gone && pending > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  stream.on('error', () => {
    gone = true;
    settle();
  });
  return {
    write: (text) => {
      if (gone || text === '') return;
      pending += 1;
      stream.write(text, () => {
        pending -= 1;
        settle();
      });
    },
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.isTTY && stream.columns > 0 ? stream.columns : 80;
    },
    color: stream.isTTY && !isSet(env.NO_COLOR) && env.TERM !== 'dumb',
    drained: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
