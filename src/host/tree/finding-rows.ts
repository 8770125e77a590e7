import { l10n, Range, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import type { Command, TextDocumentShowOptions } from 'vscode';
import type { Severity } from '../../core/finding';
import type { TaskFindings } from '../../protocol/language';
import { countsOf, worstOf, type Findings } from '../findings';
import { countsWords, severityWord } from '../words';
import type { FindingGroupNode, FindingNode, FindingsNode } from './finding-nodes';

export function findingsRow(node: FindingsNode, findings: Findings): TreeItem {
  const known = findings.of(node.entry.task.dir);
  const isStopped = findings.server === 'stopped';
  const some = known !== null && known.findings.length > 0;
  // VS Code opens no row by itself that could not be opened before: what may come counts.
  const mayOpen = some || (known === null && !isStopped);
  const item = new TreeItem(
    l10n.t('Findings'),
    mayOpen ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  );
  item.contextValue = isStopped ? 'findings stopped' : 'findings';
  item.description = findingsState(known, isStopped);
  if (known === null && !isStopped) item.iconPath = new ThemeIcon('loading~spin');
  else if (known === null || (isStopped && !some)) item.iconPath = new ThemeIcon('debug-disconnect');
  else if (some) item.iconPath = severityIcon(worstOf(known.findings) ?? 'hint');
  else item.iconPath = new ThemeIcon('pass', new ThemeColor('testing.iconPassed'));
  item.accessibilityInformation = { label: `${l10n.t('Findings')}, ${item.description}` };
  return item;
}

/** "2 errors, 1 warning", "none", "checking…"; and that nobody checks any more. */
function findingsState(known: TaskFindings | null, isStopped: boolean): string {
  const words = known === null ? '' : countsWords(known.counts) || l10n.t('none');
  if (isStopped)
    return known === null
      ? l10n.t('not checked: the language server has stopped')
      : l10n.t('{0} (the language server has stopped)', words);
  return known === null ? l10n.t('checking…') : words;
}

export function findingGroupRow(node: FindingGroupNode): TreeItem {
  const { file, entry, findings } = node;
  const words = countsWords(countsOf(findings));
  if (file === null) {
    const item = new TreeItem(l10n.t('Tamper resistance'), TreeItemCollapsibleState.Collapsed);
    item.iconPath = new ThemeIcon('shield');
    item.description = words;
    item.contextValue = 'findingGroup';
    return item;
  }
  const item = new TreeItem(file.split('/').pop() ?? file, TreeItemCollapsibleState.Expanded);
  item.iconPath = ThemeIcon.File;
  item.resourceUri = Uri.joinPath(entry.uri, file);
  // How many there are is said by the editor's own mark of the file.
  item.description = file.slice(0, Math.max(0, file.lastIndexOf('/')));
  item.contextValue = 'findingGroup';
  item.accessibilityInformation = { label: `${file}, ${words}` };
  return item;
}

export function findingRow(node: FindingNode): TreeItem {
  const { finding, entry, group } = node;
  const { severity, message, file, range, fixes } = finding;
  const item = new TreeItem(message, TreeItemCollapsibleState.None);
  const line = range.start.line + 1;
  item.description = group.file === null ? `${file}:${line}` : l10n.t('line {0}', line);
  item.contextValue = fixes.length > 0 ? 'finding fixable' : 'finding';
  item.iconPath = severityIcon(severity);
  item.command = openFile(Uri.joinPath(entry.uri, file), range);
  item.accessibilityInformation = {
    label: l10n.t('{0}: {1} {2}, line {3}', severityWord(severity), message, file, line),
  };
  return item;
}

export function severityIcon(severity: Severity): ThemeIcon {
  switch (severity) {
    case 'error':
      return new ThemeIcon('error', new ThemeColor('problemsErrorIcon.foreground'));
    case 'warning':
      return new ThemeIcon('warning', new ThemeColor('problemsWarningIcon.foreground'));
    case 'information':
      return new ThemeIcon('info', new ThemeColor('problemsInfoIcon.foreground'));
    case 'hint':
      return new ThemeIcon('lightbulb-empty', new ThemeColor('problemsInfoIcon.foreground'));
  }
}

export function openFile(uri: Uri, range?: FindingNode['finding']['range']): Command {
  const options: TextDocumentShowOptions = { preview: true };
  if (range !== undefined) options.selection = editorRange(range);
  return { title: l10n.t('Open'), command: 'vscode.open', arguments: [uri, options] };
}

export function editorRange({ start, end }: FindingNode['finding']['range']): Range {
  return new Range(start.line, start.character, end.line, end.character);
}
