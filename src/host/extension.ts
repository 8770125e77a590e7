import { ExtensionMode, Uri, window, workspace, type ExtensionContext, type WorkspaceFolder } from 'vscode';
import { nodeFiles } from '../node/files';
import { Activity } from './activity';
import type { TaskSummary, TaskwrightApi } from './api';
import { registerCommands } from './commands/register';
import { taskDecorations } from './decorations';
import { DockerMonitor } from './docker-monitor';
import { EngineClient } from './engine-client';
import { Findings } from './findings';
import { Language } from './language/language';
import { gateLenses } from './lens/gate-lens';
import { disposeAll, type Lifetime } from './lifetime';
import { noticeViews } from './notice-views';
import { lazyReader } from './reading';
import { runSettings } from './settings';
import { languageStatus } from './status/language-status';
import { runningStatus } from './status/running-status';
import { TaskIndex } from './task-index';
import { TestExplorer } from './tests/explorer';
import { Expansion } from './tree/expansion';
import { TasksTree } from './tree/tasks-view';
import { Verdicts } from './verdicts';

/** Registers everything and returns. Nothing is read and no engine is asked before this has returned. */
export function activate(context: ExtensionContext): TaskwrightApi {
  const started = performance.now();
  const log = window.createOutputChannel('Taskwright', { log: true });
  const files = nodeFiles;
  const reader = lazyReader(context.asAbsolutePath('dist/reader.js'), files);
  const tasks = new TaskIndex(reader, log, jobsFolders);
  const verdicts = new Verdicts(files, reader, context.workspaceState, log);
  const activity = new Activity();
  const findings = new Findings();
  const language = new Language(context, tasks, findings, log);
  const engine = new EngineClient(context.asAbsolutePath('dist/cli.js'), log);
  const docker = new DockerMonitor(engine, log, engineSetting);
  const tree = new TasksTree(tasks, verdicts, activity, findings, new Expansion(context.workspaceState));
  const explorer = new TestExplorer({ tasks, verdicts, activity, engine, docker, files, reader, log });
  const needs = { tasks, verdicts, explorer, tree, engine, docker, files, language, log, context };
  const status = languageStatus({ tasks, findings, docker });
  context.subscriptions.push(
    log,
    tasks,
    verdicts,
    activity,
    findings,
    language,
    engine,
    docker,
    tree,
    explorer,
    noticeViews(),
    runningStatus(activity),
    status,
    gateLenses({ tasks, verdicts, findings }),
    taskDecorations(tasks, verdicts),
    registerCommands(needs),
    followReceipts(tasks, verdicts),
  );
  setImmediate(() => {
    tasks.start();
  });
  const milliseconds = performance.now() - started;
  log.info(`Activated in ${milliseconds.toFixed(1)} ms`);
  const api: TaskwrightApi = {
    version: 1,
    listTasks: async (): Promise<readonly TaskSummary[]> => {
      if (!tasks.scanned) await tasks.refresh();
      return tasks.entries.map(({ task: { dir, name, harbor } }) => ({ dir, name, ...harbor }));
    },
  };
  if (context.extensionMode !== ExtensionMode.Test) return api;
  // Our own suite looks at what is drawn, which VS Code gives to nobody.
  return Object.assign(api, { testing: { ...needs, activity, findings, status, milliseconds } });
}

/** Receipts are read when a task is, and when something changes below a `.taskwright` folder. */
function followReceipts(tasks: TaskIndex, verdicts: Verdicts): Lifetime {
  const readAll = async (): Promise<void> => {
    for (const entry of tasks.entries) await verdicts.read(entry);
  };
  let timer: NodeJS.Timeout | null = null;
  const links = [
    tasks.onDidChange(({ changed }) => {
      void (async () => {
        for (const entry of changed ?? tasks.entries) await verdicts.read(entry);
      })();
    }),
    tasks.onDidTouchReceipts(() => {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void readAll(), 250);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('taskwright')) void readAll();
    }),
  ];
  return {
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      disposeAll(links);
    },
  };
}

/** Jobs hold copies of many things, and no task of their own. */
function jobsFolders(folder: WorkspaceFolder): readonly string[] {
  const { jobsDir } = runSettings(folder.uri);
  const dir = jobsDir ?? 'jobs';
  return [dir.startsWith('/') || /^[A-Za-z]:/.test(dir) ? dir : Uri.joinPath(folder.uri, dir).fsPath];
}

function engineSetting(): { readonly dockerHost: string | null; readonly cwd: string } {
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  if (folder === undefined) return { dockerHost: null, cwd: process.cwd() };
  return { dockerHost: runSettings(folder.uri).dockerHost, cwd: folder.uri.fsPath };
}
