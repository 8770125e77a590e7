/** What one trial takes of the engine's machine. */
export interface Need {
  readonly cpus: number;
  readonly memoryBytes: number;
}

export interface Capacity extends Need {
  readonly trials: number;
}

/** Gives the room back. Calling it again does nothing. */
export type Release = () => void;

interface Waiter {
  readonly need: Need;
  readonly start: (release: Release) => void;
}

/**
 * Lets trials run side by side as far as they fit, in the order they came: one that does not fit holds up those behind
 * it, so that a large task is never starved. A trial that is larger than the machine runs alone.
 */
export class Schedule {
  private readonly waiting: Waiter[] = [];
  private running = 0;
  private cpus = 0;
  private memoryBytes = 0;

  constructor(private readonly capacity: Capacity) {}

  /** Resolves when there is room; null when the signal came first. */
  async acquire(need: Need, signal: AbortSignal): Promise<Release | null> {
    if (signal.aborted) return null;
    return new Promise((resolve) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        resolve(null);
        this.next();
      };
      const waiter: Waiter = {
        need,
        start: (release) => {
          signal.removeEventListener('abort', leave);
          resolve(release);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(waiter);
      this.next();
    });
  }

  private next(): void {
    for (let first = this.waiting[0]; first !== undefined && this.fits(first.need); first = this.waiting[0]) {
      this.waiting.shift();
      const { need } = first;
      this.take(need, 1);
      let held = true;
      first.start(() => {
        if (!held) return;
        held = false;
        this.take(need, -1);
        this.next();
      });
    }
  }

  private fits(need: Need): boolean {
    if (this.running === 0) return true;
    return (
      this.running < this.capacity.trials &&
      this.cpus + need.cpus <= this.capacity.cpus &&
      this.memoryBytes + need.memoryBytes <= this.capacity.memoryBytes
    );
  }

  private take(need: Need, sign: 1 | -1): void {
    this.running += sign;
    this.cpus += sign * need.cpus;
    this.memoryBytes += sign * need.memoryBytes;
  }
}

/** Most trials side by side when nobody says how many. */
const usual = 4;
const mib = 1024 ** 2;

/**
 * A number that a person asks for counts instead of the processors: only memory, which cannot be shared, still holds
 * trials back.
 */
export function capacityOf(
  machine: { readonly cpus: number; readonly memoryBytes: number },
  asked: number | null,
): Capacity {
  return { trials: asked ?? usual, cpus: asked === null ? machine.cpus : Infinity, memoryBytes: machine.memoryBytes };
}

/**
 * A task that declares nothing counts as half a processor and 512 MiB: trials mostly wait (for a container to start,
 * for a service), and four of them on two cores took 0.6 of the time of two.
 */
export function needOf(declared: { readonly cpus: number | null; readonly memory_mb: number | null } | null): Need {
  const cpus = declared?.cpus ?? 0;
  const memory = declared?.memory_mb ?? 0;
  return { cpus: cpus > 0 ? cpus : 0.5, memoryBytes: (memory > 0 ? memory : 512) * mib };
}
