import { setMaxListeners } from 'node:events';
import type { EngineRequest } from '../protocol/engine';

/** Seconds after which a stop is given up: an engine that answers nothing must not hold the terminal for ever. */
const giveUpSec = 60;

export interface StopSource {
  readonly signal: AbortSignal;
  /** Stops as Ctrl-C would, for a reason of the program's own. */
  stop(): void;
  dispose(): void;
}

/**
 * One abort signal for everything that ends a run: Ctrl-C, SIGTERM, SIGHUP, a parent that says `cancel` or goes away.
 * The first asks for a clean end, later ones say what is still going on, and the third Ctrl-C leaves at once.
 * `leave` ends the process without waiting.
 */
export function watchForStop(process: NodeJS.Process, say: (text: string) => void, leave: () => void): StopSource {
  const controller = new AbortController();
  // Every trial of a run listens to it; their number is no sign of a leak.
  setMaxListeners(0, controller.signal);
  let interrupts = 0;
  let timer: NodeJS.Timeout | null = null;

  const stop = (): void => {
    if (controller.signal.aborted) return;
    timer = setTimeout(() => {
      say(`The container engine did not answer for ${giveUpSec} s. ${leftovers}\n`);
      leave();
    }, giveUpSec * 1000);
    timer.unref();
    controller.abort();
  };
  const onInterrupt = (): void => {
    interrupts += 1;
    if (interrupts === 1) say('Stopping, and removing the containers of this run …\n');
    else if (interrupts === 2) say('Still removing containers. Press Ctrl-C once more to leave at once.\n');
    else {
      say(`Left. ${leftovers}\n`);
      leave();
    }
    stop();
  };
  const onMessage = (message: unknown): void => {
    if (isCancel(message)) stop();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  process.on('message', onMessage);
  process.on('disconnect', stop);
  return {
    signal: controller.signal,
    stop,
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', stop);
      process.off('SIGHUP', stop);
      process.off('message', onMessage);
      process.off('disconnect', stop);
    },
  };
}

const leftovers = 'Whatever is left over is removed the next time taskwright runs.';

function isCancel(message: unknown): message is EngineRequest {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'cancel';
}
