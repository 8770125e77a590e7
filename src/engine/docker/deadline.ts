import { setMaxListeners } from 'node:events';

/** A person's cancel and a time limit in one signal. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when it was the limit that ended it. */
  timedOut(): boolean;
  /** Must be called when what it limits is over. */
  stop(): void;
}

export function deadline(signal: AbortSignal, limitSec: number | null): Deadline {
  const own = new AbortController();
  let late = false;
  const forget = onAbort(signal, () => {
    own.abort(new Error('Cancelled.'));
  });
  const timer =
    limitSec === null
      ? undefined
      : setTimeout(
          () => {
            late = true;
            own.abort(new Error('The time limit was reached.'));
          },
          Math.min(limitSec * 1000, 2 ** 31 - 1),
        );
  return {
    signal: own.signal,
    timedOut: () => late,
    stop: () => {
      clearTimeout(timer);
      forget();
    },
  };
}

/**
 * Calls back once when a signal is aborted, at once if it is; the result takes the call back. One signal serves all
 * trials of a run, so that many listeners are no leak, which Node would otherwise warn of.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (!signal) return () => undefined;
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  setMaxListeners(0, signal);
  signal.addEventListener('abort', act, { once: true });
  return () => {
    signal.removeEventListener('abort', act);
  };
}
