import { EventEmitter, LogLevel, window, workspace } from 'vscode';
import type { CancellationToken, ConfigurationScope, LogOutputChannel, OutputChannel } from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import type { ErrorHandler } from 'vscode-languageclient/node';
import type { LanguageMessages, LanguageOptions, LanguageRequests, TaskFindings } from '../../protocol/language';
import type { ServerState } from '../findings';
import type { LanguageService } from './language';
import { TaskFiles } from './task-files';

export interface ClientNeeds {
  /** Absolute path of the server's bundle. */
  readonly server: string;
  readonly options: LanguageOptions;
  readonly log: LogOutputChannel;
  readonly onFindings: (findings: TaskFindings) => void;
  readonly onState: (state: ServerState) => void;
}

// A bundle of its own (dist/client.js): the client's library is larger than all of the rest, and is loaded with the
// first task.

/** Starts the server, and starts it again when it ends unasked; after several times in a few minutes it stays ended. */
export function startClient({ server, options, log, onFindings, onState }: ClientNeeds): LanguageService {
  const trace = new Trace(log);
  let standard: ErrorHandler | null = null;
  const taskFiles = new TaskFiles((document) => {
    const opened = client.getFeature('textDocument/didOpen').getProvider(document)?.send(document);
    void opened?.catch(() => undefined);
  });
  const client: LanguageClient = new LanguageClient(
    'taskwright',
    'Taskwright',
    {
      run: { module: server, transport: TransportKind.ipc },
      debug: { module: server, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6071'] } },
    },
    {
      // Further files are registered by the server, which knows what belongs to a task.
      documentSelector: [{ scheme: 'file', pattern: '**/task.toml' }],
      initializationOptions: options,
      diagnosticCollectionName: 'taskwright',
      diagnosticPullOptions: { onChange: true, onSave: true },
      outputChannel: prefixed(log, 'Language server: '),
      traceOutputChannel: trace.channel,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: async () => {
          standard ??= client.createDefaultErrorHandler();
          const { action } = await standard.closed();
          const ends = action === CloseAction.DoNotRestart;
          log.error(
            `The language server ended unasked${ends ? ' several times, and stays ended' : ', and is started again'}.`,
          );
          if (ends) onState('stopped');
          // The views say it, and offer what to do.
          return { action, handled: true };
        },
      },
      middleware: {
        ...taskFiles.middleware,
        workspace: {
          // What nobody set is not told, so that the server can tell a choice from a default.
          configuration: ({ items }) =>
            items.map(({ section, scopeUri }) =>
              section === 'taskwright'
                ? chosenSettings(scopeUri === undefined ? null : client.protocol2CodeConverter.asUri(scopeUri))
                : null,
            ),
        },
      },
    },
  );
  client.onNotification('taskwright/findings', onFindings);
  let dirs: readonly string[] = [];
  const tell = (): void => {
    const message: LanguageMessages['taskwright/tasks'] = { dirs };
    // A server that is not there is told when it is.
    if (!client.isRunning()) return;
    void client.sendNotification('taskwright/tasks', message).catch(() => undefined);
    taskFiles.setTasks(dirs);
  };
  const states = client.onDidChangeState(({ newState }) => {
    if (newState !== State.Running) taskFiles.forget();
    if (newState === State.Starting) onState('starting');
    if (newState === State.Running) onState('running');
    tell();
  });
  void client.start().catch((error: unknown) => {
    log.error(`The language server did not start: ${error instanceof Error ? error.message : String(error)}`);
    onState('stopped');
  });
  const ask = async <M extends keyof LanguageRequests>(
    method: M,
    params: LanguageRequests[M]['params'],
    token: CancellationToken,
  ): Promise<LanguageRequests[M]['result'] | null> => {
    try {
      return await client.sendRequest<LanguageRequests[M]['result']>(method, params, token);
    } catch (error) {
      if (token.isCancellationRequested) return null;
      throw error;
    }
  };
  return {
    check: (taskDir, token) => ask('taskwright/check', { taskDir }, token),
    allow: (request, token) => ask('taskwright/allow', request, token),
    setTasks: (wanted) => {
      dirs = wanted;
      tell();
    },
    dispose: () => {
      states.dispose();
      trace.dispose();
      // A client that is still starting ends once it has started.
      return client.dispose(2_000).catch(() => undefined);
    },
  };
}

function chosenSettings(scope: ConfigurationScope | null): Readonly<Record<string, unknown>> {
  const configuration = workspace.getConfiguration('taskwright', scope);
  const isSet = (name: string): boolean => {
    const found = configuration.inspect(name);
    return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some(
      (value) => value !== undefined,
    );
  };
  return Object.fromEntries(
    ['rules', 'profile'].filter(isSet).map((name): [string, unknown] => [name, configuration.get(name)]),
  );
}

/** The extension's own log, with a word on who speaks. */
function prefixed(log: LogOutputChannel, prefix: string): LogOutputChannel {
  const say = (write: (text: string, ...rest: unknown[]) => void): PropertyDescriptor => ({
    value: (text: unknown, ...rest: unknown[]) => {
      write(prefix + (text instanceof Error ? (text.stack ?? text.message) : String(text)), ...rest);
    },
  });
  return Object.create(log, {
    trace: say(log.trace.bind(log)),
    debug: say(log.debug.bind(log)),
    info: say(log.info.bind(log)),
    warn: say(log.warn.bind(log)),
    error: say(log.error.bind(log)),
    appendLine: say(log.info.bind(log)),
    // It is not the client's to end.
    dispose: { value: () => undefined },
  }) as LogOutputChannel;
}

/** What client and server say to each other, in a channel that is made when the setting asks for it. */
class Trace {
  readonly channel: LogOutputChannel;
  private output: OutputChannel | null = null;
  private readonly levels = new EventEmitter<LogLevel>();
  private readonly following = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('taskwright.trace.server')) this.levels.fire(level());
  });

  constructor(log: LogOutputChannel) {
    const write: PropertyDescriptor = {
      value: (text: unknown) => {
        this.output ??= window.createOutputChannel('Taskwright Language Server');
        this.output.appendLine(`${new Date().toISOString()} ${String(text)}`);
      },
    };
    this.channel = Object.create(log, {
      // The client writes a trace where the channel's level asks for it.
      logLevel: { get: level },
      onDidChangeLogLevel: { value: this.levels.event },
      trace: write,
      debug: write,
      info: write,
      warn: write,
      error: write,
      append: write,
      appendLine: write,
      dispose: { value: () => undefined },
    }) as LogOutputChannel;
  }

  dispose(): void {
    this.output?.dispose();
    this.levels.dispose();
    this.following.dispose();
  }
}

function level(): LogLevel {
  const wanted = workspace.getConfiguration('taskwright').get<string>('trace.server', 'off');
  return wanted === 'off' ? LogLevel.Info : LogLevel.Trace;
}
