import { EventEmitter, type Disposable, type Event } from 'vscode';
import type { GateName } from '../core/gates/verdict';

export type GateState = { readonly kind: 'queued' } | { readonly kind: 'running'; readonly phase: string | null };

/** What runs right now, for every surface that shows it. Written by the test runs alone. */
export class Activity implements Disposable {
  private readonly tasks = new Map<string, Map<GateName, GateState>>();
  private readonly changed = new EventEmitter<string>();
  private total = 0;
  private finished = 0;

  /** Gives the folder of the task whose activity changed. */
  readonly onDidChange: Event<string> = this.changed.event;

  dispose(): void {
    this.changed.dispose();
  }

  get running(): boolean {
    return this.tasks.size > 0;
  }

  /** Gates decided and gates asked for since the last time that nothing ran. */
  get progress(): { readonly finished: number; readonly total: number } {
    return { finished: this.finished, total: this.total };
  }

  of(taskDir: string): ReadonlyMap<GateName, GateState> | null {
    return this.tasks.get(taskDir) ?? null;
  }

  queue(taskDir: string, gates: readonly GateName[]): void {
    if (!this.running) this.total = this.finished = 0;
    const states = this.tasks.get(taskDir) ?? new Map<GateName, GateState>();
    for (const gate of gates) {
      if (states.has(gate)) continue;
      states.set(gate, { kind: 'queued' });
      this.total += 1;
    }
    this.tasks.set(taskDir, states);
    this.changed.fire(taskDir);
  }

  /** Gates that run without having been asked for (the cheats need the other two) are none of ours. */
  run(taskDir: string, gate: GateName, phase: string | null): void {
    const states = this.tasks.get(taskDir);
    const before = states?.get(gate);
    if (states === undefined || before === undefined) return;
    if (before.kind === 'running' && before.phase === phase) return;
    states.set(gate, { kind: 'running', phase });
    this.changed.fire(taskDir);
  }

  /** What the whole task waits for: its image. */
  runAll(taskDir: string, phase: string): void {
    for (const [gate, state] of this.tasks.get(taskDir) ?? [])
      if (state.kind === 'queued' || state.phase !== phase)
        this.tasks.get(taskDir)?.set(gate, { kind: 'running', phase });
    this.changed.fire(taskDir);
  }

  end(taskDir: string, gate: GateName): void {
    const states = this.tasks.get(taskDir);
    if (states?.delete(gate) !== true) return;
    this.finished += 1;
    if (states.size === 0) this.tasks.delete(taskDir);
    this.changed.fire(taskDir);
  }
}
