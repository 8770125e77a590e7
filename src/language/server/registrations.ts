import type { ClientCapabilities, Connection, ServerCapabilities } from 'vscode-languageserver/node';
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

/** Another extension for TOML folds and formats as it likes: two would fight over the same text. */
export function capabilities(dynamic: DynamicSupport, otherToml = false): ServerCapabilities {
  return {
    completionProvider: { triggerCharacters: ['[', '.', '=', '"', "'", '{', '$'] },
    hoverProvider: true,
    documentSymbolProvider: true,
    inlayHintProvider: true,
    ...(!otherToml && { foldingRangeProvider: true, documentFormattingProvider: true }),
    // Said in either case: the library would ask for changes by itself, and each would come twice.
    textDocumentSync: dynamic.files
      ? TextDocumentSyncKind.None
      : { openClose: true, change: TextDocumentSyncKind.Incremental },
    ...(!dynamic.files && {
      diagnosticProvider: diagnosticOptions,
      codeActionProvider: codeActionOptions,
      documentLinkProvider: {},
    }),
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}

/**
 * Asks for every file of the disk, since tasks come and go and a registration that changed would lose what is typed
 * meanwhile: a client that knows the tasks sends no others, and files of no task get no answers.
 */
export async function registerFiles(connection: Connection, dynamic: DynamicSupport): Promise<void> {
  const registration = BulkRegistration.create();
  const documentSelector = [{ scheme: 'file' }];
  if (dynamic.files) {
    registration.add(DidOpenTextDocumentNotification.type, { documentSelector });
    registration.add(DidChangeTextDocumentNotification.type, {
      documentSelector,
      syncKind: TextDocumentSyncKind.Incremental,
    });
    registration.add(DidCloseTextDocumentNotification.type, { documentSelector });
    registration.add(DocumentDiagnosticRequest.type, { documentSelector, ...diagnosticOptions });
    registration.add(CodeActionRequest.type, { documentSelector, ...codeActionOptions });
    registration.add(DocumentLinkRequest.type, { documentSelector });
  }
  if (dynamic.watchedFiles)
    registration.add(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
  if (dynamic.configuration) registration.add(DidChangeConfigurationNotification.type, { section: 'taskwright' });
  if (dynamic.files || dynamic.watchedFiles || dynamic.configuration) await connection.client.register(registration);
}
