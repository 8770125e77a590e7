import type { TrialRecord } from '../results/record';
import { closed, sentence } from './message';

/** What else a person should know of a trial, one sentence each, in the order of what happened. */
export function remarksOf(record: TrialRecord): readonly string[] {
  const told = (record.remarks ?? []).map((remark) => closed(sentence(remark.trim())));
  const beside = besideReward(record);
  return beside === null ? told : [...told, beside];
}

/** The same as the middle of a text: each with a space before it. */
export function remarkText(record: TrialRecord): string {
  return remarksOf(record)
    .map((remark) => ` ${remark}`)
    .join('');
}

/** A second reward file is silently left aside, which puzzles whoever wrote it. */
function besideReward({ reading }: TrialRecord): string | null {
  const winner = reading?.ok === true ? reading.file.name : (reading?.file?.name ?? null);
  const other = reading?.others.find(({ name }) => name !== winner);
  if (winner === null || other === undefined) return null;
  const text = other.raw?.trim().replaceAll(/\s+/g, ' ') ?? '';
  const says = text === '' ? '' : ` and holds “${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
  return `${sentence(winner)} counts, although ${other.name} is there as well${says}.`;
}

/**
 * A trial's message with the remarks that it does not hold yet. They come after its first line and before the output of
 * a program that may follow; null when there is nothing to say.
 */
export function withRemarks(message: string | null, remarks: readonly string[]): string | null {
  if (message === null || message === '') return remarks.length === 0 ? message : remarks.join(' ');
  const missing = remarks.filter((remark) => !message.includes(remark.replace(/\.$/, '')));
  if (missing.length === 0) return message;
  const [first = '', ...rest] = message.split('\n');
  const [head, lead = ''] = first.split(/ (?=(?:Its|The) last output:$)/);
  const line = [closed(head ?? ''), ...missing, ...(lead === '' ? [] : [lead])].join(' ');
  return [line, ...rest].join('\n');
}
