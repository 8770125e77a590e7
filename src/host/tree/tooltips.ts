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
      if (description !== '') paragraph(text, clip(description));
      if (task.harbor.reason !== null) {
        const what =
          task.harbor.outcome === 'dropped' ? l10n.t('Harbor drops this folder') : l10n.t('Harbor refuses this folder');
        paragraph(text, `${what}: ${clip(task.harbor.reason)}`);
      }
      for (const known of verdicts.of(task.dir).gates.values())
        paragraph(text, `${gateLabel(known.gate)}: ${verdictWord(known.verdict)}`);
      const found = findings.of(task.dir);
      if (found !== null) paragraph(text, l10n.t('Findings: {0}', countsWords(found.counts) || l10n.t('none')));
      text.appendCodeblock(node.entry.path, 'text');
      return text;
    }
    case 'stray': {
      const text = heading(node.stray.path);
      paragraph(text, node.stray.reason);
      return text;
    }
    case 'gate': {
      const known = verdicts.of(node.entry.task.dir).gates.get(node.gate);
      const text = heading(gateLabel(node.gate));
      paragraph(text, gateMeaning(node.gate));
      if (known !== undefined) appendVerdict(text, known);
      return text;
    }
    case 'attempt': {
      const { attempt } = node;
      const text = heading(attempt.strategy ?? gateLabel(node.gate));
      if (attempt.outcome !== undefined) paragraph(text, outcomeWord(attempt.outcome, attempt.strategy));
      if (attempt.message !== null && attempt.message !== undefined) paragraph(text, clip(attempt.message));
      const { explanation } = attempt;
      if (explanation !== undefined) {
        for (const part of [explanation.whatHappened, explanation.whyItWorked, explanation.whatToChange])
          paragraph(text, clip(part));
      }
      if (attempt.trial !== null) text.appendCodeblock(attempt.trial, 'text');
      return text;
    }
    case 'finding': {
      const { message, why, fixes, ruleId, severity } = node.finding;
      const text = heading(message);
      paragraph(text, clip(why));
      for (const { title } of fixes.slice(0, 5)) paragraph(text, l10n.t('Fix: {0}', clip(title)));
      // The one command of all texts here, on an id of our own.
      text.isTrusted = { enabledCommands: ['taskwright.rule.open'] };
      const page = encodeURIComponent(JSON.stringify([ruleId]));
      text.appendMarkdown(`${severityWord(severity)} · [${ruleId}](command:taskwright.rule.open?${page})`);
      return text;
    }
    case 'findingGroup': {
      if (node.file !== null) return null;
      const text = heading(l10n.t('Tamper resistance'));
      paragraph(text, l10n.t('What an agent could use to deceive the verifier, were it to try.'));
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
  paragraph(text, l10n.t('{0}, {1}', `${verdictWord(known.verdict)}${why}`, known.at.toLocaleString()));
  if (known.message !== null) paragraph(text, clip(known.message));
  if (known.reward !== null)
    paragraph(text, l10n.t('Reward {0} (key {1} in {2})', known.reward.value, known.reward.key, known.reward.file));
  if (known.stale === null || !isStale(known)) return;
  paragraph(text, l10n.t('Stale, since these inputs differ:'));
  const shown = known.stale.slice(0, 8).map(({ name, change }) => `${name} (${change})`);
  if (known.stale.length > shown.length) shown.push(l10n.t('and {0} more', known.stale.length - shown.length));
  text.appendCodeblock(shown.join('\n'), 'text');
}

/** Text from tasks and containers is only ever appended escaped: it can hold no link and no command. */
function heading(title: string): MarkdownString {
  const text = new MarkdownString();
  text.isTrusted = false;
  text.supportHtml = false;
  text.appendMarkdown('**');
  text.appendMarkdown(escaped(clip(title)));
  text.appendMarkdown('**\n\n');
  return text;
}

function paragraph(text: MarkdownString, words: string): void {
  text.appendMarkdown(`${escaped(words)}\n\n`);
}

/** As plain words that wrap: `appendText` would glue them together. */
function escaped(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+\-!~|$>]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;');
}

function clip(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
