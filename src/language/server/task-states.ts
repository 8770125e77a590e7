import type { Files } from '../../core/files';
import type { Finding } from '../../core/finding';
import type { Subject } from '../../core/model/subject';
import type { TaskSession } from '../../core/rules/session';
import { openSession } from '../../core/rules/session';
import { readText } from '../../core/task/snapshot';
import type { Grammars } from '../../core/text/syntax-tree';
import type { TaskSettings } from './settings-source';

export interface TaskStatesNeeds {
  readonly files: Files;
  readonly grammars: () => Promise<Grammars | null>;
  readonly settingsOf: (dir: string) => Promise<TaskSettings>;
  readonly onRuleTrouble: (ruleId: string, dir: string, error: unknown) => void;
}

/** A task as it was judged, with the open texts. */
export interface Judged {
  readonly subject: Subject;
  readonly findings: readonly Finding[];
}

/** Asked between rules; true ends the work. */
export type IsCancelled = () => boolean;

interface OpenText {
  readonly text: string;
  /** Whether the file on disk begins with a byte-order mark, which editors hide; null: not looked at yet. */
  hasMark: boolean | null;
}

interface State {
  readonly open: Map<string, OpenText>;
  /** Paths whose open text the session has. */
  readonly given: Set<string>;
  session: Promise<TaskSession> | null;
  /** Something on disk has changed since the session read it. */
  isOutdated: boolean;
  settings: TaskSettings | null;
  /** Counts everything that may change what is found. */
  stamp: number;
  judged: { readonly stamp: number; readonly value: Judged } | null;
  running: Running | null;
  /** One at a time works on the session. */
  queue: Promise<unknown>;
}

interface Running {
  readonly stamp: number;
  readonly waiting: Set<IsCancelled>;
  readonly value: Promise<Judged | null>;
}

/** Milliseconds of rules after which messages are looked at. */
const slice = 8;

const byteOrderMark = '\uFEFF';

/** What is known of tasks, by their folders: open texts, the files on disk, and what was found. */
export class TaskStates {
  private readonly states = new Map<string, State>();

  constructor(private readonly needs: TaskStatesNeeds) {}

  setOpen(dir: string, path: string, text: string): void {
    const state = this.of(dir);
    state.open.set(path, { text, hasMark: state.open.get(path)?.hasMark ?? null });
    state.stamp++;
  }

  close(dir: string, path: string): void {
    const state = this.of(dir);
    state.open.delete(path);
    state.stamp++;
  }

  /** Something on disk below the folder has changed. */
  touch(dir: string): void {
    const state = this.states.get(dir);
    if (state === undefined) return;
    state.isOutdated = true;
    for (const open of state.open.values()) open.hasMark = null;
    state.stamp++;
  }

  /** The settings have changed. */
  touchAll(): void {
    for (const state of this.states.values()) {
      state.settings = null;
      state.stamp++;
    }
  }

  /** Frees what only a task with open files needs. */
  rest(dir: string): void {
    if (this.states.get(dir)?.open.size === 0) this.states.delete(dir);
  }

  hasOpen(dir: string): boolean {
    return (this.states.get(dir)?.open.size ?? 0) > 0;
  }

  /** Whether the editor shows a text without the byte-order mark that the rules see. */
  hidesMark(dir: string, path: string): boolean {
    return this.states.get(dir)?.open.get(path)?.hasMark === true;
  }

  /** The task with the open texts, as it was last judged: whoever asks must not wait for rules. */
  async subject(dir: string): Promise<Subject> {
    const state = this.of(dir);
    if (state.session !== null) return (await state.session).subject;
    return this.inTurn(state, async () => (await this.current(dir, state)).subject);
  }

  /** Judges a task as it is now; one run at a time serves all who ask. null: everybody who asked has cancelled. */
  async judge(dir: string, isCancelled: IsCancelled): Promise<Judged | null> {
    const state = this.of(dir);
    for (;;) {
      if (isCancelled()) return null;
      if (state.judged?.stamp === state.stamp) return state.judged.value;
      if (state.running?.stamp !== state.stamp) state.running = this.start(dir, state);
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

  private start(dir: string, state: State): Running {
    const { stamp } = state;
    const waiting = new Set<IsCancelled>();
    const abort = new AbortController();
    const look = (): void => {
      if (state.stamp !== stamp || [...waiting].every((cancelled) => cancelled())) abort.abort();
    };
    let since = performance.now();
    const pause = async (): Promise<void> => {
      if (performance.now() - since > slice) {
        await new Promise(setImmediate);
        since = performance.now();
      }
      look();
    };
    const value = this.inTurn(state, async (): Promise<Judged | null> => {
      if (state.stamp !== stamp) return null;
      const session = await this.current(dir, state);
      const judged = await session.judge({ signal: abort.signal, pause });
      return judged === null ? null : { subject: session.subject, findings: judged.findings };
    });
    return { stamp, waiting, value };
  }

  /** The session, brought up to date with the disk, the open texts and the settings. */
  private async current(dir: string, state: State): Promise<TaskSession> {
    const settings = await this.needs.settingsOf(dir);
    if (state.session === null) {
      state.isOutdated = false;
      state.settings = settings;
      state.session = this.open(dir, settings);
    }
    const session = await state.session;
    if (state.isOutdated) {
      state.isOutdated = false;
      await session.reload(this.needs.files);
    }
    if (state.settings !== settings) {
      state.settings = settings;
      session.configure(settings.settings);
    }
    for (const path of [...state.given].filter((one) => !state.open.has(one))) {
      state.given.delete(path);
      session.update(path, null);
    }
    for (const [path, open] of state.open) {
      open.hasMark ??= await this.hasMark(dir, path, open.text);
      state.given.add(path);
      session.update(path, open.hasMark ? byteOrderMark + open.text : open.text);
    }
    return session;
  }

  private async open(dir: string, { settings, taskPath }: TaskSettings): Promise<TaskSession> {
    return openSession(this.needs.files, dir, {
      grammars: await this.needs.grammars(),
      settings,
      taskPath,
      onTrouble: (ruleId, error) => {
        this.needs.onRuleTrouble(ruleId, dir, error);
      },
    });
  }

  private async hasMark(dir: string, path: string, text: string): Promise<boolean> {
    if (text.startsWith(byteOrderMark)) return false;
    const { files } = this.needs;
    const saved = await readText(files, files.join(dir, ...path.split('/')), path);
    return saved?.text?.startsWith(byteOrderMark) === true;
  }

  private inTurn<T>(state: State, work: () => Promise<T>): Promise<T> {
    const turn = state.queue.then(work, work);
    state.queue = turn.catch(() => undefined);
    return turn;
  }

  private of(dir: string): State {
    const known = this.states.get(dir);
    if (known !== undefined) return known;
    const state: State = {
      open: new Map(),
      given: new Set(),
      session: null,
      isOutdated: false,
      settings: null,
      stamp: 0,
      judged: null,
      running: null,
      queue: Promise.resolve(),
    };
    this.states.set(dir, state);
    return state;
  }
}
