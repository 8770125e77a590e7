import type { RewardNumber, RewardReading, TrialRecord } from '../results/record';
import type { NotProvenReason, RewardAccount } from './verdict';

/** What one trial says about its reward, for a gate: a number, or why there is none to judge. */
export type Decision =
  | { readonly kind: 'reward'; readonly value: number; readonly account: RewardAccount }
  | {
      readonly kind: 'undecided';
      readonly reason: NotProvenReason;
      /** A clause without a subject's name, such as `the verifier wrote no reward`. */
      readonly message: string;
      /** What was read all the same, such as `nan`. */
      readonly account: RewardAccount | null;
    };

/** JSON has no name for these, so they are written as Python prints them. */
export function strictNumber(value: number): number | string {
  if (Number.isNaN(value)) return 'nan';
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  // JSON would print -0 as 0; saying 0 keeps text and JSON alike.
  return value === 0 ? 0 : value;
}

/** Picks the reward that counts (product.md, settings `rewardKey`): the one asked for, else `reward`, else the only one. */
export function chooseReward(reading: RewardReading, rewardKey: string | null): Decision {
  if (!reading.ok) {
    // Nothing there and nothing in it come to the same: the verifier gave no reward.
    const nothing = reading.error === 'RewardFileNotFoundError' || reading.error === 'RewardFileEmptyError';
    return undecided(nothing ? 'no-reward' : 'bad-reward', clause(reading.message));
  }
  const rewards = reading.rewards;
  const names = rewards === null ? [] : Object.keys(rewards);
  if (rewards === null || names.length === 0)
    return undecided('no-reward', `${reading.file.name} is valid but holds no reward`);
  const key = rewardKey ?? (names.includes('reward') ? 'reward' : names.length === 1 ? names[0] : undefined);
  if (key === undefined)
    return undecided(
      'bad-reward',
      `${reading.file.name} has the rewards ${list(names)} and none is called “reward”; say which one counts with --reward-key`,
    );
  const found: RewardNumber | undefined = Object.hasOwn(rewards, key) ? rewards[key] : undefined;
  if (found === undefined)
    return undecided('no-reward', `${reading.file.name} has no reward called “${key}”, only ${list(names)}`);
  const account: RewardAccount = {
    key,
    value: strictNumber(found.value),
    file: reading.file.name,
    raw: reading.file.raw ?? '',
  };
  if (!Number.isFinite(found.value))
    return {
      kind: 'undecided',
      reason: 'bad-reward',
      message: `the reward in ${reading.file.name} is ${String(account.value)}, which is no finite number`,
      account,
    };
  return { kind: 'reward', value: found.value, account };
}

/** The decision of a whole trial. A limit that cut it off outweighs a reward: nobody knows what the rest would have done. */
export function decide(record: TrialRecord, rewardKey: string | null): Decision {
  if (record.undecided !== null) return undecided(record.undecided.reason, clause(record.undecided.message));
  const exception = record.exception;
  if (exception !== null && timeouts.has(exception.type)) return undecided('timeout', clause(exception.message));
  if (record.reading !== null) return chooseReward(record.reading, rewardKey);
  if (exception !== null) return undecided('no-reward', `${exception.type}: ${clause(exception.message)}`);
  return undecided('no-reward', 'the verifier did not run');
}

/**
 * The reward that a trial has, whatever else happened to it: an agent that ran out of time may have earned one all the
 * same. Where nothing was read, why.
 */
export function rewardOf(record: TrialRecord, rewardKey: string | null): Decision {
  return record.reading === null ? decide(record, rewardKey) : chooseReward(record.reading, rewardKey);
}

/** Harbor's names for a phase that ran out of time (harbor-run.md, section 6). */
const timeouts = new Set([
  'AgentTimeoutError',
  'VerifierTimeoutError',
  'EnvironmentStartTimeoutError',
  'AgentSetupTimeoutError',
]);

function undecided(reason: NotProvenReason, message: string): Decision {
  return { kind: 'undecided', reason, message, account: null };
}

/** Without the full stop, so that it can stand inside a sentence. */
function clause(text: string): string {
  return text.trim().replace(/\.$/, '');
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => `“${name}”`);
  return names.length > 8 ? `${shown.join(', ')} and ${names.length - 8} more` : shown.join(', ');
}
