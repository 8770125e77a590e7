import type { EngineEvent } from '../protocol/engine';

/** Takes events on their way to a parent process; `drained` settles when they have left. */
export interface EventChannel {
  send(event: EngineEvent): void;
  drained(): Promise<void>;
}

/** To the parent that forked this process, if there is one. A parent that is gone makes sending do nothing. */
export function parentChannel(process: NodeJS.Process): EventChannel {
  let pending = 0;
  let waiting: (() => void)[] = [];
  const settle = (): void => {
    if (pending > 0 && process.connected) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  process.on('disconnect', settle);
  return {
    send: (event) => {
      if (process.send === undefined || !process.connected) return;
      pending += 1;
      // The callback also gets the error of a channel that closes meanwhile; there is nobody left to tell.
      process.send(event, undefined, undefined, () => {
        pending -= 1;
        settle();
      });
    },
    drained: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
  };
}
