import type { TrialRecord } from '../results/record';
import { nextStep } from './advice';
import { closed, sentence, splitMessage } from './message';
import { remarksOf, remarkText, withRemarks } from './remarks';
import type { Decision } from './reward';
import { decide, strictNumber } from './reward';
import type { GateSettings } from './settings';
import type { AttemptResult, FailedReason, GateName, GateResult, NotProvenReason } from './verdict';

/** A trial and the name under which reports show its folder. */
export interface GateTrial {
  readonly record: TrialRecord;
  readonly path: string | null;
}

/** Judges the attempts of `oracle` or `nop`, in their order (product.md, “Verdicts”). `task` is the name for people. */
export function judgeGate(
  gate: 'oracle' | 'nop',
  task: string,
  trials: readonly GateTrial[],
  settings: GateSettings,
): GateResult {
  const judged = trials.map((trial) => ({ trial, decision: decide(trial.record, settings.rewardKey) }));
  const attempts = judged.map(({ trial, decision }) => attemptOf(trial, decision));
  const contrary = judged.find(({ decision }) => decision.kind === 'reward' && !wanted(gate, decision.value, settings));
  if (contrary?.decision.kind === 'reward') {
    const { value, account } = contrary.decision;
    const reason: FailedReason = gate === 'oracle' ? 'reward-too-low' : 'nop-rewarded';
    const which = judged.length > 1 ? ` in attempt ${contrary.trial.record.attempt} of ${judged.length}` : '';
    const message =
      gate === 'oracle'
        ? `${task}: the reference solution earned ${String(account.value)}${which}, below the ${settings.passThreshold} that counts as a pass. ` +
          solutionHint(contrary.trial.record)
        : `${task}: doing nothing earned ${String(strictNumber(value))}${which}.${remarkText(contrary.trial.record)} Let the tests fail, with reward 0, as long as the work is not done.`;
    return { gate, verdict: 'failed', reason, message, reward: account, attempts };
  }
  const open = judged.find(({ decision }) => decision.kind === 'undecided');
  if (open?.decision.kind === 'undecided') {
    const { reason, account } = open.decision;
    const why = withRemarks(open.decision.message, remarksOf(open.trial.record)) ?? '';
    return {
      gate,
      verdict: 'not-proven',
      reason,
      message: `${task}: the ${gate} gate could not decide. ${closed(sentence(splitMessage(why).head))} ${stepAfter(reason, open.trial.record)}`,
      reward: account,
      attempts,
    };
  }
  const first = judged[0]?.decision;
  if (first?.kind !== 'reward')
    return notRun(gate, 'engine-failed', `${task}: no trial was made. ${nextStep('engine-failed')}`);
  return { gate, verdict: 'passed', reason: null, message: null, reward: first.account, attempts };
}

/** A gate for which no trial was made. */
export function notRun(gate: GateName, reason: NotProvenReason, message: string): GateResult {
  const result: GateResult = { gate, verdict: 'not-proven', reason, message, reward: null, attempts: [] };
  return gate === 'cheat' ? { ...result, strategy: null } : result;
}

export function attemptOf(trial: GateTrial, decision: Decision): AttemptResult {
  const message = withRemarks(decision.kind === 'undecided' ? decision.message : null, remarksOf(trial.record));
  return {
    trial: trial.path,
    reward: decision.account?.value ?? null,
    exception: trial.record.exception?.type ?? null,
    durationSec: trial.record.durationSec,
    ...(message === null ? {} : { message }),
  };
}

/** The next step for this very trial: not every missing reward is the fault of tests/test.sh, nor a full disk Docker's. */
function stepAfter(reason: NotProvenReason, { reading, exception }: TrialRecord): string {
  if (reason === 'engine-failed' && exception?.type === 'OSError') return 'Then run the gate again.';
  if (reason !== 'no-reward') return nextStep(reason);
  if (reading === null) return 'Mend that and run the gate again.';
  return reading.ok ? 'Let tests/test.sh write that reward, or say which one counts.' : nextStep(reason);
}

function wanted(gate: 'oracle' | 'nop', value: number, settings: GateSettings): boolean {
  return gate === 'oracle' ? value >= settings.passThreshold : value <= 0;
}

function solutionHint(record: TrialRecord): string {
  const remarks = remarksOf(record);
  if (remarks.length > 0)
    return `${remarks.join(' ')} See also the verifier's output (verifier/test-stdout.txt of the trial).`;
  const code = record.agentExitCode;
  if (code !== null && code !== 0)
    return `solution/solve.sh ended with code ${code}: read agent/oracle.txt of the trial, then the verifier's output.`;
  return "Read the verifier's output (verifier/test-stdout.txt of the trial): either the solution or a test is wrong.";
}
