import { l10n, languages, LanguageStatusSeverity, RelativePattern, window } from 'vscode';
import type { DocumentSelector, LanguageStatusItem } from 'vscode';
import { pathBelow } from '../../core/workspace';
import type { DockerMonitor } from '../docker-monitor';
import type { Findings } from '../findings';
import { disposeAll, type Lifetime } from '../lifetime';
import type { TaskEntry, TaskIndex } from '../task-index';
import { countsWords } from '../words';

export interface StatusNeeds {
  readonly tasks: TaskIndex;
  readonly findings: Findings;
  readonly docker: DockerMonitor;
}

export interface LanguageStatus extends Lifetime {
  readonly items: readonly LanguageStatusItem[];
}

/** On the files of tasks: what was found, whether the language server is well, and the container engine. */
export function languageStatus({ tasks, findings, docker }: StatusNeeds): LanguageStatus {
  const found = languages.createLanguageStatusItem('taskwright.findings', []);
  found.name = l10n.t('Taskwright Findings');
  const engine = languages.createLanguageStatusItem('taskwright.docker', []);
  engine.name = l10n.t('Taskwright Docker');
  const show = (): void => {
    const active = window.activeTextEditor?.document.uri;
    const entry = active?.scheme === 'file' ? tasks.owner(active.fsPath) : null;
    const files: DocumentSelector =
      entry === null ? [] : [{ scheme: 'file', pattern: new RelativePattern(entry.uri, '**/*') }];
    found.selector = files;
    engine.selector = files;
    if (entry === null) return;
    showFindings(found, entry, findings);
    showDocker(engine, docker);
  };
  show();
  const own: Lifetime[] = [
    found,
    engine,
    window.onDidChangeActiveTextEditor(show),
    tasks.onDidChange(show),
    findings.onDidChange((dir) => {
      // Thousands of tasks are checked in the background.
      const active = window.activeTextEditor?.document.uri;
      if (active?.scheme === 'file' && pathBelow(dir, active.fsPath) !== null) show();
    }),
    findings.onDidChangeServer(show),
    docker.onDidChange(show),
  ];
  return {
    items: [found, engine],
    dispose: () => {
      disposeAll(own);
    },
  };
}

function showFindings(item: LanguageStatusItem, entry: TaskEntry, findings: Findings): void {
  const known = findings.of(entry.task.dir);
  item.busy = known === null && findings.server !== 'stopped';
  item.detail = entry.task.name;
  if (findings.server === 'stopped') {
    item.severity = LanguageStatusSeverity.Error;
    item.text = l10n.t('Language server stopped');
    item.command = { title: l10n.t('Restart'), command: 'taskwright.server.restart' };
    return;
  }
  if (known === null) {
    item.severity = LanguageStatusSeverity.Information;
    item.text = l10n.t('Checking…');
    item.command = undefined;
    return;
  }
  const { error, warning } = known.counts;
  item.severity =
    error > 0
      ? LanguageStatusSeverity.Error
      : warning > 0
        ? LanguageStatusSeverity.Warning
        : LanguageStatusSeverity.Information;
  item.text = countsWords(known.counts) || l10n.t('No findings');
  item.command =
    known.findings.length === 0
      ? { title: l10n.t('Check Task'), command: 'taskwright.task.check', arguments: [entry.uri] }
      : { title: l10n.t('Show Findings'), command: 'taskwright.findings.show', arguments: [entry.uri] };
}

function showDocker(item: LanguageStatusItem, docker: DockerMonitor): void {
  switch (docker.state) {
    case 'unknown':
      item.severity = LanguageStatusSeverity.Information;
      item.text = l10n.t('Docker');
      item.detail = l10n.t('not needed yet');
      item.command = { title: l10n.t('Choose Engine'), command: 'taskwright.engine.choose' };
      return;
    case 'reachable':
      item.severity = LanguageStatusSeverity.Information;
      item.text = l10n.t('Docker');
      item.detail = docker.detail ?? l10n.t('reachable');
      item.command = { title: l10n.t('Choose Engine'), command: 'taskwright.engine.choose' };
      return;
    case 'unreachable':
      item.severity = LanguageStatusSeverity.Error;
      item.text = l10n.t('Docker is not reachable');
      item.detail = docker.detail ?? '';
      item.command = { title: l10n.t('Try Again'), command: 'taskwright.docker.tryAgain' };
  }
}
