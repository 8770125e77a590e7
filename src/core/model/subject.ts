import type { TomlDocument } from '../task/document';
import type { Snapshot } from '../task/snapshot';
import type { TaskLayout } from '../task/task';
import type { Lines } from '../text/lines';
import { linesOf } from '../text/lines';
import type { Grammars } from '../text/syntax-tree';
import type { Profile } from '../rules/profile';

/** Turns the text of one file into a model. A value, so that its models can be kept by the text they were made of. */
export interface FileReader<T> {
  readonly name: string;
  /** Pure and total: never throws, and gives what it can for any text. `path` is relative to the task folder. */
  readonly read: (text: string, grammars: Grammars, path: string) => T;
}

/** A model made of several files, such as the image or the steps. A value, so that each is made once a subject. */
export interface Derivation<T> {
  readonly name: string;
  readonly derive: (subject: Subject) => T;
}

/**
 * What rules judge: one task as it stands now, with models that are made when a rule first asks for them. Paths are
 * relative to the task folder, with `/`.
 */
export interface Subject {
  /** null when there is no task.toml or it cannot be read as text. */
  readonly toml: TomlDocument | null;
  /** null when task.toml is judged alone. */
  readonly disk: Snapshot | null;
  /** null when task.toml is judged alone. */
  readonly layout: TaskLayout | null;
  readonly profile: Profile;
  /** null for a file that is not there, too large or no UTF-8. */
  text(path: string): string | null;
  lines(path: string): Lines | null;
  /** The model of one file; null where there is no text, or no grammars to read it with. */
  read<T>(reader: FileReader<T>, path: string): T | null;
  /** A model over several files, made once. */
  derive<T>(model: Derivation<T>): T;
}

/** Keeps the models of files as long as their texts stay the same, from one subject of a task to the next. */
export interface ModelCache {
  get<T>(reader: FileReader<T>, path: string, text: string, grammars: Grammars): T;
}

export interface SubjectParts {
  readonly toml: TomlDocument | null;
  readonly disk: Snapshot | null;
  readonly layout: TaskLayout | null;
  readonly profile: Profile;
  /** null where no parser is at hand: rules that need one are silent then. */
  readonly grammars: Grammars | null;
  readonly cache?: ModelCache;
}

export function subjectOf({ toml, disk, layout, profile, grammars, cache = modelCache() }: SubjectParts): Subject {
  const derived = new Map<Derivation<unknown>, unknown>();
  const lines = new Map<string, Lines>();
  const text = (path: string): string | null =>
    path === 'task.toml' ? (toml?.text ?? null) : (disk?.texts.get(path)?.text ?? null);
  const subject: Subject = {
    toml,
    disk,
    layout,
    profile,
    text,
    lines: (path) => {
      if (path === 'task.toml') return toml?.lines ?? null;
      const found = text(path);
      if (found === null) return null;
      const known = lines.get(path) ?? linesOf(found);
      lines.set(path, known);
      return known;
    },
    read: (reader, path) => {
      const found = text(path);
      return found === null || grammars === null ? null : cache.get(reader, path, found, grammars);
    },
    derive: <T>(model: Derivation<T>): T => {
      if (!derived.has(model)) derived.set(model, model.derive(subject));
      return derived.get(model) as T;
    },
  };
  return subject;
}

export function modelCache(): ModelCache {
  const kept = new Map<FileReader<unknown>, Map<string, { readonly text: string; readonly value: unknown }>>();
  return {
    get: <T>(reader: FileReader<T>, path: string, text: string, grammars: Grammars): T => {
      const models = kept.get(reader) ?? new Map<string, { readonly text: string; readonly value: unknown }>();
      kept.set(reader, models);
      const known = models.get(path);
      if (known?.text === text) return known.value as T;
      const value = reader.read(text, grammars, path);
      models.set(path, { text, value });
      return value;
    },
  };
}
