import { l10n, StatusBarAlignment, window } from 'vscode';
import type { Activity } from '../activity';
import { setContextKey } from '../context-keys';
import type { Lifetime } from '../lifetime';

/** A status bar entry while gates run, and only then. */
export function runningStatus(activity: Activity): Lifetime {
  const item = window.createStatusBarItem('taskwright.running', StatusBarAlignment.Left, 0);
  item.name = l10n.t('Taskwright Gates');
  item.command = 'workbench.view.testing.focus';
  let shown = false;
  const show = (): void => {
    const { running, progress } = activity;
    if (running !== shown) setContextKey('taskwright.running', running);
    shown = running;
    if (!running) {
      item.hide();
      return;
    }
    const current = Math.min(progress.finished + 1, progress.total);
    item.text = `$(sync~spin) ${l10n.t('Gate {0} of {1}', current, progress.total)}`;
    item.tooltip = l10n.t('Gates are running. Click to show them in the Test Explorer.');
    item.show();
  };
  const link = activity.onDidChange(show);
  return {
    dispose: () => {
      link.dispose();
      item.dispose();
    },
  };
}
