import type { BuildStep, ImageOptions, ImageResult } from '../sandbox';
import { deadline, onAbort, type Deadline } from './deadline';

export interface Progress {
  readonly onStep: (step: BuildStep) => void;
  readonly onOutput: (text: string) => void;
}

type Failure = Extract<ImageResult, { ok: false }>;
type Success = Extract<ImageResult, { ok: true }>;
export type Made =
  { readonly ok: true; readonly image: Success['image']; readonly remove: () => Promise<void> } | Failure;

interface Entry {
  readonly work: Promise<Made>;
  readonly abort: AbortController;
  readonly listeners: Set<Progress>;
  lastStep: BuildStep | null;
  /** Callers that wait for it or hold what it made. */
  users: number;
}

/**
 * Images that several callers want at once: one build or pull serves them all. Each caller has its own limit and may
 * give up by itself; the work is ended when nobody wants it any more, and what it made is removed with the last hold.
 */
export class SharedImages {
  private readonly entries = new Map<string, Entry>();

  async get(
    key: string,
    options: ImageOptions,
    make: (progress: Progress, limit: Deadline) => Promise<Made>,
  ): Promise<ImageResult> {
    const entry = this.entries.get(key) ?? this.begin(key, make);
    entry.users += 1;
    const listener: Progress = {
      onStep: (step) => options.onStep?.(step),
      onOutput: (text) => options.onOutput?.(text),
    };
    entry.listeners.add(listener);
    if (entry.lastStep) listener.onStep(entry.lastStep);
    const limit = deadline(options.signal, options.limitSec);
    try {
      const made = await Promise.race([entry.work, givenUp(limit, entry)]);
      if (!made.ok) {
        await this.drop(key, entry);
        return made;
      }
      let held = true;
      const release = async (): Promise<void> => {
        if (!held) return;
        held = false;
        await this.drop(key, entry);
      };
      return { ok: true, image: made.image, release };
    } catch (error) {
      await this.drop(key, entry);
      throw error;
    } finally {
      limit.stop();
      entry.listeners.delete(listener);
    }
  }

  private begin(key: string, make: (progress: Progress, limit: Deadline) => Promise<Made>): Entry {
    const abort = new AbortController();
    const listeners = new Set<Progress>();
    const limit = deadline(abort.signal, null);
    const entry: Entry = {
      abort,
      listeners,
      lastStep: null,
      users: 0,
      work: Promise.resolve().then(() =>
        make(
          {
            onStep: (step) => {
              entry.lastStep = step;
              for (const listener of [...listeners]) listener.onStep(step);
            },
            onOutput: (text) => {
              for (const listener of [...listeners]) listener.onOutput(text);
            },
          },
          limit,
        ),
      ),
    };
    this.entries.set(key, entry);
    return entry;
  }

  private async drop(key: string, entry: Entry): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (this.entries.get(key) === entry) this.entries.delete(key);
    entry.abort.abort();
    // Ends at once when it is over, and soon after the abort otherwise: nothing of it outlives its last caller.
    const made = await entry.work.catch(() => null);
    if (made?.ok) await made.remove();
  }

  /** Gives up whatever is under way and removes what was made. */
  async close(): Promise<void> {
    const entries = [...this.entries.values()];
    this.entries.clear();
    for (const entry of entries) entry.abort.abort();
    await Promise.all(
      entries.map(async (entry) => {
        const made = await entry.work.catch(() => null);
        if (made?.ok) await made.remove();
      }),
    );
  }
}

/** A caller's own end, which need not be the end of the work. */
function givenUp(limit: Deadline, entry: Entry): Promise<Failure> {
  return new Promise((resolve) => {
    onAbort(limit.signal, () => {
      const step = entry.lastStep;
      const where = step ? ` It was at step ${step.index}/${step.total}, ${step.name}.` : '';
      resolve({
        ok: false,
        reason: limit.timedOut() ? 'timeout' : 'cancelled',
        message: limit.timedOut()
          ? `The image was not ready within its time limit ([environment].build_timeout_sec).${where}`
          : 'Cancelled while the image was prepared.',
        line: null,
        output: '',
      });
    });
  });
}
