import { commands, l10n, Uri, window, workspace, type WorkspaceFolder } from 'vscode';
import type { Files } from '../../core/files';
import type { EngineClient } from '../engine-client';
import type { TaskIndex } from '../task-index';

/** Asks where and how a task is to be called, makes it with our own `new`, and opens its instruction. */
export async function createTask(
  engine: EngineClient,
  tasks: TaskIndex,
  files: Files,
  show: (dir: string) => Promise<void>,
): Promise<void> {
  const folder = await chooseFolder();
  if (folder === null) return;
  const name = await window.showInputBox({
    title: l10n.t('Create a Task'),
    prompt: l10n.t('Folder of the new task, relative to {0}', folder.name),
    value: suggestion(tasks, folder),
    valueSelection: selectionOf(suggestion(tasks, folder)),
    validateInput: (value) => problem(files, folder, value),
  });
  if (name === undefined) return;
  const path = name.trim();
  const end = await engine.run({
    args: ['new', '--', path],
    cwd: folder.uri.fsPath,
    signal: new AbortController().signal,
  });
  if (end.kind !== 'exited' || end.code !== 0) {
    const said =
      end.kind === 'exited' ? end.stderr.replace(/^error: /, '').trim() : end.kind === 'crashed' ? end.message : '';
    const log = l10n.t('Show Log');
    const chosen = await window.showErrorMessage(l10n.t('The task {0} could not be created. {1}', path, said), log);
    if (chosen === log) await commands.executeCommand('taskwright.log.show');
    return;
  }
  await tasks.refresh();
  const made = Uri.joinPath(folder.uri, path);
  await commands.executeCommand('vscode.open', Uri.joinPath(made, 'instruction.md'));
  await show(made.fsPath);
}

async function chooseFolder(): Promise<WorkspaceFolder | null> {
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [first] = folders;
  if (folders.length === 1 && first !== undefined) return first;
  if (folders.length === 0) {
    const open = l10n.t('Open Folder');
    const chosen = await window.showInformationMessage(l10n.t('A task is created in a folder. Open one first.'), open);
    if (chosen === open) await commands.executeCommand('vscode.openFolder');
    return null;
  }
  return (await window.showWorkspaceFolderPick({ placeHolder: l10n.t('Folder for the new task') })) ?? null;
}

/** Beside the tasks that are there. */
function suggestion(tasks: TaskIndex, folder: WorkspaceFolder): string {
  const own = tasks.entries.filter((entry) => entry.folder.uri.toString() === folder.uri.toString());
  const dataset = own[0] === undefined ? 'tasks' : own[0].dataset;
  return dataset === null ? 'my-task' : `${dataset}/my-task`;
}

function selectionOf(value: string): [number, number] {
  return [value.lastIndexOf('/') + 1, value.length];
}

async function problem(files: Files, folder: WorkspaceFolder, value: string): Promise<string | null> {
  const path = value.trim();
  if (path === '') return l10n.t('Give the folder a name.');
  const parts = path.split(/[/\\]/);
  if (/^([/\\]|[A-Za-z]:)/.test(path) || parts.includes('..'))
    return l10n.t('The folder has to lie below {0}.', folder.name);
  if (!/^[A-Za-z0-9][\w.-]*$/.test(parts.at(-1) ?? ''))
    return l10n.t('Use letters, digits, ".", "_" and "-", and begin with a letter or digit.');
  const there = await files.list(files.join(folder.uri.fsPath, ...parts));
  return there !== null && there.length > 0 ? l10n.t('{0} is there already and is not empty.', path) : null;
}
