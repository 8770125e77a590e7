import type { Files } from '../files';
import type { Derivation, ModelCache, Subject } from '../model/subject';
import { modelCache } from '../model/subject';
import type { TaskReading } from '../model/task-reading';
import { readTaskFolder, subjectOfReading } from '../model/task-reading';
import type { Reading, Recorder } from '../model/tracking';
import { trackedSubject } from '../model/tracking';
import type { Settings } from '../settings/settings';
import { defaultSettings } from '../settings/settings';
import { conclude } from '../suppression/conclude';
import type { Snapshot } from '../task/snapshot';
import { textFile } from '../task/snapshot';
import { harborVerdict } from '../task/verdict';
import { withOpenTexts } from '../task/whole-snapshot';
import type { Grammars } from '../text/syntax-tree';
import { rules } from './catalogue';
import type { JudgedTask } from './check';
import { levelsOf, ruleIds } from './check';
import type { Rule } from './rule';
import type { FoundClaim, RunOptions } from './run';
import { assembled, claimsOf, findingOf } from './run';

export interface SessionOptions extends Pick<RunOptions, 'onTrouble'> {
  readonly grammars: Grammars | null;
  readonly settings?: Settings;
  readonly inDataset?: boolean;
  /** The task relative to the workspace root, with `/`; without it the settings' `[[allow]]` do not apply. */
  readonly taskPath?: string | null;
}

export interface JudgeOptions {
  readonly signal?: AbortSignal;
  /** Waited for before each rule that has to run, so that others get their turn; the session may change meanwhile. */
  readonly pause?: () => Promise<void>;
}

/**
 * One task that is being edited: what is on disk, and the open texts in its place. After a change only those rules run
 * again that have read what changed; the result is always that of a fresh check.
 */
export interface TaskSession {
  /** Absolute folder of the task. */
  readonly dir: string;
  /** The task as it stands now, for whoever wants to know more than what rules say of it. */
  readonly subject: Subject;
  /** Puts an open text in the place of a file; null takes it away again. The path is relative, with `/`. */
  update(path: string, text: string | null): void;
  /** Reads the folder again; open texts stay. */
  reload(files: Files, signal?: AbortSignal): Promise<void>;
  configure(settings: Settings): void;
  /** null when it was aborted. */
  judge(options?: JudgeOptions): Promise<JudgedTask | null>;
}

export async function openSession(files: Files, dir: string, options: SessionOptions): Promise<TaskSession> {
  return new Session(dir, await readTaskFolder(files, dir), options);
}

/** What a rule or a model has read. */
class Record {
  readonly keys = new Set<Reading>();
  readonly models = new Set<Derivation<unknown>>();
}

interface RuleState {
  readonly record: Record;
  readonly found: readonly FoundClaim[];
}

interface ModelState {
  readonly record: Record;
  readonly value: unknown;
}

class Session implements TaskSession {
  subject: Subject;
  /** What the tracked subjects rest on. */
  private base: Subject;
  private reading: TaskReading;
  private settings: Settings;
  private version = 0;
  private readonly open = new Map<string, string>();
  private readonly cache: ModelCache = modelCache();
  private readonly ruleStates = new Map<Rule, RuleState>();
  private readonly modelStates = new Map<Derivation<unknown>, ModelState>();

  constructor(
    readonly dir: string,
    private saved: TaskReading,
    private readonly options: SessionOptions,
  ) {
    this.reading = saved;
    this.settings = options.settings ?? defaultSettings;
    this.base = this.baseNow();
    this.subject = this.subjectNow();
  }

  update(path: string, text: string | null): void {
    if (text === (this.open.get(path) ?? null)) return;
    if (text === null) this.open.delete(path);
    else this.open.set(path, text);
    this.settle();
  }

  async reload(files: Files, signal?: AbortSignal): Promise<void> {
    const saved = await readTaskFolder(files, this.dir, signal);
    if (signal?.aborted === true) return;
    this.saved = saved;
    this.settle();
  }

  configure(settings: Settings): void {
    this.settings = settings;
    this.ruleStates.clear();
    this.modelStates.clear();
    this.version++;
    this.base = this.baseNow();
    this.subject = this.subjectNow();
  }

  async judge({ signal, pause }: JudgeOptions = {}): Promise<JudgedTask | null> {
    let version: number;
    do {
      version = this.version;
      for (const rule of rules) {
        if (this.ruleStates.has(rule)) continue;
        await pause?.();
        if (signal?.aborted === true) return null;
        this.run(rule);
      }
    } while (version !== this.version);
    const { disk, config } = this.reading;
    const { toml } = this.base;
    const findings = assembled(rules.flatMap((rule) => this.ruleStates.get(rule)?.found ?? []));
    return {
      name: toml?.config?.task?.name ?? disk.dirName,
      harbor: harborVerdict(disk, toml, config, this.options),
      isReadable: toml !== null,
      ...conclude(findings, this.subject, {
        allow: this.settings.allow,
        taskPath: this.options.taskPath ?? null,
        levels: levelsOf(this.settings, this.settings.profile),
        ruleIds,
      }),
      limit: disk.limit,
    };
  }

  private run(rule: Rule): void {
    const record = new Record();
    const levels = levelsOf(this.settings, this.settings.profile);
    if (levels.get(rule.id) === 'off') {
      this.ruleStates.set(rule, { record, found: [] });
      return;
    }
    const subject = trackedSubject(this.base, this.recorder(record));
    const found = claimsOf(rule, subject, this.options).map(({ claim }): FoundClaim => ({
      rule,
      claim,
      finding: findingOf(rule, claim, subject, levels),
    }));
    this.ruleStates.set(rule, { record, found });
  }

  private recorder(record: Record): Recorder {
    return {
      read: (key) => {
        record.keys.add(key);
      },
      derive: <T>(model: Derivation<T>): T => {
        record.models.add(model);
        const known = this.modelStates.get(model);
        if (known !== undefined) return known.value as T;
        const own = new Record();
        const value = model.derive(trackedSubject(this.base, this.recorder(own)));
        this.modelStates.set(model, { record: own, value });
        return value;
      },
    };
  }

  /** Takes over what changed, and forgets what rested on it. */
  private settle(): void {
    const before = { reading: this.reading, layout: this.base.layout };
    const disk = withOpenTexts(this.saved.disk, this.open);
    const text = this.open.get('task.toml');
    const config = text === undefined ? this.saved.config : textFile('task.toml', text, text.length);
    this.reading = { disk, config: text === undefined ? config : (disk.texts.get('task.toml') ?? config) };
    this.base = this.baseNow();
    this.subject = this.subjectNow();
    this.version++;
    const changed = changesBetween(before.reading, this.reading);
    if (JSON.stringify(before.layout) !== JSON.stringify(this.base.layout)) changed.add('layout');
    if (changed.size === 0) return;

    const verdicts = new Map<Derivation<unknown>, boolean>();
    const isStale = ({ keys, models }: Record): boolean =>
      [...keys].some((key) => changed.has(key)) || [...models].some(isStaleModel);
    const isStaleModel = (model: Derivation<unknown>): boolean => {
      const known = verdicts.get(model);
      if (known !== undefined) return known;
      const state = this.modelStates.get(model);
      const verdict = state === undefined || isStale(state.record);
      verdicts.set(model, verdict);
      return verdict;
    };
    for (const [rule, { record }] of this.ruleStates) if (isStale(record)) this.ruleStates.delete(rule);
    for (const model of [...this.modelStates.keys()]) if (isStaleModel(model)) this.modelStates.delete(model);
  }

  private baseNow(): Subject {
    const { grammars } = this.options;
    return subjectOfReading(this.reading, { profile: this.settings.profile, grammars, cache: this.cache });
  }

  /** Shares the models that rules derive. */
  private subjectNow(): Subject {
    return trackedSubject(this.base, this.recorder(new Record()));
  }
}

function changesBetween(before: TaskReading, after: TaskReading): Set<Reading> {
  const changed = new Set<Reading>();
  if (!isSameTree(before.disk, after.disk)) changed.add('tree');
  const texts = differences(
    before.disk.texts,
    after.disk.texts,
    (a, b) => a.text === b.text && a.trouble === b.trouble,
  );
  for (const path of texts) changed.add(`text:${path}`).add('texts');
  const facts = differences(
    before.disk.facts,
    after.disk.facts,
    (a, b) => a.size === b.size && a.mode === b.mode && a.link === b.link,
  );
  for (const path of facts) changed.add(`fact:${path}`).add('facts');
  if (before.config?.text !== after.config?.text) changed.add('text:task.toml');
  return changed;
}

function isSameTree(a: Snapshot, b: Snapshot): boolean {
  if (a.limit !== b.limit || a.danglingLinks.join('\n') !== b.danglingLinks.join('\n')) return false;
  if (a.entries === b.entries) return true;
  const others = [...b.entries];
  if (a.entries.size !== others.length) return false;
  return [...a.entries].every(([path, kind], at) => others[at]?.[0] === path && others[at][1] === kind);
}

function differences<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (a: T, b: T) => boolean,
): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => {
    const [a, b] = [before.get(path), after.get(path)];
    return a !== b && (a === undefined || b === undefined || !isSame(a, b));
  });
}
