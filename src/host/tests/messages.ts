import { l10n, Location, Position, Range, TestMessage, Uri } from 'vscode';
import type { Files } from '../../core/files';
import { isVariant, type AttemptResult, type GateName, type GateResult } from '../../core/gates/verdict';
import type { TaskEntry } from '../task-index';
import { gateLabel, outcomeWord, phaseWords, reasonWords } from '../words';
import type { Phase } from '../../protocol/engine';
import { failingLine } from './failing-line';
import { verifierUri } from './items';
import { terminalText } from './output';

const largestOutput = 8 * 1024 * 1024;
/** Lines of output that a message holds. */
export const tailLines = 40;
/** Characters of a line of prose, which fit beside a side bar. */
const lineLength = 64;

/** What is said of a gate whose reward is not the one it requires: why, in words, then what was wanted and what came. */
export async function failedMessages(
  files: Files,
  entry: TaskEntry,
  result: GateResult,
  trialDir: string | null,
  threshold: number,
): Promise<TestMessage[]> {
  const contrary = contraryAttempt(result);
  const text = [result.message ?? reasonText(result), ...explanation(contrary)].map(wrapped);
  const output = trialDir === null || result.gate === 'cheat' ? null : await verifierOutput(files, trialDir);
  if (output !== null && output.trim() !== '')
    text.push(
      l10n.t('The end of its output:'),
      terminalText(output.trimEnd().split('\n').slice(-tailLines).join('\n')),
    );
  const where =
    result.gate === 'cheat'
      ? await placeOfHit(files, entry, contrary)
      : await placeOfTest(files, entry, result.gate === 'oracle' ? output : null);
  const actual = contrary?.reward ?? result.reward?.value ?? null;
  return messagesOf(text, result.gate, expectation(result.gate, threshold), actual, where, trialDir);
}

/** What is said of one cheat that was rewarded, or of a right solution that was not. */
export async function attemptMessages(
  files: Files,
  entry: TaskEntry,
  attempt: AttemptResult,
  threshold: number,
): Promise<TestMessage[]> {
  const isSolution = isVariant(attempt.strategy);
  const remarks = typeof attempt.message === 'string' ? [attempt.message] : [];
  const text = [outcomeText(attempt), ...remarks, ...explanation(attempt)].map(wrapped);
  const where = await placeOfHit(files, entry, attempt);
  return messagesOf(
    text,
    'cheat',
    expectation(isSolution ? 'oracle' : 'cheat', threshold),
    attempt.reward,
    where,
    attempt.trial,
  );
}

/**
 * The words, and for oracle and nop also a comparison. Where there is one, the editor shows it in place of the words,
 * and what a cheat did says more than two rewards do.
 */
function messagesOf(
  text: readonly string[],
  gate: GateName,
  expected: string,
  actual: number | string | null,
  where: Location,
  trialDir: string | null,
): TestMessage[] {
  const [head = ''] = text;
  const asked = l10n.t('Wanted: {0}. Given: {1}.', expected, rewardText(actual));
  const words = new TestMessage([head, ...(gate === 'cheat' ? [asked] : []), ...text.slice(1)].join('\n\n'));
  const messages =
    gate === 'cheat' ? [words] : [words, TestMessage.diff(head.replaceAll('\n', ' '), expected, rewardText(actual))];
  for (const message of messages) {
    message.location = where;
    message.contextValue = contextOf(trialDir);
  }
  return messages;
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

/** Breaks prose into lines: the editor shows a message as it is, and wraps nothing. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= lineLength) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

export function reasonText(result: GateResult): string {
  return result.reason === null ? gateLabel(result.gate) : `${gateLabel(result.gate)}: ${reasonWords(result.reason)}`;
}

function outcomeText(attempt: AttemptResult): string {
  return attempt.outcome === undefined
    ? (attempt.strategy ?? '')
    : `${attempt.strategy ?? ''}: ${outcomeWord(attempt.outcome, attempt.strategy)}`;
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

async function verifierOutput(files: Files, trialDir: string): Promise<string | null> {
  const output = await files.read(files.join(trialDir, 'verifier', 'test-stdout.txt'), largestOutput);
  return output.ok ? new TextDecoder().decode(output.bytes) : null;
}

/** The line that the tests blame. It helps only with the solution: nop and cheats are meant to fail the tests. */
async function placeOfTest(files: Files, entry: TaskEntry, output: string | null): Promise<Location> {
  const { testsDir } = entry.task.layout;
  const found = output === null ? null : failingLine(output);
  const named = found === null || testsDir === null ? null : `${testsDir}/${found.file}`;
  return named === null ? scriptStart(entry) : existingPlace(files, entry, named, found?.line ?? 0);
}

/** The line that an explanation names, as `(tests/test.sh:3)`. */
async function placeOfHit(files: Files, entry: TaskEntry, attempt: AttemptResult | null): Promise<Location> {
  const match = /\(([\w./-]+):(\d+)\)/.exec(attempt?.explanation?.whyItWorked ?? '');
  const [, file = '', line = '1'] = match ?? [];
  if (match === null || file.startsWith('/') || file.split('/').includes('..')) return scriptStart(entry);
  return existingPlace(files, entry, file, Math.max(Number(line) - 1, 0));
}

async function existingPlace(files: Files, entry: TaskEntry, file: string, line: number): Promise<Location> {
  const uri = Uri.joinPath(entry.uri, file);
  const isThere = (await files.stat(uri.fsPath))?.kind === 'file';
  return isThere ? new Location(uri, new Range(line, 0, line, 0)) : scriptStart(entry);
}

function scriptStart(entry: TaskEntry): Location {
  return new Location(verifierUri(entry), new Position(0, 0));
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
