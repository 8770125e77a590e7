import { EventEmitter, type Event } from 'vscode';
import type { Finding, Severity } from '../core/finding';
import type { TaskFindings } from '../protocol/language';
import { setContextKey } from './context-keys';
import { disposeAll, type Lifetime } from './lifetime';

/** `idle`: there is no task yet. `stopped`: it ended several times, and is not started again by itself. */
export type ServerState = 'idle' | 'starting' | 'running' | 'stopped';

export type Counts = Readonly<Record<Severity, number>>;

/** What the language server found in every task, on the open texts. The one place that all surfaces look at. */
export class Findings implements Lifetime {
  private readonly known = new Map<string, TaskFindings>();
  private readonly changed = new EventEmitter<string>();
  private readonly serverChanged = new EventEmitter<ServerState>();
  private state: ServerState = 'idle';

  /** Gives the folder of the task. */
  readonly onDidChange: Event<string> = this.changed.event;
  readonly onDidChangeServer: Event<ServerState> = this.serverChanged.event;

  dispose(): void {
    disposeAll([this.changed, this.serverChanged]);
  }

  get server(): ServerState {
    return this.state;
  }

  /** null: not known yet. */
  of(taskDir: string): TaskFindings | null {
    return this.known.get(taskDir) ?? null;
  }

  set(findings: TaskFindings): void {
    this.known.set(findings.taskDir, findings);
    this.changed.fire(findings.taskDir);
  }

  /** Tasks that are gone are forgotten. */
  retain(dirs: readonly string[]): void {
    const wanted = new Set(dirs);
    for (const dir of this.known.keys()) if (!wanted.has(dir)) this.known.delete(dir);
  }

  setServer(state: ServerState): void {
    if (state === this.state) return;
    this.state = state;
    setContextKey('taskwright.serverState', state);
    this.serverChanged.fire(state);
  }
}

/** Rules about one property of a task, which says how hard its verifier is to deceive (task-rules.md, section 18). */
const tamperRules: ReadonlySet<string> = new Set([
  'verifier-stale-reward',
  'verifier-agent-controlled-test-config',
  'config-shared-verifier-root-agent',
]);

export function isTamperResistance({ ruleId }: Finding): boolean {
  return tamperRules.has(ruleId);
}

export const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** null for none. */
export function worstOf(findings: readonly Finding[]): Severity | null {
  return severities.find((severity) => findings.some((finding) => finding.severity === severity)) ?? null;
}

export function countsOf(findings: readonly Finding[]): Counts {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}
