import { l10n, MarkdownString } from 'vscode';
import type { Findings } from '../findings';
import type { KnownVerdict, Verdicts } from '../verdicts';
import { countsWords, gateLabel, gateMeaning, outcomeWord, reasonWords, severityWord, verdictWord } from '../words';
import type { TreeNode } from './nodes';
import { isStale } from './rows';

const longest = 1_500;

/** What a row says when one stays on it; null where the row itself says it all. */
export function tooltipOf(node: TreeNode, verdicts: Verdicts, findings: Findings): MarkdownString | null {
  switch (node.kind) {
    case 'task': {
      const { task } = node.entry;
      const text = heading(task.name);
      const description = task.config?.task?.description ?? '';
      if (description !== '') text.appendText(`${clip(description)}\n\n`);
      if (task.harbor.reason !== null) {
        const what =
          task.harbor.outcome === 'dropped' ? l10n.t('Harbor drops this folder') : l10n.t('Harbor refuses this folder');
        text.appendText(`${what}: ${clip(task.harbor.reason)}\n\n`);
      }
      for (const known of verdicts.of(task.dir).gates.values())
        text.appendText(`${gateLabel(known.gate)}: ${verdictWord(known.verdict)}\n\n`);
      const found = findings.of(task.dir);
      if (found !== null)
        text.appendText(`${l10n.t('Findings: {0}', countsWords(found.counts) || l10n.t('none'))}\n\n`);
      text.appendCodeblock(node.entry.path, 'text');
      return text;
    }
    case 'stray': {
      const text = heading(node.stray.path);
      text.appendText(node.stray.reason);
      return text;
    }
    case 'gate': {
      const known = verdicts.of(node.entry.task.dir).gates.get(node.gate);
      const text = heading(gateLabel(node.gate));
      text.appendText(`${gateMeaning(node.gate)}\n\n`);
      if (known !== undefined) appendVerdict(text, known);
      return text;
    }
    case 'attempt': {
      const { attempt } = node;
      const text = heading(attempt.strategy ?? gateLabel(node.gate));
      if (attempt.outcome !== undefined) text.appendText(`${outcomeWord(attempt.outcome, attempt.strategy)}\n\n`);
      if (attempt.message !== null && attempt.message !== undefined) text.appendText(`${clip(attempt.message)}\n\n`);
      const { explanation } = attempt;
      if (explanation !== undefined) {
        for (const part of [explanation.whatHappened, explanation.whyItWorked, explanation.whatToChange])
          text.appendText(`${clip(part)}\n\n`);
      }
      if (attempt.trial !== null) text.appendCodeblock(attempt.trial, 'text');
      return text;
    }
    case 'finding': {
      const { message, why, fixes, ruleId, severity } = node.finding;
      const text = heading(message);
      text.appendText(`${clip(why)}\n\n`);
      for (const { title } of fixes.slice(0, 5)) text.appendText(`${l10n.t('Fix: {0}', clip(title))}\n\n`);
      // The one command of all texts here, on an id of our own.
      text.isTrusted = { enabledCommands: ['taskwright.rule.open'] };
      text.appendText(`${severityWord(severity)} · `);
      text.appendMarkdown(`[${ruleId}](command:taskwright.rule.open?${encodeURIComponent(JSON.stringify([ruleId]))})`);
      return text;
    }
    case 'findingGroup': {
      if (node.file !== null) return null;
      const text = heading(l10n.t('Tamper resistance'));
      text.appendText(l10n.t('What an agent could use to deceive the verifier, were it to try.'));
      return text;
    }
    case 'folder':
    case 'dataset':
    case 'findings':
    case 'part':
    case 'step':
      return null;
  }
}

function appendVerdict(text: MarkdownString, known: KnownVerdict): void {
  const why = known.reason === null ? '' : `: ${reasonWords(known.reason)}`;
  text.appendText(`${l10n.t('{0}, {1}', `${verdictWord(known.verdict)}${why}`, known.at.toLocaleString())}\n\n`);
  if (known.message !== null) text.appendText(`${clip(known.message)}\n\n`);
  if (known.reward !== null)
    text.appendText(
      `${l10n.t('Reward {0} (key {1} in {2})', known.reward.value, known.reward.key, known.reward.file)}\n\n`,
    );
  if (known.stale === null || !isStale(known)) return;
  text.appendText(`${l10n.t('Stale, since these inputs differ:')}\n\n`);
  const shown = known.stale.slice(0, 8).map(({ name, change }) => `${name} (${change})`);
  if (known.stale.length > shown.length) shown.push(l10n.t('and {0} more', known.stale.length - shown.length));
  text.appendCodeblock(shown.join('\n'), 'text');
}

/** Text from tasks and containers is only ever appended as text: it can hold no link and no command. */
function heading(title: string): MarkdownString {
  const text = new MarkdownString();
  text.isTrusted = false;
  text.supportHtml = false;
  text.appendMarkdown('**');
  text.appendText(clip(title).replace(/\s+/g, ' '));
  text.appendMarkdown('**\n\n');
  return text;
}

function clip(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
