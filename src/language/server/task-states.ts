import type { Files } from '../../core/files';
import type { Finding } from '../../core/finding';
import type { ModelCache, Subject } from '../../core/model/subject';
import { modelCache } from '../../core/model/subject';
import { rules } from '../../core/rules/catalogue';
import type { TaskReading } from '../../core/rules/check';
import { levelsOf, readTaskFolder, subjectOfReading } from '../../core/rules/check';
import type { RuleClaim } from '../../core/rules/run';
import { claimsOf, findingsOf } from '../../core/rules/run';
import type { Settings } from '../../core/settings/settings';
import type { Grammars } from '../../core/text/syntax-tree';
import { overlaid } from './open-files';

export interface TaskStatesNeeds {
  readonly files: Files;
  readonly grammars: () => Promise<Grammars | null>;
  readonly settingsOf: (dir: string) => Promise<Settings>;
  readonly onRuleTrouble: (ruleId: string, dir: string, error: unknown) => void;
}

/** A task as it was judged. */
export interface Judged {
  /** With the open texts. */
  readonly subject: Subject;
  /** As on disk alone. */
  readonly saved: TaskReading;
  readonly findings: readonly Finding[];
}

/** Asked between rules; true ends the work. */
export type IsCancelled = () => boolean;

interface State {
  readonly open: Map<string, string>;
  readonly cache: ModelCache;
  /** Counts everything that may change what is found. */
  stamp: number;
  /** null: not read, or something on disk has changed. */
  saved: Promise<TaskReading> | null;
  judged: { readonly stamp: number; readonly value: Judged } | null;
  running: {
    readonly stamp: number;
    readonly waiting: Set<IsCancelled>;
    readonly value: Promise<Judged | null>;
  } | null;
}

/** Milliseconds of rules after which messages are looked at. */
const slice = 8;

/** What is known of tasks, by their folders: open texts, the files on disk, and what was found. */
export class TaskStates {
  private readonly states = new Map<string, State>();

  constructor(private readonly needs: TaskStatesNeeds) {}

  setOpen(dir: string, path: string, text: string): void {
    const state = this.of(dir);
    state.open.set(path, text);
    state.stamp++;
  }

  close(dir: string, path: string): void {
    const state = this.of(dir);
    state.open.delete(path);
    state.stamp++;
    // What was edited and not saved is not what the disk holds.
    state.saved = null;
  }

  /** Something on disk below the folder has changed. */
  touch(dir: string): void {
    const state = this.states.get(dir);
    if (state === undefined) return;
    state.saved = null;
    state.stamp++;
  }

  /** The settings have changed. */
  touchAll(): void {
    for (const state of this.states.values()) state.stamp++;
  }

  forget(dir: string): void {
    this.states.delete(dir);
  }

  /** Frees what only a task with open files needs. */
  rest(dir: string): void {
    if (this.states.get(dir)?.open.size === 0) this.states.delete(dir);
  }

  hasOpen(dir: string): boolean {
    return (this.states.get(dir)?.open.size ?? 0) > 0;
  }

  hasOpenFile(dir: string, path: string): boolean {
    return this.states.get(dir)?.open.has(path) === true;
  }

  /** The whole folder with the open texts over it. */
  async reading(dir: string): Promise<TaskReading> {
    const state = this.of(dir);
    return overlaid(await this.savedOf(dir, state), state.open);
  }

  /** Judges a task as it is now; one run at a time serves all who ask. null: everybody who asked has cancelled. */
  async judge(dir: string, isCancelled: IsCancelled): Promise<Judged | null> {
    const state = this.of(dir);
    for (;;) {
      if (isCancelled()) return null;
      if (state.judged?.stamp === state.stamp) return state.judged.value;
      if (state.running?.stamp !== state.stamp) {
        const waiting = new Set<IsCancelled>();
        const { stamp } = state;
        const value = this.run(dir, state, stamp, () => [...waiting].every((cancelled) => cancelled()));
        state.running = { stamp, waiting, value };
      }
      const { running } = state;
      running.waiting.add(isCancelled);
      const value = await running.value;
      if (state.running === running) state.running = null;
      // Typed on meanwhile: what was found is of a text that is gone.
      if (value !== null && running.stamp === state.stamp) {
        state.judged = { stamp: running.stamp, value };
        return value;
      }
    }
  }

  private async run(dir: string, state: State, stamp: number, isCancelled: IsCancelled): Promise<Judged | null> {
    const isStale = (): boolean => state.stamp !== stamp || isCancelled();
    const [saved, grammars, settings] = await Promise.all([
      this.savedOf(dir, state),
      this.needs.grammars(),
      this.needs.settingsOf(dir),
    ]);
    const { profile } = settings;
    const levels = levelsOf(settings, profile);
    const subject = subjectOfReading(overlaid(saved, state.open), { profile, grammars, cache: state.cache });
    const claims: RuleClaim[] = [];
    let since = performance.now();
    for (const rule of rules) {
      if (performance.now() - since > slice) {
        await new Promise(setImmediate);
        since = performance.now();
      }
      if (isStale()) return null;
      if (levels.get(rule.id) === 'off') continue;
      claims.push(
        ...claimsOf(rule, subject, {
          onTrouble: (ruleId, error) => {
            this.needs.onRuleTrouble(ruleId, dir, error);
          },
        }),
      );
    }
    return { subject, saved, findings: findingsOf(claims, subject, levels) };
  }

  private of(dir: string): State {
    const known = this.states.get(dir);
    if (known !== undefined) return known;
    const state: State = { open: new Map(), cache: modelCache(), stamp: 0, saved: null, judged: null, running: null };
    this.states.set(dir, state);
    return state;
  }

  private savedOf(dir: string, state: State): Promise<TaskReading> {
    state.saved ??= readTaskFolder(this.needs.files, dir);
    return state.saved;
  }
}
