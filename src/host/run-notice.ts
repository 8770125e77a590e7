import { commands, ConfigurationTarget, l10n, window, workspace } from 'vscode';
import type { GateResult } from '../core/gates/verdict';
import { runFinishedNotices, runFinishedSetting } from './settings';

const longMs = 60_000;

/** Success is silent. Only who waited long and looks elsewhere is told. */
export function reportRunFinished(results: readonly GateResult[], tookMs: number): void {
  if (tookMs < longMs || window.state.focused || results.length === 0 || !runFinishedNotices()) return;
  const count = (verdict: GateResult['verdict']): number => results.filter((one) => one.verdict === verdict).length;
  const text = l10n.t(
    'Gates finished: {0} passed, {1} failed, {2} not proven.',
    count('passed'),
    count('failed'),
    count('not-proven'),
  );
  const open = l10n.t('Open');
  const never = l10n.t("Don't Show Again");
  void window.showInformationMessage(text, open, never).then((chosen) => {
    if (chosen === open) void commands.executeCommand('workbench.view.testing.focus');
    if (chosen === never)
      void workspace.getConfiguration('taskwright').update(runFinishedSetting, false, ConfigurationTarget.Global);
  });
}
