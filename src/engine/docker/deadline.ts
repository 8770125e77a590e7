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
  const onAbort = (): void => {
    own.abort(new Error('Cancelled.'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
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
      signal.removeEventListener('abort', onAbort);
    },
  };
}
