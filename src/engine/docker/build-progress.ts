import { StringDecoder } from 'node:string_decoder';
import type { BuildStep } from '../sandbox';
import { decodeTrace } from './build-trace';

/** The step that failed, for people and for finding its line. */
export interface FailedStep {
  /** null for a step that no instruction makes, such as reading a base image's description. */
  readonly step: (BuildStep & { readonly stage: string | null }) | null;
  /** As the builder names it. */
  readonly name: string;
  readonly error: string;
  readonly output: string;
}

export interface BuildOutcome {
  /** `sha256:…`; null when none was made. */
  readonly imageId: string | null;
  /** The builder's own message; null when it did not fail. */
  readonly error: string | null;
  readonly failed: FailedStep | null;
  /** The last output of all steps. */
  readonly output: string;
  /** The step that began last. */
  readonly lastStep: BuildStep | null;
}

export interface BuildListener {
  readonly onStep: (step: BuildStep) => void;
  readonly onOutput: (text: string) => void;
}

/** Follows a build through the records that the engine sends. */
export interface BuildFollower {
  /** One line of the answer, parsed. */
  take(record: unknown): void;
  outcome(): BuildOutcome;
}

const OUTPUT_TAIL = 16 * 1024;

/** `[builder 3/7] RUN make`: stage (only where there are several), ordinal within the stage, instruction. */
export function parseStepName(name: string): (BuildStep & { stage: string | null }) | null {
  const match = /^\[(?:(\S+) +| *)(\d+)\/(\d+)\] (.*)$/s.exec(name);
  if (!match) return null;
  return { stage: match[1] ?? null, index: Number(match[2]), total: Number(match[3]), name: match[4] ?? '' };
}

interface Step {
  readonly name: string;
  announced: boolean;
  error: string;
  readonly decoder: StringDecoder;
  tail: string;
}

/** BuildKit: status records, and ordinary ones for the image and for a failure. */
export class BuildKitFollower implements BuildFollower {
  private readonly steps = new Map<string, Step>();
  private readonly percent = new Map<string, number>();
  private imageId: string | null = null;
  private error: string | null = null;
  private lastStep: BuildStep | null = null;
  private tail = '';

  constructor(private readonly listener: BuildListener) {}

  take(record: unknown): void {
    const { id, aux } = (record ?? {}) as { id?: unknown; aux?: unknown };
    this.error = errorOf(record) ?? this.error;
    if (id === 'moby.image.id') this.imageId = idOf(aux) ?? this.imageId;
    if (id === 'moby.buildkit.trace' && typeof aux === 'string') this.takeTrace(Buffer.from(aux, 'base64'));
  }

  private takeTrace(bytes: Uint8Array): void {
    const trace = decodeTrace(bytes);
    for (const vertex of trace.vertices) {
      const step = this.stepOf(vertex.digest, vertex.name);
      if (vertex.error !== '') step.error = vertex.error;
      if (vertex.started && !step.announced) this.announce(step);
    }
    for (const status of trace.statuses) {
      if (status.total > 0) this.showProgress(status.id, status.current, status.total);
    }
    for (const log of trace.logs) {
      const step = this.stepOf(log.vertex, '');
      this.print(step.decoder.write(Buffer.from(log.bytes)), step);
    }
  }

  private stepOf(digest: string, name: string): Step {
    let step = this.steps.get(digest);
    if (!step) {
      step = { name, announced: false, error: '', decoder: new StringDecoder('utf8'), tail: '' };
      this.steps.set(digest, step);
    }
    return step;
  }

  private announce(step: Step): void {
    step.announced = true;
    const parsed = parseStepName(step.name);
    if (!parsed) return;
    this.lastStep = { index: parsed.index, total: parsed.total, name: parsed.name };
    this.listener.onStep(this.lastStep);
  }

  /** A line for each quarter: a layer reports its progress many times a second. */
  private showProgress(id: string, current: number, total: number): void {
    const quarter = Math.floor((4 * current) / total);
    if (quarter <= (this.percent.get(id) ?? 0)) return;
    this.percent.set(id, quarter);
    this.listener.onOutput(`${id.slice(0, 71)} ${megabytes(current)} of ${megabytes(total)} MB\n`);
  }

  private print(text: string, step: Step): void {
    if (text === '') return;
    step.tail = (step.tail + text).slice(-OUTPUT_TAIL);
    this.tail = (this.tail + text).slice(-OUTPUT_TAIL);
    this.listener.onOutput(text);
  }

  outcome(): BuildOutcome {
    const { imageId, error, tail, lastStep } = this;
    return { imageId, error, failed: error === null ? null : this.failedStep(), output: tail, lastStep };
  }

  /** Steps that were only stopped because another failed say so: the first that says something else is the cause. */
  private failedStep(): FailedStep | null {
    const broken = [...this.steps.values()].filter((step) => step.error !== '');
    const step = broken.find((one) => !/context canceled|: canceled$/i.test(one.error)) ?? broken[0];
    if (!step) return null;
    return { step: parseStepName(step.name), name: step.name, error: step.error, output: step.tail };
  }
}

/** The older builder, and Podman's: text in which each step begins with `Step 3/7 : RUN make`. */
export class ClassicFollower implements BuildFollower {
  private imageId: string | null = null;
  private error: string | null = null;
  private lastStep: BuildStep | null = null;
  private stepTail = '';
  private tail = '';
  private line = '';

  constructor(private readonly listener: BuildListener) {}

  take(record: unknown): void {
    const { stream, aux, status, id } = (record ?? {}) as Record<string, unknown>;
    this.error = errorOf(record) ?? this.error;
    this.imageId = idOf(aux) ?? this.imageId;
    if (typeof stream === 'string') this.print(stream);
    // The progress of a pull comes many times a second; its bare words are enough here.
    else if (typeof status === 'string' && !status.endsWith('ing')) {
      this.print(`${typeof id === 'string' ? `${id}: ` : ''}${status}\n`);
    }
  }

  private print(text: string): void {
    this.line += text;
    const lines = this.line.split('\n');
    this.line = lines.pop() ?? '';
    for (const line of lines) {
      const match = /^step (\d+)\/(\d+) ?: (.*)$/i.exec(line);
      if (!match) continue;
      this.lastStep = { index: Number(match[1]), total: Number(match[2]), name: match[3] ?? '' };
      this.stepTail = '';
      this.listener.onStep(this.lastStep);
    }
    if (!/^step \d+\/\d+ ?: /i.test(text)) {
      this.stepTail = (this.stepTail + text).slice(-OUTPUT_TAIL);
      this.tail = (this.tail + text).slice(-OUTPUT_TAIL);
      this.listener.onOutput(text);
    }
  }

  outcome(): BuildOutcome {
    const { imageId, error, tail, lastStep, stepTail } = this;
    const step = lastStep === null ? null : { ...lastStep, stage: null };
    const failed = error === null ? null : { step, name: step?.name ?? '', error, output: stepTail };
    return { imageId, error, failed, output: tail, lastStep };
  }
}

/** Takes either kind of record: an engine may build with the older builder whatever it is asked for (Podman does). */
export class AnyFollower implements BuildFollower {
  private follower: BuildFollower;
  /** Whether BuildKit is what builds, as far as is known. */
  buildKit = true;

  constructor(private readonly listener: BuildListener) {
    this.follower = new BuildKitFollower(listener);
  }

  take(record: unknown): void {
    if (this.buildKit && typeof (record as { stream?: unknown } | null)?.stream === 'string') {
      this.buildKit = false;
      this.follower = new ClassicFollower(this.listener);
    }
    this.follower.take(record);
  }

  outcome(): BuildOutcome {
    return this.follower.outcome();
  }
}

function errorOf(record: unknown): string | null {
  const { errorDetail, error } = (record ?? {}) as { errorDetail?: { message?: unknown }; error?: unknown };
  if (typeof errorDetail?.message === 'string') return errorDetail.message;
  return typeof error === 'string' ? error : null;
}

function idOf(aux: unknown): string | null {
  const id = (aux as { ID?: unknown } | null | undefined)?.ID;
  return typeof id === 'string' ? id : null;
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
