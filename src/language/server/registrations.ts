import type { ClientCapabilities, Connection, Disposable, ServerCapabilities } from 'vscode-languageserver/node';
import {
  BulkRegistration,
  CodeActionKind,
  CodeActionRequest,
  DidChangeConfigurationNotification,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentLinkRequest,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import path from 'node:path';
import { uriOfPath } from './places';

/** What the client can be told later than at the start. */
export interface DynamicSupport {
  /** Files of tasks, wherever they are: synchronised, judged, mended and linked. */
  readonly files: boolean;
  readonly watchedFiles: boolean;
  readonly configuration: boolean;
}

export function dynamicSupport({ textDocument, workspace }: ClientCapabilities): DynamicSupport {
  const { synchronization, diagnostic, codeAction, documentLink } = textDocument ?? {};
  return {
    files: [synchronization, diagnostic, codeAction, documentLink].every((one) => one?.dynamicRegistration === true),
    watchedFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    configuration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
  };
}

const diagnosticOptions = { interFileDependencies: true, workspaceDiagnostics: true } as const;
const codeActionOptions = { codeActionKinds: [CodeActionKind.QuickFix, `${CodeActionKind.SourceFixAll}.taskwright`] };

export function capabilities(dynamic: DynamicSupport, otherToml: boolean): ServerCapabilities {
  return {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    completionProvider: { triggerCharacters: ['[', '.', '=', '"', "'", '{', '$'] },
    hoverProvider: true,
    ...(!dynamic.files && {
      diagnosticProvider: diagnosticOptions,
      codeActionProvider: codeActionOptions,
    }),
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    ...(otherToml ? {} : {}),
  };
}

/** More folders than this are not named one by one. */
const maxPatterns = 50;

/** Tells the client which files are of tasks; the last word counts. */
export class Registrations {
  private current: Promise<Disposable | null> = Promise.resolve(null);
  private patterns = '';

  constructor(private readonly connection: Connection) {}

  async start(dynamic: DynamicSupport): Promise<void> {
    const registration = BulkRegistration.create();
    if (dynamic.watchedFiles)
      registration.add(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
    if (dynamic.configuration) registration.add(DidChangeConfigurationNotification.type, { section: 'taskwright' });
    if (dynamic.watchedFiles || dynamic.configuration) await this.connection.client.register(registration);
  }

  setTasks(dirs: readonly string[]): void {
    const folders = dirs.length <= maxPatterns ? dirs : [...new Set(dirs.map((dir) => path.dirname(dir)))];
    const pattern = dirs.length <= maxPatterns ? '**' : '*/**';
    const key = JSON.stringify([folders, pattern]);
    if (key === this.patterns) return;
    this.patterns = key;
    const documentSelector = [
      { scheme: 'file', pattern: '**/task.toml' },
      ...folders.map((folder) => ({ scheme: 'file', pattern: { baseUri: uriOfPath(folder), pattern } })),
    ];
    const before = this.current;
    this.current = (async () => {
      const registration = BulkRegistration.create();
      registration.add(DidOpenTextDocumentNotification.type, { documentSelector });
      registration.add(DidChangeTextDocumentNotification.type, {
        documentSelector,
        syncKind: TextDocumentSyncKind.Incremental,
      });
      registration.add(DidCloseTextDocumentNotification.type, { documentSelector });
      registration.add(DocumentDiagnosticRequest.type, { documentSelector, ...diagnosticOptions });
      registration.add(CodeActionRequest.type, { documentSelector, ...codeActionOptions });
      registration.add(DocumentLinkRequest.type, { documentSelector });
      (await before)?.dispose();
      return this.connection.client.register(registration);
    })();
  }
}
