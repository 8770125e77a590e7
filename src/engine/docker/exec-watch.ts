import type { ExecOptions } from '../sandbox';
import { onAbort } from './deadline';

export type CutShort = 'limit' | 'idle' | 'cancelled';

/** Total limit, idle limit and cancel, whichever comes first. */
export class Watch {
  readonly ended: Promise<CutShort>;
  private settle: (ended: CutShort) => void = () => undefined;
  private readonly total: NodeJS.Timeout | undefined;
  private readonly idle: NodeJS.Timeout | undefined;
  private readonly forget: () => void;

  constructor(options: ExecOptions) {
    this.ended = new Promise((resolve) => {
      this.settle = resolve;
    });
    if (options.limitSec !== null)
      this.total = after(options.limitSec, () => {
        this.settle('limit');
      });
    if (options.idleLimitSec !== null)
      this.idle = after(options.idleLimitSec, () => {
        this.settle('idle');
      });
    this.forget = onAbort(options.signal, () => {
      this.settle('cancelled');
    });
  }

  touch(): void {
    this.idle?.refresh();
  }

  stop(): void {
    clearTimeout(this.total);
    clearTimeout(this.idle);
    this.forget();
  }
}

/** A timer takes at most 2^31 ms; a longer limit is none in practice. */
function after(seconds: number, act: () => void): NodeJS.Timeout {
  return setTimeout(act, Math.min(Math.max(0, seconds) * 1000, 2 ** 31 - 1));
}
