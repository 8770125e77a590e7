import { createColors } from 'picocolors';
import type { GateResult } from '../core/gates/verdict';
import type { EngineEvent, Phase } from '../protocol/engine';
import type { CliContext, TextSink } from './context';
import { cut, duration, plainLine } from './plain-text';
import { describeTrial, RunState } from './run-state';

/** Shows a run while it goes on, on standard error. */
export interface Display {
  show(event: EngineEvent): void;
  /** A line that stays, such as a note. */
  say(text: string): void;
  /** Takes the moving part away. Idempotent. */
  end(): void;
}

/** Live lines on a terminal, plain lines elsewhere. `nameOf` names a task (given by its folder) for people. */
export function openDisplay(context: CliContext, nameOf: (task: string) => string): Display {
  return context.stderr.isTTY ? new LiveDisplay(context, nameOf) : plainDisplay(context.stderr, nameOf);
}

/** One line for everything that a person following a log wants to know, and nothing that repeats. */
function plainDisplay(sink: TextSink, nameOf: (task: string) => string): Display {
  const lines = new Milestones(nameOf);
  return {
    show: (event) => {
      for (const line of lines.of(event)) sink.write(`${line}\n`);
    },
    say: (text) => {
      sink.write(`${plainLine(text)}\n`);
    },
    end: () => undefined,
  };
}

/** Turns events into lines that are worth keeping. */
class Milestones {
  private readonly trials = new Map<string, string>();
  private readonly lastDetail = new Map<string, string>();

  constructor(private readonly nameOf: (task: string) => string) {}

  of(event: EngineEvent): readonly string[] {
    switch (event.type) {
      case 'engine-connected':
        return [`Docker ${plainLine(event.version)} at ${plainLine(event.endpoint)} (${plainLine(event.source)})`];
      case 'job-started':
        return [`Job ${plainLine(event.dir)}`];
      case 'trial-started':
        this.trials.set(event.trial, describeTrial(event.agent, event.strategy, event.attempt));
        return [];
      case 'phase':
        return this.phase(event.task, event.trial, event.phase, event.detail);
      case 'trial-finished': {
        const what = this.trials.get(event.trial) ?? event.agent;
        this.trials.delete(event.trial);
        const exception = event.exception === null ? '' : `, ${event.exception}`;
        const reward = event.reward === null ? 'no reward' : `reward ${String(event.reward)}`;
        const end = event.outcome === 'cancelled' ? 'cancelled' : reward;
        return [this.line(event.task, `${what}: ${end}${exception}, ${duration(event.durationSec)}`)];
      }
      case 'gate-finished':
        return [this.line(event.task, verdictText(event.result))];
      // Said by the command itself, as the reason why it ends.
      case 'engine-failed':
      case 'output':
      case 'gate-started':
      case 'task-finished':
        return [];
    }
  }

  private phase(task: string, trial: string | null, phase: Phase, detail: string | null): readonly string[] {
    // What one trial does is over in seconds; an image can take minutes.
    if (phase !== 'image' || detail === null) return [];
    const key = trial ?? task;
    if (this.lastDetail.get(key) === detail) return [];
    this.lastDetail.set(key, detail);
    return [this.line(task, `image ${detail}`)];
  }

  private line(task: string, text: string): string {
    return `${plainLine(this.nameOf(task))}: ${plainLine(text)}`;
  }
}

function verdictText(result: GateResult): string {
  return `${result.gate} ${result.verdict}${result.reason === null ? '' : ` (${result.reason})`}`;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;
/** More would push the lines that stay out of sight. */
const mostLines = 12;

/** Redraws a block at the end of the screen; lines that stay are written above it. */
class LiveDisplay implements Display {
  private readonly state = new RunState();
  private readonly sink: TextSink;
  private readonly started = Date.now();
  private drawn = 0;
  private frame = 0;
  private timer: NodeJS.Timeout | null;

  constructor(
    context: CliContext,
    private readonly nameOf: (task: string) => string,
  ) {
    this.sink = context.stderr;
    this.timer = setInterval(() => {
      this.frame += 1;
      this.draw('');
    }, frameMs);
    this.timer.unref();
  }

  show(event: EngineEvent): void {
    this.state.apply(event, Date.now());
    if (this.timer === null) return;
    const { colors, nameOf } = { colors: createColors(this.sink.color), nameOf: this.nameOf };
    if (event.type === 'gate-finished') {
      const { verdict } = event.result;
      const paint = verdict === 'passed' ? colors.green : verdict === 'failed' ? colors.red : colors.yellow;
      const sign = verdict === 'passed' ? '✓' : verdict === 'failed' ? '✗' : '?';
      const line = `${paint(sign)} ${plainLine(nameOf(event.task))}  ${paint(verdictText(event.result))}`;
      this.draw(`${line}\n`);
    }
  }

  say(text: string): void {
    this.draw(`${plainLine(text)}\n`);
  }

  end(): void {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.sink.write(this.erase());
    this.drawn = 0;
  }

  /** Writes in one piece, so that a terminal never shows half of it. */
  private draw(above: string): void {
    if (this.timer === null) {
      this.sink.write(above);
      return;
    }
    const erased = this.erase();
    const lines = this.lines();
    this.drawn = lines.length;
    this.sink.write(erased + above + lines.map((line) => `${line}\n`).join(''));
  }

  private erase(): string {
    return this.drawn === 0 ? '' : `\u001b[${this.drawn}A\u001b[0J`;
  }

  private lines(): readonly string[] {
    const colors = createColors(this.sink.color);
    const now = Date.now();
    const running = this.state.lines();
    const spinner = frames[this.frame % frames.length] ?? '';
    // One column is left free: a full line would break, and the block would no longer be as high as it is counted.
    const width = this.sink.columns - 1;
    const shown = running.slice(0, mostLines).map(({ task, what, phase, detail, since }) => {
      const elapsed = duration((now - since) / 1000).padStart(7);
      const parts = [plainLine(this.nameOf(task)), ...(what === null ? [] : [what]), phase].map(plainLine);
      const text = `${parts.join('  ')}${detail === null ? '' : `  ${plainLine(detail)}`}`;
      return `${colors.cyan(spinner)} ${colors.dim(elapsed)}  ${cut(text, width - 11)}`;
    });
    const hidden = running.length - shown.length;
    const rest = [
      ...(hidden > 0 ? [`${hidden} more running`] : []),
      ...(this.state.queued > 0 ? [`${this.state.queued} waiting`] : []),
      `${this.state.finished} ${this.state.finished === 1 ? 'trial' : 'trials'} done`,
      duration((now - this.started) / 1000),
    ];
    return [...shown, colors.dim(cut(rest.join(', '), width))];
  }
}
