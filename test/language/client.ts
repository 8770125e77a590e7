import { PassThrough } from 'node:stream';
import {
  createConnection,
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type DocumentDiagnosticReport,
  type InitializeResult,
  type ProtocolConnection,
  type RegistrationParams,
  type ServerCapabilities,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver/node';
import type { Files } from '../../src/core/files';
import { serve } from '../../src/language/server';
import type { LanguageOptions, TaskFindings } from '../../src/protocol/language';
import { grammars } from '../core/grammars';

/** A server and a client that speaks to it over a pair of streams. */
export interface Client {
  readonly connection: ProtocolConnection;
  /** What the server said it can do. */
  capabilities: ServerCapabilities;
  readonly registered: { readonly method: string; readonly options: unknown }[];
  readonly findings: TaskFindings[];
  readonly logged: string[];
  refreshes: number;
  /** What `workspace/configuration` is answered. */
  settings: Record<string, unknown>;
  open(path: string, text: string): Promise<void>;
  /** Replaces a range given as two offsets of the text that was sent last. */
  type(path: string, start: number, end: number, newText: string): Promise<void>;
  close(path: string): Promise<void>;
  pull(path: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
  pullWorkspace(previous?: Readonly<Record<string, string>>): Promise<WorkspaceDiagnosticReport>;
  /** `line:character-line:character severity code: message`, without the reason. */
  problems(path: string): Promise<string>;
  changed(path: string, type?: 1 | 2 | 3): Promise<void>;
  /** Resolves once `holds`, looked at after every message. */
  until(holds: () => boolean): Promise<void>;
  end(): Promise<void>;
}

const severities = ['', 'error', 'warning', 'information', 'hint'];

export async function startClient(
  files: Files,
  given: {
    readonly folders?: readonly string[];
    readonly options?: LanguageOptions;
    readonly capabilities?: ClientCapabilities;
    readonly variables?: readonly string[];
  } = {},
): Promise<Client> {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  serve(server, { files, grammars: async () => grammars, variables: given.variables ?? [] });
  server.listen();

  const connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  const texts = new Map<string, { text: string; version: number }>();
  const waiting = new Set<{ holds: () => boolean; done: () => void }>();
  const look = (): void => {
    for (const one of waiting) {
      if (!one.holds()) continue;
      waiting.delete(one);
      one.done();
    }
  };
  const uri = (path: string): string => `file://${path}`;
  const client: Client = {
    connection,
    capabilities: {},
    registered: [],
    findings: [],
    logged: [],
    refreshes: 0,
    settings: {},
    open: async (path, text) => {
      texts.set(path, { text, version: 1 });
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(path), languageId: 'plaintext', version: 1, text },
      });
    },
    type: async (path, start, end, newText) => {
      const document = texts.get(path)!;
      const at = (offset: number): { line: number; character: number } => {
        const before = document.text.slice(0, offset).split(/\r\n|\n/);
        return { line: before.length - 1, character: before.at(-1)!.length };
      };
      const range = { start: at(start), end: at(end) };
      document.text = document.text.slice(0, start) + newText + document.text.slice(end);
      document.version++;
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(path), version: document.version },
        contentChanges: [{ range, text: newText }],
      });
    },
    close: async (path) => {
      texts.delete(path);
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(path) } });
    },
    pull: (path, previousResultId) =>
      connection.sendRequest('textDocument/diagnostic', { textDocument: { uri: uri(path) }, previousResultId }),
    pullWorkspace: (previous = {}) =>
      connection.sendRequest('workspace/diagnostic', {
        previousResultIds: Object.entries(previous).map(([path, value]) => ({ uri: uri(path), value })),
      }),
    problems: async (path) => {
      const report = await client.pull(path);
      if (report.kind !== 'full') return 'unchanged';
      return report.items
        .map(({ range: { start, end }, severity, code, message }) => {
          const place = `${start.line}:${start.character}-${end.line}:${end.character}`;
          const [words] = (typeof message === 'string' ? message : message.value).split('\n');
          return `${place} ${severities[severity ?? 0] ?? ''} ${code ?? ''}: ${words ?? ''}`;
        })
        .join('\n');
    },
    changed: (path, type = 2) =>
      connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: uri(path), type }] }),
    until: async (holds) => {
      if (holds()) return;
      await new Promise<void>((done) => waiting.add({ holds, done }));
    },
    end: async () => {
      await connection.sendRequest('shutdown');
      connection.dispose();
      server.dispose();
    },
  };
  connection.onNotification('taskwright/findings', (message: TaskFindings) => {
    client.findings.push(message);
    look();
  });
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    client.logged.push(message);
    look();
  });
  connection.onRequest('client/registerCapability', ({ registrations }: RegistrationParams) => {
    for (const { method, registerOptions } of registrations)
      client.registered.push({ method, options: registerOptions });
    look();
    return null;
  });
  connection.onRequest('client/unregisterCapability', () => null);
  connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) =>
    items.map(() => client.settings),
  );
  connection.onRequest('workspace/diagnostic/refresh', () => {
    client.refreshes++;
    look();
    return null;
  });
  connection.listen();
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: null,
    rootUri: null,
    capabilities: given.capabilities ?? {
      workspace: { configuration: true, diagnostics: { refreshSupport: true } },
      textDocument: { completion: { completionItem: { snippetSupport: true } } },
    },
    workspaceFolders: (given.folders ?? ['/w']).map((path) => ({ uri: uri(path), name: 'w' })),
    initializationOptions: given.options,
  });
  client.capabilities = capabilities;
  await connection.sendNotification('initialized', {});
  return client;
}
