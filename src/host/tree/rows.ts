import { l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import type { AttemptResult, CheatOutcome, GateName, Verdict } from '../../core/gates/verdict';
import type { Activity, GateState } from '../activity';
import type { Findings } from '../findings';
import { gateNames } from '../settings';
import type { KnownVerdict, Verdicts } from '../verdicts';
import { ageWords, countsInShort, gateLabel, outcomeWord, reasonWords, secondsWords, verdictWord } from '../words';
import { openFile, severityIcon } from './finding-rows';
import {
  isRunnable,
  type AttemptNode,
  type GateNode,
  type PartNode,
  type StepNode,
  type StrayNode,
  type TaskNode,
} from './nodes';

/** What rows are drawn from. */
export interface RowState {
  readonly verdicts: Verdicts;
  readonly activity: Activity;
  readonly findings: Findings;
  now(): Date;
}

const separator = ' · ';

export function taskRow(node: TaskNode, state: RowState, only: boolean): TreeItem {
  const { entry } = node;
  const { task } = entry;
  const open = only ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  const item = new TreeItem(shortName(task.name), open);
  const runnable = isRunnable(entry);
  const running = state.activity.of(task.dir);
  const words = ['task'];
  if (running !== null) words.push('running');
  else if (runnable) words.push('runnable');
  if (state.verdicts.of(task.dir).receipt !== null) words.push('hasReceipt');
  if (!runnable) words.push('broken');
  item.contextValue = words.join(' ');
  const file = task.configText !== null ? 'task.toml' : task.layout.instruction;
  if (file !== null) item.command = openFile(Uri.joinPath(entry.uri, file));
  if (!runnable) {
    const dropped = task.harbor.outcome === 'dropped';
    item.iconPath = severityIcon(dropped ? 'warning' : 'error');
    const word = dropped ? l10n.t('dropped') : l10n.t('refused');
    item.description = task.harbor.reason === null ? word : `${word}: ${task.harbor.reason}`;
    return item;
  }
  if (running !== null) {
    item.iconPath = new ThemeIcon('sync~spin');
    item.description = runningSummary(running);
    return item;
  }
  const known = state.verdicts.of(task.dir).gates;
  item.iconPath = new ThemeIcon('package', taskColor(known));
  item.description = [...gatesSummary(known), ...findingsSummary(task.dir, state.findings)].join(separator);
  return item;
}

/** What only looks like a task: shown, since silence would be taken for "all is well". */
export function strayRow(node: StrayNode): TreeItem {
  const item = new TreeItem(node.stray.path.split('/').pop() ?? node.stray.path, TreeItemCollapsibleState.None);
  item.iconPath = new ThemeIcon('question', new ThemeColor('problemsWarningIcon.foreground'));
  item.description = l10n.t('no task: {0}', node.stray.reason);
  item.contextValue = 'stray';
  return item;
}

/** Each gate in few words: "oracle 1, nop 0, cheats passed". */
function gatesSummary(known: ReadonlyMap<GateName, KnownVerdict>): string[] {
  const parts: string[] = [];
  const decided = gateNames.flatMap((gate) => known.get(gate) ?? []);
  // A gate that an earlier one kept from running says nothing more.
  const contrary = decided.filter(({ verdict, reason }) => verdict !== 'passed' && reason !== 'blocked');
  if (decided.length === 0) parts.push(l10n.t('not run yet'));
  else if (contrary.length > 0)
    parts.push(contrary.map(({ gate, verdict }) => `${gateLabel(gate)} ${verdictWord(verdict)}`).join(', '));
  else if (decided.length === gateNames.length) parts.push(l10n.t('all gates passed'));
  else parts.push(decided.map(({ gate, verdict }) => `${gateLabel(gate)} ${verdictWord(verdict)}`).join(', '));
  if (decided.some(isStale)) parts.push(l10n.t('(stale)'));
  return parts;
}

/** "2 errors, 1 warning"; nothing of a task in which nothing was found. */
function findingsSummary(dir: string, findings: Findings): string[] {
  const known = findings.of(dir);
  if (known === null) return findings.server === 'stopped' ? [] : [l10n.t('checking…')];
  const words = countsInShort(known.counts);
  return words === '' ? [] : [words];
}

function taskColor(known: ReadonlyMap<GateName, KnownVerdict>): ThemeColor | undefined {
  const decided = [...known.values()];
  if (decided.length === 0) return undefined;
  if (decided.some(isStale)) return new ThemeColor('disabledForeground');
  if (decided.some(({ verdict }) => verdict === 'failed')) return new ThemeColor('testing.iconFailed');
  if (decided.some(({ verdict }) => verdict === 'not-proven')) return new ThemeColor('testing.iconErrored');
  return decided.length === gateNames.length ? new ThemeColor('testing.iconPassed') : undefined;
}

function runningSummary(running: ReadonlyMap<GateName, GateState>): string {
  for (const [gate, now] of running)
    if (now.kind === 'running') return now.phase === null ? gateLabel(gate) : `${gateLabel(gate)}: ${now.phase}`;
  return l10n.t('waiting');
}

export function gateRow(node: GateNode, state: RowState): TreeItem {
  const { entry, gate } = node;
  const known = state.verdicts.of(entry.task.dir).gates.get(gate) ?? null;
  const running = state.activity.of(entry.task.dir)?.get(gate) ?? null;
  const item = new TreeItem(
    gateLabel(gate),
    attemptsWorthRows(known) ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  );
  const words = ['gate', gate];
  if (known !== null) words.push(known.verdict);
  if (running !== null) words.push('running');
  else if (isRunnable(entry) && state.activity.of(entry.task.dir) === null) words.push('runnable');
  if (soleTrial(known) !== null) words.push('hasTrial');
  if (state.verdicts.of(entry.task.dir).receipt !== null) words.push('hasReceipt');
  item.contextValue = words.join(' ');
  if (running !== null) {
    item.iconPath = running.kind === 'queued' ? verdictIcon('queued') : new ThemeIcon('sync~spin');
    item.description = running.kind === 'queued' ? l10n.t('waiting') : (running.phase ?? l10n.t('running'));
  } else if (known === null) {
    item.iconPath = gateIcon(gate);
    item.description = isRunnable(entry) ? l10n.t('not run yet') : l10n.t('cannot run');
  } else {
    item.iconPath = verdictIcon(known.verdict, isStale(known));
    item.description = gateSummary(known, state.now());
  }
  item.accessibilityInformation = { label: `${gateLabel(gate)}, ${item.description}` };
  return item;
}

/** "passed · reward 1 · 5 min ago", "failed · reward-json got 1 · just now (stale)". */
export function gateSummary(known: KnownVerdict, now: Date): string {
  const parts = [verdictWord(known.verdict)];
  const { reward, strategy } = known;
  if (known.verdict === 'not-proven') {
    if (known.reason !== null) parts[0] = `${verdictWord('not-proven')}: ${reasonWords(known.reason)}`;
  } else if (known.gate === 'cheat' && known.verdict === 'passed') {
    const resisted = known.attempts.filter(({ outcome }) => outcome === 'resisted' || outcome === 'late-hit').length;
    parts.push(l10n.t('{0} resisted', resisted));
  } else if (strategy !== null) {
    parts.push(reward === null ? strategy : l10n.t('{0} got {1}', strategy, reward.value));
  } else if (reward !== null) parts.push(l10n.t('reward {0}', reward.value));
  const age = ageWords(known.at, now);
  parts.push(isStale(known) ? l10n.t('{0} (stale)', age) : age);
  return parts.join(separator);
}

/** "oracle 1", "oracle 3/5", "nop 0", "cheats passed", "nop not proven". */
export function gateInShort({ gate, verdict, reward, attempts }: KnownVerdict, passThreshold: number): string {
  const label = gateLabel(gate).toLowerCase();
  if (gate === 'cheat' || verdict === 'not-proven') return `${label} ${verdictWord(verdict)}`;
  if (attempts.length > 1) {
    const met = (got: AttemptResult['reward']): boolean =>
      typeof got === 'number' && (gate === 'oracle' ? got >= passThreshold : got <= 0);
    return `${label} ${attempts.filter((attempt) => met(attempt.reward)).length}/${attempts.length}`;
  }
  return `${label} ${reward === null ? verdictWord(verdict) : String(reward.value)}`;
}

export function attemptRow(node: AttemptNode): TreeItem {
  const { attempt, gate } = node;
  const label = attempt.strategy ?? l10n.t('Attempt {0}', node.number);
  const item = new TreeItem(label, TreeItemCollapsibleState.None);
  const parts: string[] = [];
  if (attempt.outcome !== undefined) parts.push(outcomeWord(attempt.outcome, attempt.strategy));
  // What was resisted got what doing nothing gets, which is said above it.
  const telling = attempt.outcome !== 'n/a' && attempt.outcome !== 'resisted';
  if (attempt.reward !== null && telling) parts.push(l10n.t('reward {0}', attempt.reward));
  if (attempt.exception !== null) parts.push(attempt.exception);
  if (attempt.durationSec > 0) parts.push(secondsWords(attempt.durationSec));
  item.description = parts.join(separator);
  item.contextValue = ['attempt', gate, ...(attempt.trial === null ? [] : ['hasTrial'])].join(' ');
  item.iconPath = attempt.outcome !== undefined ? outcomeIcon(attempt.outcome) : new ThemeIcon('beaker');
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

export function partRow(node: PartNode): TreeItem {
  const item = new TreeItem(partLabel(node), TreeItemCollapsibleState.None);
  const there = node.file !== null || node.what !== null;
  item.contextValue = there ? 'part' : 'part missing';
  item.iconPath = there
    ? new ThemeIcon(partIcon(node.part))
    : new ThemeIcon(partIcon(node.part), new ThemeColor('disabledForeground'));
  if (node.file !== null) {
    item.description = node.file.split('/').pop() ?? node.file;
    item.command = openFile(Uri.joinPath(node.entry.uri, node.file));
  } else item.description = node.what ?? l10n.t('not there');
  return item;
}

export function stepRow(node: StepNode): TreeItem {
  const item = new TreeItem(l10n.t('Step {0}', node.step.name), TreeItemCollapsibleState.Collapsed);
  item.contextValue = 'step';
  item.iconPath = new ThemeIcon('list-ordered');
  return item;
}

/** A plain run of a gate has nothing that its own row does not say. */
export function attemptsWorthRows(known: KnownVerdict | null): boolean {
  return known !== null && known.attempts.length > (known.gate === 'cheat' ? 0 : 1);
}

/** The trial that a gate's row stands for. */
export function soleTrial(known: KnownVerdict | null): string | null {
  const [first] = known?.attempts ?? [];
  return known !== null && !attemptsWorthRows(known) ? (first?.trial ?? null) : null;
}

export function isStale(known: KnownVerdict): boolean {
  return known.stale !== null && known.stale.length > 0;
}

export function verdictIcon(verdict: Verdict | 'queued', stale = false): ThemeIcon {
  const shade = (color: string): ThemeColor => new ThemeColor(stale ? 'disabledForeground' : color);
  switch (verdict) {
    case 'passed':
      return new ThemeIcon('testing-passed-icon', shade('testing.iconPassed'));
    case 'failed':
      return new ThemeIcon('testing-failed-icon', shade('testing.iconFailed'));
    case 'not-proven':
      return new ThemeIcon('testing-error-icon', shade('testing.iconErrored'));
    case 'queued':
      return new ThemeIcon('testing-queued-icon', shade('testing.iconQueued'));
  }
}

function outcomeIcon(outcome: CheatOutcome): ThemeIcon {
  switch (outcome) {
    case 'resisted':
    case 'late-hit':
      return verdictIcon('passed');
    case 'hit':
    case 'partial-hit':
      return verdictIcon('failed');
    case 'denied':
    case 'broken':
      return verdictIcon('not-proven');
    case 'n/a':
      return new ThemeIcon('testing-skipped-icon', new ThemeColor('testing.iconSkipped'));
  }
}

export function gateIcon(gate: GateName): ThemeIcon {
  switch (gate) {
    case 'oracle':
      return new ThemeIcon('key');
    case 'nop':
      return new ThemeIcon('circle-slash');
    case 'cheat':
      return new ThemeIcon('flame');
  }
}

function partLabel(node: PartNode): string {
  switch (node.part) {
    case 'instruction':
      return l10n.t('Instruction');
    case 'configuration':
      return l10n.t('Configuration');
    case 'environment':
      return l10n.t('Environment');
    case 'tests':
      return l10n.t('Tests');
    case 'solution':
      return l10n.t('Solution');
  }
}

function partIcon(part: PartNode['part']): string {
  switch (part) {
    case 'instruction':
      return 'book';
    case 'configuration':
      return 'settings';
    case 'environment':
      return 'server-environment';
    case 'tests':
      return 'checklist';
    case 'solution':
      return 'lightbulb';
  }
}

/** `acme/log-shipper` is shown by its own part: the organisation is the same on every row. */
export function shortName(name: string): string {
  return name.split('/').pop() ?? name;
}
