import { l10n } from 'vscode';
import {
  isVariant,
  type CheatOutcome,
  type GateName,
  type NotProvenReason,
  type FailedReason,
  type Verdict,
} from '../core/gates/verdict';
import type { Severity } from '../core/finding';
import type { Phase } from '../protocol/engine';
import type { Counts } from './findings';

/** The words of people for what the code names; every surface takes them from here. */

export function gateLabel(gate: GateName): string {
  switch (gate) {
    case 'oracle':
      return l10n.t('Oracle');
    case 'nop':
      return l10n.t('Nop');
    case 'cheat':
      return l10n.t('Cheats');
  }
}

/** What the gate asks of a task, in one sentence. */
export function gateMeaning(gate: GateName): string {
  switch (gate) {
    case 'oracle':
      return l10n.t('The reference solution must reach the full reward.');
    case 'nop':
      return l10n.t('Doing nothing must reach a reward of 0.');
    case 'cheat':
      return l10n.t('Every cheat must reach no more than doing nothing.');
  }
}

export function verdictWord(verdict: Verdict): string {
  switch (verdict) {
    case 'passed':
      return l10n.t('passed');
    case 'failed':
      return l10n.t('failed');
    case 'not-proven':
      return l10n.t('not proven');
  }
}

export function reasonWords(reason: FailedReason | NotProvenReason): string {
  switch (reason) {
    case 'reward-too-low':
      return l10n.t('reward too low');
    case 'nop-rewarded':
      return l10n.t('doing nothing is rewarded');
    case 'cheat-rewarded':
      return l10n.t('a cheat is rewarded');
    case 'variant-rejected':
      return l10n.t('a right solution is rejected');
    case 'no-reward':
      return l10n.t('no reward was written');
    case 'bad-reward':
      return l10n.t('the reward cannot be read');
    case 'build-failed':
      return l10n.t('the image did not build');
    case 'start-failed':
      return l10n.t('the container did not start');
    case 'timeout':
      return l10n.t('time ran out');
    case 'denied':
      return l10n.t('a cheat broke the verifier');
    case 'blocked':
      return l10n.t('an earlier gate did not pass');
    case 'unsupported':
      return l10n.t('needs something not supported yet');
    case 'not-loadable':
      return l10n.t('the task cannot be loaded');
    case 'engine-failed':
      return l10n.t('the container engine failed');
    case 'cancelled':
      return l10n.t('stopped');
  }
}

export function outcomeWord(outcome: CheatOutcome, strategy: string | undefined): string {
  switch (outcome) {
    case 'resisted':
      return isVariant(strategy) ? l10n.t('accepted') : l10n.t('resisted');
    case 'hit':
      return isVariant(strategy) ? l10n.t('rejected') : l10n.t('rewarded');
    case 'partial-hit':
      return isVariant(strategy) ? l10n.t('rejected') : l10n.t('partly rewarded');
    case 'denied':
      return l10n.t('broke the verifier');
    case 'late-hit':
      return l10n.t('rewarded too late to count');
    case 'n/a':
      return l10n.t('does not apply');
    case 'broken':
      return l10n.t('could not run');
  }
}

export function phaseWords(phase: Phase, detail: string | null): string {
  switch (phase) {
    case 'queued':
      return l10n.t('waiting');
    case 'image':
      return detail === null ? l10n.t('preparing the image') : l10n.t('building the image {0}', detail);
    case 'start':
      return l10n.t('starting the container');
    case 'agent':
      return l10n.t('agent at work');
    case 'verifier':
      return l10n.t('verifier at work');
    case 'finish':
      return l10n.t('collecting results');
  }
}

/** How long ago, coarse enough to stay true for a while. */
export function ageWords(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return l10n.t('just now');
  if (minutes < 60) return l10n.t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return l10n.t('{0} h ago', hours);
  const days = Math.floor(hours / 24);
  return days === 1 ? l10n.t('yesterday') : l10n.t('{0} days ago', days);
}

export function secondsWords(seconds: number): string {
  return seconds < 10 ? l10n.t('{0} s', seconds.toFixed(1)) : l10n.t('{0} s', Math.round(seconds));
}

export function findingsWords(count: number): string {
  return count === 1 ? l10n.t('1 finding') : l10n.t('{0} findings', count);
}

/** "2 errors, 1 warning": what is worse first, nothing that is not there. Empty where there is nothing. */
export function countsWords(counts: Counts): string {
  const { error, warning, information, hint } = counts;
  const parts: string[] = [];
  if (error > 0) parts.push(error === 1 ? l10n.t('1 error') : l10n.t('{0} errors', error));
  if (warning > 0) parts.push(warning === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', warning));
  if (information > 0) parts.push(information === 1 ? l10n.t('1 info') : l10n.t('{0} infos', information));
  if (hint > 0) parts.push(hint === 1 ? l10n.t('1 hint') : l10n.t('{0} hints', hint));
  return parts.join(', ');
}

/** For a row among many: what is only worth a remark counts where there is nothing worse. */
export function countsInShort(counts: Counts): string {
  const isGrave = counts.error + counts.warning > 0;
  return countsWords(isGrave ? { ...counts, information: 0, hint: 0 } : counts);
}

export function severityWord(severity: Severity): string {
  switch (severity) {
    case 'error':
      return l10n.t('Error');
    case 'warning':
      return l10n.t('Warning');
    case 'information':
      return l10n.t('Info');
    case 'hint':
      return l10n.t('Hint');
  }
}
