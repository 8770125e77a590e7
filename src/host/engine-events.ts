import type { AttemptResult, GateName, GateResult, RewardAccount, Verdict } from '../core/gates/verdict';
import type { EngineEvent, Phase, TrialOutcome } from '../protocol/engine';

/**
 * Checks the shape of what came over the message channel. null for what is no event of this version: the sender is our
 * own program, but parts of what it says were written by containers.
 */
export function decodeEngineEvent(value: unknown): EngineEvent | null {
  if (!isRecord(value)) return null;
  const fields = new Fields(value);
  switch (value.type) {
    case 'engine-connected':
      return fields.done({
        type: 'engine-connected',
        endpoint: fields.text('endpoint'),
        source: fields.text('source'),
        version: fields.text('version'),
      });
    case 'job-started':
      return fields.done({ type: 'job-started', dir: fields.text('dir') });
    case 'trial-started':
      return fields.done({
        type: 'trial-started',
        trial: fields.text('trial'),
        task: fields.text('task'),
        agent: fields.text('agent'),
        strategy: fields.textOrNull('strategy'),
        attempt: fields.number('attempt'),
        dir: fields.text('dir'),
      });
    case 'phase':
      return fields.done({
        type: 'phase',
        task: fields.text('task'),
        trial: fields.textOrNull('trial'),
        phase: fields.oneOf('phase', phases),
        detail: fields.textOrNull('detail'),
      });
    case 'output':
      return fields.done({
        type: 'output',
        task: fields.text('task'),
        trial: fields.textOrNull('trial'),
        phase: fields.oneOf('phase', phases),
        text: fields.text('text'),
      });
    case 'trial-finished':
      return fields.done({
        type: 'trial-finished',
        trial: fields.text('trial'),
        task: fields.text('task'),
        agent: fields.text('agent'),
        strategy: fields.textOrNull('strategy'),
        outcome: fields.oneOf('outcome', trialOutcomes),
        reward: fields.reward('reward'),
        exception: fields.textOrNull('exception'),
        dir: fields.text('dir'),
        durationSec: fields.number('durationSec'),
      });
    case 'gate-started':
      return fields.done({ type: 'gate-started', task: fields.text('task'), gate: fields.oneOf('gate', gates) });
    case 'gate-finished': {
      const result = decodeGateResult(value.result);
      if (result === null) return null;
      return fields.done({
        type: 'gate-finished',
        task: fields.text('task'),
        gate: fields.oneOf('gate', gates),
        result,
      });
    }
    case 'task-finished':
      return fields.done({ type: 'task-finished', task: fields.text('task'), receipt: fields.textOrNull('receipt') });
    case 'engine-failed':
      return fields.done({ type: 'engine-failed', reason: fields.text('reason'), message: fields.text('message') });
    default:
      return null;
  }
}

/** Also reads what receipts keep. */
export function decodeGateResult(value: unknown): GateResult | null {
  if (!isRecord(value) || !Array.isArray(value.attempts)) return null;
  const fields = new Fields(value);
  const attempts = value.attempts.map(decodeAttempt);
  if (!attempts.every((attempt) => attempt !== null)) return null;
  const reward = value.reward === null || value.reward === undefined ? null : decodeReward(value.reward);
  const strategy = typeof value.strategy === 'string' ? value.strategy : null;
  return fields.done({
    gate: fields.oneOf('gate', gates),
    verdict: fields.oneOf('verdict', verdicts),
    reason: fields.textOrNull('reason') as GateResult['reason'],
    message: fields.textOrNull('message'),
    strategy,
    reward,
    attempts,
  });
}

function decodeAttempt(value: unknown): AttemptResult | null {
  if (!isRecord(value)) return null;
  const fields = new Fields(value);
  const attempt: AttemptResult = {
    trial: fields.textOrNull('trial'),
    reward: fields.reward('reward'),
    exception: fields.textOrNull('exception'),
    durationSec: fields.number('durationSec'),
    message: typeof value.message === 'string' ? value.message : null,
    ...(typeof value.strategy === 'string' ? { strategy: value.strategy } : {}),
    ...(isOneOf(value.outcome, cheatOutcomes) ? { outcome: value.outcome } : {}),
    ...(isHitAccount(value.explanation) ? { explanation: value.explanation } : {}),
  };
  return fields.done(attempt);
}

function isHitAccount(value: unknown): value is NonNullable<AttemptResult['explanation']> {
  if (!isRecord(value) || !Array.isArray(value.planted)) return false;
  const texts = ['whatHappened', 'whyItWorked', 'whatToChange', 'howToCheck'];
  return (
    value.planted.every((line) => typeof line === 'string') &&
    texts.every((name) => typeof value[name] === 'string') &&
    (value.reproduction === null || typeof value.reproduction === 'string')
  );
}

function decodeReward(value: unknown): RewardAccount | null {
  if (!isRecord(value)) return null;
  const fields = new Fields(value);
  const number = fields.reward('value');
  if (number === null) return null;
  return fields.done({ key: fields.text('key'), value: number, file: fields.text('file'), raw: fields.text('raw') });
}

const phases: readonly [Phase, ...Phase[]] = ['queued', 'image', 'start', 'agent', 'verifier', 'finish'];
const trialOutcomes: readonly [TrialOutcome, ...TrialOutcome[]] = ['scored', 'unscored', 'cancelled'];
const gates: readonly [GateName, ...GateName[]] = ['oracle', 'nop', 'cheat'];
const verdicts: readonly [Verdict, ...Verdict[]] = ['passed', 'failed', 'not-proven'];
const cheatOutcomes = ['resisted', 'hit', 'partial-hit', 'denied', 'late-hit', 'n/a', 'broken'] as const;

/** Reads fields and remembers whether one had a wrong shape; `done` gives null then. */
class Fields {
  private wrong = false;

  constructor(private readonly from: Readonly<Record<string, unknown>>) {}

  text(name: string): string {
    const value = this.from[name];
    if (typeof value === 'string') return value;
    this.wrong = true;
    return '';
  }

  textOrNull(name: string): string | null {
    const value = this.from[name];
    return value === null || value === undefined ? null : this.text(name);
  }

  number(name: string): number {
    const value = this.from[name];
    if (typeof value === 'number') return value;
    this.wrong = true;
    return 0;
  }

  /** A number, one that is not finite as a string, or nothing. */
  reward(name: string): number | string | null {
    const value = this.from[name];
    return typeof value === 'number' ? value : this.textOrNull(name);
  }

  oneOf<T extends string>(name: string, values: readonly [T, ...T[]]): T {
    const value = this.from[name];
    if (isOneOf(value, values)) return value;
    this.wrong = true;
    return values[0];
  }

  done<T>(value: T): T | null {
    return this.wrong ? null : value;
  }
}

function isOneOf<T extends string>(value: unknown, values: readonly T[]): value is T {
  return values.some((known) => known === value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
