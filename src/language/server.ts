import type { ClientCapabilities, Connection } from 'vscode-languageserver/node';
import { FileChangeType } from 'vscode-languageserver/node';
import path from 'node:path';
import type { Files } from '../core/files';
import { settingsFile } from '../core/settings/read';
import { findTasks } from '../core/task/find';
import type { Grammars } from '../core/text/syntax-tree';
import { pathBelow } from '../core/workspace';
import type { LanguageMessages, LanguageOptions } from '../protocol/language';
import { Diagnostics } from './server/diagnostics';
import { OpenDocuments } from './server/documents';
import { listenForFeatures } from './server/features';
import { pathOfUri } from './server/places';
import { capabilities, dynamicSupport, registerFiles } from './server/registrations';
import { SettingsSource } from './server/settings-source';
import { listenForTaskRequests } from './server/task-requests';
import { TaskStates } from './server/task-states';

export interface ServerNeeds {
  readonly files: Files;
  /** null: shell and Python cannot be read. */
  readonly grammars: () => Promise<Grammars | null>;
  /** Names of the host's environment variables. */
  readonly variables: readonly string[];
}

/** Milliseconds from a change on disk to the question for new diagnostics. */
const settleMs = 250;

/** Serves a client until the connection ends. */
export function serve(connection: Connection, { files, grammars, variables }: ServerNeeds): void {
  const settings = new SettingsSource(connection, files);
  const states = new TaskStates({
    files,
    grammars,
    settingsOf: (dir) => settings.of(dir),
    onRuleTrouble: (ruleId, dir, error) => {
      connection.console.error(`The rule ${ruleId} failed on ${dir}: ${wordsOf(error)}`);
    },
  });
  const diagnostics = new Diagnostics(connection, states);
  const documents = new OpenDocuments(connection, files, states, (dir) => {
    diagnostics.quiet.touch();
    diagnostics.workspace.touch(dir);
  });
  let client: ClientCapabilities = {};
  let options: LanguageOptions = {};

  const setFolders = (folders: readonly string[]): void => {
    documents.folders = folders;
    settings.folders = folders;
    settings.forgetAll();
  };
  const applySettings = (): void => {
    settings.forgetAll();
    states.touchAll();
    diagnostics.workspace.touchAll();
    refreshSoon();
  };
  const setTasks = async (dirs: readonly string[]): Promise<void> => {
    for (const dir of documents.tasks) if (!dirs.includes(dir)) diagnostics.forget(dir);
    documents.tasks = new Set(dirs);
    await documents.sort();
    diagnostics.workspace.setTasks(dirs);
  };
  const searchTasks = async (): Promise<void> => {
    if (options.sendsTasks === true) return;
    const found = await Promise.all(documents.folders.map((folder) => findTasks(files, folder)));
    await setTasks(found.flatMap(({ kind, places }) => (kind === 'file' ? [] : places)));
  };

  let timer: NodeJS.Timeout | null = null;
  const refreshSoon = (): void => {
    if (client.workspace?.diagnostics?.refreshSupport !== true) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      void connection.languages.diagnostics.refresh();
    }, settleMs);
  };

  connection.onInitialize(({ capabilities: own, initializationOptions, workspaceFolders }) => {
    client = own;
    options = (initializationOptions ?? {}) as LanguageOptions;
    diagnostics.options = options;
    settings.asksClient = own.workspace?.configuration === true;
    setFolders((workspaceFolders ?? []).flatMap(({ uri }) => pathOfUri(uri) ?? []));
    return {
      serverInfo: { name: 'taskwright' },
      capabilities: capabilities(dynamicSupport(own), options.otherToml === true),
    };
  });

  connection.onInitialized(async () => {
    await registerFiles(connection, dynamicSupport(client));
    if (client.workspace?.workspaceFolders === true) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => pathOfUri(uri)));
        const more = added.flatMap(({ uri }) => pathOfUri(uri) ?? []);
        setFolders([...documents.folders.filter((folder) => !gone.has(folder)), ...more]);
        void searchTasks();
      });
    }
    await searchTasks();
  });

  connection.onNotification('taskwright/tasks', async ({ dirs }: LanguageMessages['taskwright/tasks']) => {
    await setTasks(dirs);
  });

  connection.onDidChangeConfiguration(applySettings);

  connection.onDidChangeWatchedFiles(async ({ changes }) => {
    let isOpen = false;
    let isTask = false;
    for (const { uri, type } of changes) {
      const file = pathOfUri(uri);
      if (file === null || /[\\/](?:\.git|node_modules)[\\/]/u.test(file)) continue;
      if (path.basename(file) === settingsFile) applySettings();
      isTask ||= type !== FileChangeType.Changed && /[\\/]task\.toml$/u.test(file);
      for (const dir of documents.tasks) {
        if (pathBelow(dir, file) === null) continue;
        states.touch(dir);
        diagnostics.workspace.touch(dir);
        isOpen ||= states.hasOpen(dir);
      }
    }
    if (isTask) await searchTasks();
    if (isOpen) refreshSoon();
  });

  connection.onShutdown(() => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    client = {};
  });

  diagnostics.listen(documents);
  listenForTaskRequests(connection, { states, diagnostics, grammars, settingsOf: (dir) => settings.of(dir) });
  listenForFeatures(connection, {
    documents,
    states,
    variables,
    grammars,
    settingsOf: (dir) => settings.of(dir),
    judge: (dir, isCancelled) => diagnostics.judge(dir, isCancelled),
    shownIn: (dir) => diagnostics.shownIn(dir),
    client: () => client,
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
