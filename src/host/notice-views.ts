import { Disposable, window, type TreeDataProvider } from 'vscode';

/**
 * Views that consist of their welcome text alone: what is in the way of running, each with its next step. The manifest
 * says when they are shown.
 */
export function noticeViews(): Disposable {
  const nothing: TreeDataProvider<never> = {
    getChildren: () => [],
    getTreeItem: (row: never) => row,
  };
  return Disposable.from(
    ...['taskwright.trust', 'taskwright.docker', 'taskwright.server'].map((id) =>
      window.registerTreeDataProvider(id, nothing),
    ),
  );
}
