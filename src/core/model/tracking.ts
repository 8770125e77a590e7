import type { FileKind } from '../files';
import type { FileFacts, Snapshot, TextFile } from '../task/snapshot';
import type { Derivation, Subject } from './subject';

/**
 * What was read of a task: `text:<path>` and `fact:<path>` for one file, `tree` for the names, `texts` and `facts` for
 * all files at once, `layout` for the places of the format's parts.
 */
export type Reading = `text:${string}` | `fact:${string}` | 'tree' | 'texts' | 'facts' | 'layout';

export interface Recorder {
  read(key: Reading): void;
  /** Makes a derived model, with a record of its own, or gives the one that still holds. */
  derive<T>(model: Derivation<T>): T;
}

/** The subject, telling of everything that is read through it. */
export function trackedSubject(subject: Subject, recorder: Recorder): Subject {
  const { disk } = subject;
  const seen = disk === null ? null : trackedSnapshot(disk, recorder);
  const note = (path: string): void => {
    recorder.read(`text:${path}`);
  };
  return {
    get toml() {
      note('task.toml');
      return subject.toml;
    },
    get layout() {
      recorder.read('layout');
      return subject.layout;
    },
    disk: seen,
    profile: subject.profile,
    text: (path) => {
      note(path);
      return subject.text(path);
    },
    lines: (path) => {
      note(path);
      return subject.lines(path);
    },
    read: (reader, path) => {
      note(path);
      return subject.read(reader, path);
    },
    derive: (model) => recorder.derive(model),
  };
}

function trackedSnapshot(disk: Snapshot, recorder: Recorder): Snapshot {
  const { dir, dirName } = disk;
  const texts = new TrackedMap<TextFile>(
    disk.texts,
    (path) => {
      recorder.read(`text:${path}`);
    },
    () => {
      recorder.read('texts');
    },
  );
  const facts = new TrackedMap<FileFacts>(
    disk.facts,
    (path) => {
      recorder.read(`fact:${path}`);
    },
    () => {
      recorder.read('facts');
    },
  );
  return {
    dir,
    dirName,
    get entries(): ReadonlyMap<string, FileKind> {
      recorder.read('tree');
      return disk.entries;
    },
    texts,
    facts,
    get danglingLinks() {
      recorder.read('tree');
      return disk.danglingLinks;
    },
    get limit() {
      recorder.read('tree');
      return disk.limit;
    },
  };
}

/** A map that tells which of its keys were asked for, or that all were. */
class TrackedMap<V> implements ReadonlyMap<string, V> {
  constructor(
    private readonly map: ReadonlyMap<string, V>,
    private readonly one: (key: string) => void,
    private readonly all: () => void,
  ) {}

  get size(): number {
    this.all();
    return this.map.size;
  }
  get(key: string): V | undefined {
    this.one(key);
    return this.map.get(key);
  }
  has(key: string): boolean {
    this.one(key);
    return this.map.has(key);
  }
  forEach(callback: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    this.all();
    this.map.forEach(callback);
  }
  entries(): MapIterator<[string, V]> {
    this.all();
    return this.map.entries();
  }
  keys(): MapIterator<string> {
    this.all();
    return this.map.keys();
  }
  values(): MapIterator<V> {
    this.all();
    return this.map.values();
  }
  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }
}
