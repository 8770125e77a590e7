import { commands, Disposable, env, l10n, Uri, ViewColumn, window, workspace } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { Files } from '../../core/files';
import type { GateName } from '../../core/gates/verdict';
import { findWorkspace, pathBelow } from '../../core/workspace';
import type { DockerMonitor } from '../docker-monitor';
import type { EngineClient } from '../engine-client';
import { reproductionCommand } from '../gate-arguments';
import type { Language } from '../language/language';
import { runSettings } from '../settings';
import type { TaskIndex } from '../task-index';
import { wantedGates, type TestExplorer } from '../tests/explorer';
import type { TasksTree } from '../tree/tasks-view';
import type { Verdicts } from '../verdicts';
import { createTask } from './create-task';
import { findingCommands } from './findings';
import { pathFrom, Targets } from './targets';

export interface CommandNeeds {
  readonly tasks: TaskIndex;
  readonly verdicts: Verdicts;
  readonly explorer: TestExplorer;
  readonly tree: TasksTree;
  readonly engine: EngineClient;
  readonly docker: DockerMonitor;
  readonly files: Files;
  readonly language: Language;
  readonly log: LogOutputChannel;
  readonly context: Pick<ExtensionContext, 'extensionUri'>;
}

/** Every command of ours. Each looks again at what it was called on: other extensions may call it with anything. */
export function registerCommands(needs: CommandNeeds): Disposable {
  const { tasks, verdicts, explorer, tree, engine, docker, files, log } = needs;
  const targets = new Targets(tasks, explorer.items, verdicts);

  const runGate = (gate: GateName) => async (argument: unknown) => {
    await explorer.runGates(await targets.entries(argument), [gate]);
  };
  const showTask = async (dir: string): Promise<void> => {
    const entry = tasks.find(dir);
    if (entry !== null) await tree.view.reveal(tree.nodeOf(entry), { select: true, focus: true, expand: true });
  };
  const handlers: Readonly<Record<string, (argument: unknown) => unknown>> = {
    ...findingCommands(needs, targets),
    'task.create': () => createTask(engine, tasks, files, showTask),
    'task.runGates': async (argument) => {
      await explorer.runGates(await targets.entries(argument), null);
    },
    'task.runAllGates': async () => {
      await targets.searched();
      if (tasks.entries.length > 0) await explorer.runGates(tasks.entries, null);
      else void window.showInformationMessage(l10n.t('There is no task here whose gates could be run.'));
    },
    'gate.runOracle': runGate('oracle'),
    'gate.runNop': runGate('nop'),
    'gate.runCheat': runGate('cheat'),
    'task.stop': (argument) => {
      explorer.stop(targets.entry(argument)?.task.dir ?? null);
    },
    'task.show': async (argument) => {
      const entry = targets.entry(argument);
      if (entry !== null) await showTask(entry.task.dir);
    },
    'tasks.refresh': async () => {
      await tasks.refresh();
      for (const entry of tasks.entries) await verdicts.read(entry);
    },
    'task.open': async (argument) => {
      const entry = targets.entry(argument);
      const file = entry?.task.configText === null ? entry.task.layout.instruction : 'task.toml';
      if (entry !== null && file !== null) await open(Uri.joinPath(entry.uri, file));
    },
    'task.reveal': async (argument) => {
      const folder = targets.folder(argument);
      if (folder !== null) await commands.executeCommand('revealInExplorer', folder);
    },
    'task.copyPath': async (argument) => {
      const folder = targets.folder(argument);
      if (folder !== null) await env.clipboard.writeText(folder.fsPath);
    },
    'gate.copyReproduction': async (argument) => {
      const entry = targets.entry(argument);
      if (entry === null) return;
      const { root } = await findWorkspace(files, entry.task.dir, entry.folder.uri.fsPath);
      const gates = targets.gates(argument) ?? wantedGates(entry);
      const line = reproductionCommand(
        [pathFrom(root, entry.task.dir)],
        gates,
        targets.strategy(argument),
        runSettings(entry.uri),
      );
      await env.clipboard.writeText(line);
      window.setStatusBarMessage(`$(copy) ${l10n.t('Copied: {0}', line)}`, 5_000);
    },
    'receipt.open': async (argument) => {
      const entry = targets.entry(argument);
      const receipt = entry === null ? null : verdicts.of(entry.task.dir).receipt;
      if (receipt !== null) await open(Uri.file(receipt));
    },
    'trial.openVerifierOutput': async (argument) => {
      const trial = targets.trial(argument);
      if (trial !== null) await openVerifierOutput(files, trial);
    },
    'trial.reveal': async (argument) => {
      const trial = targets.trial(argument);
      if (trial === null) return;
      const uri = Uri.file(trial);
      const inside = (workspace.workspaceFolders ?? []).some((folder) => pathBelow(folder.uri.fsPath, trial) !== null);
      if ((await files.stat(trial)) === null)
        void window.showWarningMessage(l10n.t('The trial folder {0} is no longer there.', trial));
      else await commands.executeCommand(inside ? 'revealInExplorer' : 'revealFileInOS', uri);
    },
    'docker.tryAgain': () => docker.tryAgain(),
    'engine.choose': () => commands.executeCommand('workbench.action.openSettings', 'taskwright.docker.host'),
    'log.show': () => {
      log.show();
    },
  };
  return Disposable.from(
    ...Object.entries(handlers).map(([name, handler]) => commands.registerCommand(`taskwright.${name}`, handler)),
  );
}

async function open(uri: Uri): Promise<void> {
  await commands.executeCommand('vscode.open', uri, { preview: true });
}

/** What the verifier printed; where it printed nothing or never ran, the trial's own log says why. */
async function openVerifierOutput(files: Files, trial: string): Promise<void> {
  for (const names of [['verifier', 'test-stdout.txt'], ['exception.txt'], ['trial.log']]) {
    const path = files.join(trial, ...names);
    const found = await files.stat(path);
    if (found?.kind !== 'file' || found.size === 0) continue;
    await commands.executeCommand('vscode.open', Uri.file(path), { preview: true, viewColumn: ViewColumn.Active });
    return;
  }
  void window.showWarningMessage(l10n.t('The trial folder {0} holds no verifier output.', trial));
}
