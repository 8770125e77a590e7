import type { EngineEvent, Phase } from '../protocol/engine';

/** One line of what goes on now. */
export interface RunningLine {
  readonly task: string;
  /** `oracle`, `cheat reward-json`, `nop 2`; null for what a whole task waits for: its image. */
  readonly what: string | null;
  readonly phase: Phase;
  readonly detail: string | null;
  /** When this trial, or the image, began; milliseconds of the clock that `apply` was given. */
  readonly since: number;
}

interface RunningTrial {
  readonly task: string;
  readonly what: string;
  readonly since: number;
  phase: Phase;
  detail: string | null;
}

interface ImageState {
  readonly since: number;
  detail: string | null;
}

/** What is going on, from the events of the engine. */
export class RunState {
  private readonly trials = new Map<string, RunningTrial>();
  private readonly images = new Map<string, ImageState>();
  private done = 0;

  apply(event: EngineEvent, nowMs: number): void {
    switch (event.type) {
      case 'trial-started':
        this.trials.set(event.trial, {
          task: event.task,
          what: describeTrial(event.agent, event.strategy, event.attempt),
          since: nowMs,
          phase: 'queued',
          detail: null,
        });
        break;
      case 'phase':
        this.enter(event.task, event.trial, event.phase, event.detail, nowMs);
        break;
      case 'trial-finished':
        this.trials.delete(event.trial);
        this.done += 1;
        break;
      case 'task-finished':
        this.images.delete(event.task);
        break;
      case 'engine-failed':
        this.trials.clear();
        this.images.clear();
        break;
      case 'engine-connected':
      case 'job-started':
      case 'output':
      case 'gate-started':
      case 'gate-finished':
        break;
    }
  }

  get finished(): number {
    return this.done;
  }

  /** Trials that run, and the images that trials wait for, in the order in which they began. */
  lines(): readonly RunningLine[] {
    const trials = [...this.trials.values()];
    const images = [...this.images].map(([task, { since, detail }]): RunningLine => ({
      task,
      what: null,
      phase: 'image',
      detail,
      since,
    }));
    // A trial that waits for the image its task is building says nothing that the image's own line does not.
    const shown = trials.filter(
      ({ task, phase }) => phase !== 'queued' && !(phase === 'image' && this.images.has(task)),
    );
    return [...images, ...shown];
  }

  get queued(): number {
    return [...this.trials.values()].filter(({ phase }) => phase === 'queued').length;
  }

  private enter(task: string, trial: string | null, phase: Phase, detail: string | null, nowMs: number): void {
    if (trial === null) {
      if (phase !== 'image') this.images.delete(task);
      else {
        const image = this.images.get(task);
        if (image === undefined) this.images.set(task, { since: nowMs, detail });
        else image.detail = detail;
      }
      return;
    }
    const running = this.trials.get(trial);
    if (running === undefined) return;
    running.phase = phase;
    running.detail = detail;
    // The first trial that is past its image shows that the image is there.
    if (phase !== 'queued' && phase !== 'image') this.images.delete(task);
  }
}

export function describeTrial(agent: string, strategy: string | null, attempt: number): string {
  const name = strategy === null ? agent : `${agent} ${strategy}`;
  return attempt > 1 ? `${name}, attempt ${attempt}` : name;
}
