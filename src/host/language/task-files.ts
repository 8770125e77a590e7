import { workspace, type TextDocument, type TextDocumentChangeEvent, type Uri } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { pathBelow } from '../../core/workspace';

/** Opens a document for the server, by way of the middleware. */
export type Open = (document: TextDocument) => void;

/** Lets only files of tasks through to the server, which asks for every file. */
export class TaskFiles {
  private dirs: readonly string[] = [];
  private readonly synced = new Set<string>();

  constructor(private readonly open: Open) {}

  /** Documents that now belong to a task, and were open before, are opened for the server too. */
  setTasks(dirs: readonly string[]): void {
    this.dirs = dirs;
    for (const document of workspace.textDocuments) {
      if (!this.isSynced(document.uri) && this.belongs(document.uri)) this.open(document);
    }
  }

  /** A server that starts anew knows nothing. */
  forget(): void {
    this.synced.clear();
  }

  readonly middleware: Middleware = {
    didOpen: async (document, next) => {
      if (!this.belongs(document.uri) || this.isSynced(document.uri)) return;
      this.synced.add(document.uri.toString());
      await next(document);
    },
    didChange: async (event: TextDocumentChangeEvent, next) => {
      if (this.isSynced(event.document.uri)) await next(event);
    },
    didClose: async (document, next) => {
      if (this.synced.delete(document.uri.toString())) await next(document);
    },
    provideDiagnostics: (document, previousResultId, token, next) =>
      this.belongs('uri' in document ? document.uri : document) ? next(document, previousResultId, token) : undefined,
    provideCodeActions: (document, range, context, token, next) =>
      this.isSynced(document.uri) ? next(document, range, context, token) : undefined,
    provideDocumentLinks: (document, token, next) => (this.isSynced(document.uri) ? next(document, token) : undefined),
  };

  private isSynced(uri: Uri): boolean {
    return this.synced.has(uri.toString());
  }

  private belongs(uri: Uri): boolean {
    if (uri.scheme !== 'file') return false;
    return /\/task(?:wright)?\.toml$/.test(uri.path) || this.dirs.some((dir) => pathBelow(dir, uri.fsPath) !== null);
  }
}
