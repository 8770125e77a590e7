import { EventEmitter, FileDecoration, l10n, ThemeColor, window, type Uri } from 'vscode';
import type { Lifetime } from './lifetime';
import { disposeAll } from './lifetime';
import type { TaskIndex } from './task-index';
import { isRunnable } from './tree/nodes';
import type { Verdicts } from './verdicts';

/** Marks task folders in the Explorer. */
export function taskDecorations(tasks: TaskIndex, verdicts: Verdicts): Lifetime {
  const changed = new EventEmitter<Uri[] | undefined>();
  const own: Lifetime[] = [
    changed,
    window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration: (uri) => (uri.scheme === 'file' ? decorationOf(uri, tasks, verdicts) : undefined),
    }),
    tasks.onDidChange(() => {
      changed.fire(undefined);
    }),
    verdicts.onDidChange((dir) => {
      const entry = tasks.find(dir);
      if (entry !== null) changed.fire([entry.uri]);
    }),
  ];
  return {
    dispose: () => {
      disposeAll(own);
    },
  };
}

function decorationOf(uri: Uri, tasks: TaskIndex, verdicts: Verdicts): FileDecoration | undefined {
  const entry = tasks.find(uri.fsPath);
  if (entry === null) return undefined;
  if (!isRunnable(entry)) {
    return new FileDecoration('T!', l10n.t('Task that Harbor does not load'), new ThemeColor('list.warningForeground'));
  }
  const failed = [...verdicts.of(entry.task.dir).gates.values()].some(({ verdict }) => verdict === 'failed');
  return failed
    ? new FileDecoration('T', l10n.t('Task that fails a gate'), new ThemeColor('testing.iconFailed'))
    : new FileDecoration('T', l10n.t('Task'));
}
