import { l10n, Location, Position, Range, TestMessage, Uri } from 'vscode';
import type { Files } from '../../core/files';
import type { AttemptResult, GateName, GateResult } from '../../core/gates/verdict';
import type { TaskEntry } from '../task-index';
import { gateLabel, outcomeWord, phaseWords, reasonWords } from '../words';
import type { Phase } from '../../protocol/engine';
import { failingLine } from './failing-line';
import { verifierUri } from './items';
import { terminalText } from './output';

const largestOutput = 8 * 1024 * 1024;

/** The message of a gate whose reward is not the one it requires. */
export async function failedMessage(
  files: Files,
  entry: TaskEntry,
  result: GateResult,
  trialDir: string | null,
  threshold: number,
): Promise<TestMessage> {
  const contrary = contraryAttempt(result);
  const text = [result.message ?? reasonText(result), ...explanation(contrary)].join('\n\n');
  const actual = contrary?.reward ?? result.reward?.value ?? null;
  const message = TestMessage.diff(text, expectation(result.gate, threshold), rewardText(actual));
  message.location = await place(files, entry, result.gate, trialDir);
  message.contextValue = contextOf(trialDir);
  return message;
}

/** The message of one cheat that was rewarded, or of a right solution that was not. */
export function attemptMessage(
  entry: TaskEntry,
  attempt: AttemptResult,
  trialDir: string | null,
  threshold: number,
): TestMessage {
  const parts = [attempt.message ?? outcomeText(attempt), ...explanation(attempt)];
  const expected =
    attempt.strategy?.startsWith('variant:') === true
      ? expectation('oracle', threshold)
      : expectation('cheat', threshold);
  const message = TestMessage.diff(parts.join('\n\n'), expected, rewardText(attempt.reward));
  message.location = new Location(verifierUri(entry), new Position(0, 0));
  message.contextValue = contextOf(trialDir);
  return message;
}

/** The message of a gate that could not decide: which phase it was in, why, and the end of its log. */
export function undecidedMessage(
  entry: TaskEntry,
  gate: GateName,
  reason: string,
  phase: Phase | null,
  tail: readonly string[],
  trialDir: string | null,
): TestMessage {
  const head = phase === null ? reason : l10n.t('{0} ({1}: {2})', reason, gateLabel(gate), phaseWords(phase, null));
  const log = tail.length === 0 ? [] : [l10n.t('The end of its output:'), terminalText(tail.join('\n'))];
  const message = new TestMessage([head, ...log].join('\n\n'));
  message.location = new Location(placeOfPhase(entry, phase), new Position(0, 0));
  message.contextValue = contextOf(trialDir);
  return message;
}

export function reasonText(result: GateResult): string {
  return result.reason === null ? gateLabel(result.gate) : `${gateLabel(result.gate)}: ${reasonWords(result.reason)}`;
}

function outcomeText(attempt: AttemptResult): string {
  return attempt.outcome === undefined
    ? (attempt.strategy ?? '')
    : `${attempt.strategy ?? ''}: ${outcomeWord(attempt.outcome)}`;
}

function explanation(attempt: AttemptResult | null): string[] {
  const account = attempt?.explanation;
  if (account === undefined) return [];
  return [
    account.whatHappened,
    account.whyItWorked,
    `${l10n.t('What to change:')} ${account.whatToChange}`,
    `${l10n.t('How to check:')} ${account.howToCheck}`,
  ];
}

function contraryAttempt(result: GateResult): AttemptResult | null {
  const { attempts, strategy } = result;
  const named =
    strategy === null || strategy === undefined ? undefined : attempts.find((one) => one.strategy === strategy);
  return named ?? attempts[0] ?? null;
}

function expectation(gate: GateName, threshold: number): string {
  switch (gate) {
    case 'oracle':
      return l10n.t('reward {0} or more', threshold);
    case 'nop':
      return l10n.t('reward 0');
    case 'cheat':
      return l10n.t('reward 0, as for doing nothing');
  }
}

function rewardText(reward: number | string | null): string {
  return reward === null ? l10n.t('no reward') : l10n.t('reward {0}', reward);
}

async function place(files: Files, entry: TaskEntry, gate: GateName, trialDir: string | null): Promise<Location> {
  const fallback = new Location(verifierUri(entry), new Position(0, 0));
  const { testsDir } = entry.task.layout;
  // What a failing test says is of use only for the solution: nop and cheats are meant to fail the tests.
  if (gate !== 'oracle' || trialDir === null || testsDir === null) return fallback;
  const output = await files.read(files.join(trialDir, 'verifier', 'test-stdout.txt'), largestOutput);
  const found = output.ok ? failingLine(new TextDecoder().decode(output.bytes)) : null;
  if (found === null) return fallback;
  const uri = Uri.joinPath(entry.uri, testsDir, found.file);
  const isThere = (await files.stat(uri.fsPath))?.kind === 'file';
  return isThere ? new Location(uri, new Range(found.line, 0, found.line, 0)) : fallback;
}

function placeOfPhase(entry: TaskEntry, phase: Phase | null): Uri {
  const { dockerfile, solveScript } = entry.task.layout;
  if (phase === 'image' && dockerfile !== null) return Uri.joinPath(entry.uri, dockerfile);
  if (phase === 'agent' && solveScript !== null) return Uri.joinPath(entry.uri, solveScript);
  return verifierUri(entry);
}

/** Words that the manifest's menus look for. */
function contextOf(trialDir: string | null): string {
  return trialDir === null ? 'taskwright' : 'taskwright hasTrial';
}
