import { commands, EventEmitter, l10n, window, type Disposable, type Event, type LogOutputChannel } from 'vscode';
import type { EngineEvent } from '../protocol/engine';
import { setContextKey, type DockerState } from './context-keys';
import type { EngineClient } from './engine-client';

/** Reasons of `engine-failed` that mean: nobody answered. */
const unreachable = new Set(['unreachable', 'no-engine', 'engine-failed', 'not-found', 'denied', 'refused']);

/** Knows whether the container engine answers. It is only ever asked by a run, or when a person says so. */
export class DockerMonitor implements Disposable {
  private current: DockerState = 'unknown';
  private asking: AbortController | null = null;
  private what: string | null = null;
  private readonly changed = new EventEmitter<void>();

  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    private readonly engine: EngineClient,
    private readonly log: LogOutputChannel,
    private readonly settingOf: () => { readonly dockerHost: string | null; readonly cwd: string },
  ) {}

  get state(): DockerState {
    return this.current;
  }

  /** Which engine answered, or why none did; null when that is not known. */
  get detail(): string | null {
    return this.what;
  }

  dispose(): void {
    this.asking?.abort();
    this.changed.dispose();
  }

  onEvent(event: EngineEvent): void {
    if (event.type === 'engine-connected') {
      this.log.info(`Container engine ${event.version} at ${event.endpoint} (${event.source})`);
      this.set('reachable', l10n.t('{0} at {1}', event.version, event.endpoint));
    } else if (event.type === 'engine-failed') {
      this.log.error(`Container engine: ${event.message}`);
      if (unreachable.has(event.reason)) this.fail(event.message);
    }
  }

  /** Looks for the engine, as a person asked. */
  async tryAgain(): Promise<void> {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { dockerHost, cwd } = this.settingOf();
    const end = await window.withProgress({ location: { viewId: 'taskwright.tasks' } }, () =>
      this.engine.run({ args: ['doctor', '--format', 'json'], cwd, dockerHost, signal: asking.signal }),
    );
    if (end.kind === 'cancelled') return;
    if (end.kind === 'crashed') {
      this.fail(end.message);
      return;
    }
    const check = engineCheck(end.stdout);
    if (check?.status === 'problem') {
      this.log.error(`Container engine: ${check.message}`);
      this.fail(check.message);
    } else if (check !== null) {
      this.log.info(check.message);
      this.set('reachable', check.message);
      window.setStatusBarMessage(`$(check) ${l10n.t('Docker is reachable')}`, 5_000);
    } else this.fail(end.stderr.trim());
  }

  private set(state: DockerState, detail: string): void {
    this.current = state;
    this.what = detail;
    this.changed.fire();
    setContextKey('taskwright.dockerState', state);
  }

  private fail(message: string): void {
    this.set('unreachable', message);
    const choose = l10n.t('Choose Engine');
    const show = l10n.t('Show Log');
    void window.showErrorMessage(l10n.t('Docker is not reachable. {0}', message), choose, show).then((chosen) => {
      if (chosen === choose) void commands.executeCommand('taskwright.engine.choose');
      if (chosen === show) void commands.executeCommand('taskwright.log.show');
    });
  }
}

/** The engine's line of `doctor --format json`. */
function engineCheck(text: string): { readonly status: string; readonly message: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const checks = typeof value === 'object' && value !== null && 'checks' in value ? value.checks : null;
  if (!Array.isArray(checks)) return null;
  for (const check of checks as unknown[]) {
    if (typeof check !== 'object' || check === null || !('id' in check) || check.id !== 'engine') continue;
    if (
      'status' in check &&
      typeof check.status === 'string' &&
      'message' in check &&
      typeof check.message === 'string'
    )
      return { status: check.status, message: check.message };
  }
  return null;
}
