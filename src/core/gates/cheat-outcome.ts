import type { TrialRecord } from '../results/record';
import type { Decision } from './reward';
import { chooseReward, decide } from './reward';
import type { GateSettings } from './settings';
import type { CheatOutcome, NotProvenReason } from './verdict';

/** One cheat trial with what its author or the catalogue says of it. */
export interface CheatTrial {
  readonly record: TrialRecord;
  readonly path: string | null;
  readonly level: 1 | 2 | 3;
  /** Author entries: `0`, `<1`, `>=1`; null for the catalogue, which is never to be rewarded more than doing nothing. */
  readonly expect: string | null;
  /** Author entries: the requirement that the entry violates or proves. */
  readonly targets: string | null;
}

export interface CheatJudgement {
  readonly outcome: CheatOutcome;
  readonly decision: Decision;
  /** For a hit: whether too much was given, or a right solution was refused. */
  readonly fault: 'cheat-rewarded' | 'variant-rejected' | null;
  /** Why nothing is shown, for an applicable cheat without a clear outcome. */
  readonly reason: NotProvenReason | null;
  /** A clause for people; null when the reward says it all. */
  readonly message: string | null;
}

/** Reads `expect` of an author entry; null when it says something else than a number, `<n`, `<=n`, `>n` or `>=n`. */
export function parseExpectation(
  text: string,
): { readonly relation: '=' | '<' | '<=' | '>' | '>='; readonly value: number } | null {
  const match = /^(<=|>=|<|>|)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/.exec(text.trim());
  if (match === null) return null;
  const relation = match[1] === '' ? '=' : (match[1] as '<' | '<=' | '>' | '>=');
  const value = Number(match[2]);
  return Number.isFinite(value) ? { relation, value } : null;
}

/** Works out the outcome of cheats.md, section 2, against the reward of doing nothing. */
export function judgeCheatTrial(trial: CheatTrial, nopReward: number, settings: GateSettings): CheatJudgement {
  const { record } = trial;
  const cheat = record.cheat;
  const whole = decide(record, settings.rewardKey);
  if (cheat === null) return broken(whole, 'blocked', 'the trial has no record of a cheat');
  if (record.undecided?.reason === 'cancelled') return broken(whole, 'cancelled', clauseOf(whole));
  if (cheat.ran === 'skipped')
    return { outcome: 'n/a', decision: whole, fault: null, reason: null, message: 'says that it does not apply here' };

  // A reward that was given is a fact, also when a limit ended the trial or the script failed after planting.
  const read = record.reading === null ? whole : chooseReward(record.reading, settings.rewardKey);
  const late = cheat.late === null ? null : chooseReward(cheat.late, settings.rewardKey);
  const limits = bounds(trial, nopReward, settings);
  if (limits === null)
    return broken(whole, 'blocked', `its “expect: ${String(trial.expect)}” is no number, “<number” or “>=number”`);

  if (read.kind === 'reward') {
    if (limits.kind === 'at-least') return judgeVariant(record, read, whole, limits);
    if (exceeds(read.value, limits)) {
      const outcome = read.value >= settings.passThreshold ? 'hit' : 'partial-hit';
      return { outcome, decision: read, fault: 'cheat-rewarded', reason: null, message: null };
    }
  }
  if (whole.kind === 'undecided' && infrastructure.has(whole.reason)) return broken(whole, whole.reason, whole.message);
  if (cheat.ran === 'broken') return broken(whole, 'blocked', `the cheat itself ${endOf(record)}, so it shows nothing`);
  if (limits.kind === 'at-least')
    return broken(whole, whole.kind === 'undecided' ? whole.reason : 'no-reward', clauseOf(whole));
  if (read.kind === 'undecided')
    return {
      outcome: 'denied',
      decision: read,
      fault: null,
      reason: 'denied',
      message: clauseOf(whole.kind === 'undecided' ? whole : read),
    };
  // The verifier was cut off, or the cheat was: either way its 0 is not the verifier's last word on it.
  if (whole.kind === 'undecided') {
    if (record.exception?.type === 'VerifierTimeoutError')
      return { outcome: 'denied', decision: whole, fault: null, reason: 'denied', message: whole.message };
    return broken(whole, whole.reason, whole.message);
  }
  if (late?.kind === 'reward' && exceeds(late.value, limits))
    return {
      outcome: 'late-hit',
      decision: read,
      fault: null,
      reason: null,
      message: `reward ${late.value} stood there 2 s after the verifier's end`,
    };
  return { outcome: 'resisted', decision: read, fault: null, reason: null, message: null };
}

function endOf({ agentExitCode: code }: TrialRecord): string {
  if (code === null) return 'did not run to its end';
  return code === 0 ? 'did not run as it is meant' : `ended with code ${code}`;
}

interface Bounds {
  readonly kind: 'at-most' | 'at-least';
  readonly value: number;
  /** The bound itself is already too much (or not enough). */
  readonly strict: boolean;
}

/** Section 6: a number is what a cheat may not exceed, and what an alternative must reach. */
function bounds(trial: CheatTrial, nopReward: number, settings: GateSettings): Bounds | null {
  const kind = trial.record.cheat?.kind ?? 'catalogue';
  if (trial.expect === null) {
    if (kind === 'alternative') return { kind: 'at-least', value: settings.passThreshold, strict: false };
    return { kind: 'at-most', value: kind === 'catalogue' ? nopReward : 0, strict: false };
  }
  const expectation = parseExpectation(trial.expect);
  if (expectation === null) return null;
  const { relation, value } = expectation;
  switch (relation) {
    case '=':
      return { kind: kind === 'alternative' ? 'at-least' : 'at-most', value, strict: false };
    case '<':
    case '<=':
      return { kind: 'at-most', value, strict: relation === '<' };
    case '>':
    case '>=':
      return { kind: 'at-least', value, strict: relation === '>' };
  }
}

function exceeds(value: number, limits: Bounds): boolean {
  return limits.strict ? value >= limits.value : value > limits.value;
}

function judgeVariant(
  record: TrialRecord,
  read: Decision & { kind: 'reward' },
  whole: Decision,
  limits: Bounds,
): CheatJudgement {
  const reached = limits.strict ? read.value > limits.value : read.value >= limits.value;
  if (reached) return { outcome: 'resisted', decision: read, fault: null, reason: null, message: null };
  // A right solution that ran out of time was not refused by the tests.
  if (whole.kind === 'undecided') return broken(whole, whole.reason, whole.message);
  if (record.cheat?.ran === 'broken')
    return broken(read, 'blocked', `the solution itself ${endOf(record)}, so its reward says nothing about the tests`);
  return { outcome: 'hit', decision: read, fault: 'variant-rejected', reason: null, message: null };
}

/** The machine's fault, not the verifier's: says nothing about the cheat. */
const infrastructure = new Set<NotProvenReason>([
  'build-failed',
  'start-failed',
  'engine-failed',
  'unsupported',
  'not-loadable',
  'blocked',
]);

function broken(decision: Decision, reason: NotProvenReason, message: string): CheatJudgement {
  return { outcome: 'broken', decision, fault: null, reason, message };
}

function clauseOf(decision: Decision): string {
  return decision.kind === 'undecided' ? decision.message : 'the reward says nothing here';
}
