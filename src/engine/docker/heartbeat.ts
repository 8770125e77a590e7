import type { EngineClient } from './client';
import { onAbort } from './deadline';

/** How often an engine that is busy with something long is asked whether it is still there. */
const BEAT_MS = 15_000;

/**
 * Does something that may take any time and be silent for minutes, such as a build, for as long as the engine answers a
 * greeting. When it no longer does, or `signal` ends it, the work's own signal is aborted; then the result rejects with
 * the engine's error or the work's.
 */
export async function whileAlive<T>(
  client: EngineClient,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const forget = onAbort(signal, () => {
    own.abort(signal.reason);
  });
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const dead = new Promise<never>((_resolve, reject) => {
    const beat = async (): Promise<void> => {
      try {
        await client.json({ method: 'GET', path: '/_ping', what: 'say that it is there', limitMs: BEAT_MS });
        if (!over) timer = setTimeout(() => void beat(), BEAT_MS);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        own.abort(error);
      }
    };
    timer = setTimeout(() => void beat(), BEAT_MS);
  });
  dead.catch(() => undefined);
  const working = work(own.signal);
  working.catch(() => undefined);
  try {
    return await Promise.race([dead, working]);
  } finally {
    over = true;
    clearTimeout(timer);
    forget();
  }
}
