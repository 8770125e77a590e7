/** Tells background work when nobody waits for anything else. */
export class Quiet {
  private pending = 0;
  private last = -Infinity;

  /** @param restMs Milliseconds after the last answer or keystroke until it counts as quiet. */
  constructor(private readonly restMs: number) {}

  /** Somebody types. */
  touch(): void {
    this.last = performance.now();
  }

  /** Somebody waits for an answer. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.pending++;
    try {
      return await work();
    } finally {
      this.pending--;
      this.touch();
    }
  }

  /** Resolves when it is quiet. */
  async wait(isCancelled: () => boolean): Promise<void> {
    for (;;) {
      // Messages that have come in are read before the next piece of background work begins.
      await new Promise(setImmediate);
      const rest = this.pending > 0 ? this.restMs : this.restMs - (performance.now() - this.last);
      if (rest <= 0 || isCancelled()) return;
      await new Promise((done) => setTimeout(done, rest));
    }
  }
}
