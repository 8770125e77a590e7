import { nextStep } from './advice';
import type { CheatJudgement, CheatTrial } from './cheat-outcome';
import { judgeCheatTrial } from './cheat-outcome';
import { attemptOf } from './judge';
import { closed, sentence, splitMessage } from './message';
import { remarksOf, remarkText, withRemarks } from './remarks';
import { strictNumber } from './reward';
import type { GateSettings } from './settings';
import { isVariant, type AttemptResult, type GateName, type GateResult, type HitAccount } from './verdict';

/** A cheat of the list, in the list's order: tried, or known not to apply. */
export type CheatEntry =
  | {
      readonly kind: 'trial';
      readonly trial: CheatTrial;
      /** For a trial whose judgement has a fault: how it came about; null when nothing more is known. */
      readonly explanation: HitAccount | null;
    }
  | { readonly kind: 'not-applicable'; readonly strategy: string; readonly reason: string }
  /** An author's entry that cannot be run: it was asked for, so leaving it out would prove too much. */
  | { readonly kind: 'unusable'; readonly strategy: string; readonly reason: string };

/**
 * From outcomes to the gate's verdict (cheats.md, section 2): any hit makes it `failed`; else anything denied or broken,
 * or nothing that applies, leaves it `not-proven`. A late hit, and a hit of level 3 in a shared container, change nothing.
 * `nopReward` is the highest reward that doing nothing earned.
 */
export function judgeCheatGate(
  task: string,
  entries: readonly CheatEntry[],
  nopReward: number,
  settings: GateSettings,
): GateResult {
  const judged = entries.map((entry) => {
    if (entry.kind !== 'trial') return { attempt: untried(entry), judgement: null, entry: null };
    const judgement = judgeCheatTrial(entry.trial, nopReward, settings);
    return { attempt: attemptFor(entry, judgement), judgement, entry };
  });
  const attempts = judged.map(({ attempt }) => attempt);
  const tried = judged.flatMap(({ attempt, judgement, entry }) =>
    entry === null ? [] : [{ attempt, judgement, entry }],
  );

  const hit = tried.find(({ judgement, entry }) => countsAsHit(judgement, entry.trial));
  if (hit !== undefined) {
    const { judgement, entry } = hit;
    return {
      gate: 'cheat',
      verdict: 'failed',
      reason: judgement.fault ?? 'cheat-rewarded',
      message: hitMessage(task, hit.attempt, judgement, entry.trial, settings),
      strategy: hit.attempt.strategy ?? null,
      reward: judgement.decision.account,
      attempts,
    };
  }

  const open =
    tried.find(({ judgement }) => judgement.outcome === 'denied') ??
    tried.find(({ judgement }) => judgement.outcome === 'broken');
  if (open !== undefined) {
    const { judgement, attempt } = open;
    const reason = judgement.reason ?? 'denied';
    const strategy = attempt.strategy ?? 'a cheat';
    const why = splitMessage(attempt.message ?? 'no reward').head;
    const message =
      judgement.outcome === 'denied'
        ? `${task}: with ${strategy} an agent could make the trial end without a reward instead of 0 (${why}). ${nextStep('denied')}`
        : `${task}: ${strategy} shows nothing: ${closed(why)} ${reason === 'blocked' ? 'Mend the entry and run the gate again.' : nextStep(reason)}`;
    return { gate: 'cheat', verdict: 'not-proven', reason, message, strategy: null, reward: null, attempts };
  }

  const unusable = judged.find(({ attempt }) => attempt.trial === null && attempt.outcome === 'broken')?.attempt;
  if (unusable !== undefined)
    return {
      gate: 'cheat',
      verdict: 'not-proven',
      reason: 'blocked',
      message: `${task}: ${unusable.strategy ?? 'an entry'} cannot be run: ${unusable.message ?? 'it is damaged'}. Mend the entry and run the gate again.`,
      strategy: null,
      reward: null,
      attempts,
    };
  const applicable = tried.filter(({ judgement }) => judgement.outcome !== 'n/a');
  if (applicable.length === 0)
    return {
      gate: 'cheat',
      verdict: 'not-proven',
      reason: 'blocked',
      message: `${task}: no cheat applies here, so nothing was tried. Add a cheat of your own below .taskwright/cheats/ or in the task's cheats/ folder.`,
      strategy: null,
      reward: null,
      attempts,
    };
  return { gate: 'cheat', verdict: 'passed', reason: null, message: null, strategy: null, reward: null, attempts };
}

/**
 * `oracle` and `nop` come first: without them an outcome of a cheat means nothing. null when both passed. The message
 * carries the other gate's own only where that gate is not in the same report (`reported`).
 */
export function cheatBlockedBy(
  task: string,
  preconditions: readonly GateResult[],
  reported: readonly GateName[],
): string | null {
  const open = preconditions.find((result) => result.verdict !== 'passed');
  if (open === undefined) return null;
  const state = open.verdict === 'failed' ? 'failed' : `is not proven (${open.reason ?? 'undecided'})`;
  const own = open.message === null || reported.includes(open.gate) ? '' : ` ${withoutTask(open.message, task)}`;
  return `${task}: cheats were not run, as the ${open.gate} gate ${state}.${own} Mend that first.`;
}

/** How often each outcome came, for the line “cheats: 24 resisted, 0 hit, 1 denied, 9 n/a”. */
export interface CheatTally {
  readonly resisted: number;
  readonly hit: readonly string[];
  readonly denied: readonly string[];
  readonly broken: readonly string[];
  readonly late: readonly string[];
  readonly notApplicable: number;
  /** Alternative solutions, which are to be accepted. */
  readonly accepted: number;
  readonly rejected: readonly string[];
  readonly variantsBroken: readonly string[];
}

export function tallyCheats(attempts: readonly AttemptResult[]): CheatTally {
  const variants = attempts.filter(({ strategy }) => isVariant(strategy));
  const cheats = attempts.filter(({ strategy }) => !isVariant(strategy));
  const names = (from: readonly AttemptResult[], ...outcomes: string[]): string[] => [
    ...new Set(from.filter(({ outcome }) => outcomes.includes(outcome ?? '')).map(({ strategy }) => strategy ?? '')),
  ];
  const count = (from: readonly AttemptResult[], outcome: string): number =>
    from.filter((attempt) => attempt.outcome === outcome).length;
  return {
    resisted: count(cheats, 'resisted'),
    hit: names(cheats, 'hit', 'partial-hit'),
    denied: names(cheats, 'denied'),
    broken: names(cheats, 'broken'),
    late: names(cheats, 'late-hit'),
    notApplicable: count(attempts, 'n/a'),
    accepted: count(variants, 'resisted'),
    rejected: names(variants, 'hit', 'partial-hit'),
    variantsBroken: names(variants, 'broken', 'denied'),
  };
}

function attemptFor(entry: CheatEntry & { kind: 'trial' }, judgement: CheatJudgement): AttemptResult {
  const base = attemptOf(entry.trial, judgement.decision);
  const explanation = judgement.fault === null ? null : entry.explanation;
  const message = withRemarks(judgement.message, remarksOf(entry.trial.record));
  return {
    trial: base.trial,
    strategy: entry.trial.record.cheat?.strategy ?? 'unknown',
    outcome: judgement.outcome,
    reward: base.reward,
    exception: base.exception,
    durationSec: base.durationSec,
    ...(message === null ? {} : { message }),
    ...(explanation === null ? {} : { explanation }),
  };
}

function untried(entry: Exclude<CheatEntry, { kind: 'trial' }>): AttemptResult {
  return {
    trial: null,
    strategy: entry.strategy,
    outcome: entry.kind === 'not-applicable' ? 'n/a' : 'broken',
    reward: null,
    exception: null,
    durationSec: 0,
    message: entry.reason,
  };
}

function countsAsHit(judgement: CheatJudgement, trial: CheatTrial): boolean {
  if (judgement.fault === null || trial.level === 3) return false;
  if (judgement.outcome === 'hit' || trial.record.cheat?.kind !== 'catalogue') return true;
  // A part of the reward counts above the allowed limit, which is 0.
  return judgement.decision.kind === 'reward' && judgement.decision.value > 0;
}

function hitMessage(
  task: string,
  attempt: AttemptResult,
  judgement: CheatJudgement,
  trial: CheatTrial,
  settings: GateSettings,
): string {
  const reward = judgement.decision.kind === 'reward' ? String(strictNumber(judgement.decision.value)) : 'no reward';
  const strategy = attempt.strategy ?? 'a cheat';
  const targets = trial.targets === null ? '' : ` It targets: “${trial.targets}”.`;
  if (judgement.fault === 'variant-rejected')
    return `${task}: the alternative solution ${strategy} earned ${reward} where ${trial.expect ?? String(settings.passThreshold)} is expected.${targets}${remarkText(trial.record)} The tests are narrower than the instruction: let them check what is asked for, not how it is done.`;
  const explanation = attempt.explanation;
  if (explanation !== undefined && trial.record.cheat?.kind === 'catalogue')
    return `${task}: an agent could cheat with ${strategy}. ${explanation.whatHappened} ${explanation.whatToChange}`;
  return `${task}: ${strategy} earned ${reward}, though it does not do the work.${targets} Let a test tell it from a right solution.`;
}

function withoutTask(message: string, task: string): string {
  const rest = message.startsWith(`${task}: `) ? message.slice(task.length + 2) : message;
  return sentence(rest);
}
