import type { Facts } from '../../../src/core/cheats/facts';
import { readFacts } from '../../../src/core/cheats/read-facts';
import type { Subject } from '../../../src/core/model/subject';
import { subjectOfReading } from '../../../src/core/model/task-reading';
import { harborProfile } from '../../../src/core/rules/profile';
import type { TextFile } from '../../../src/core/task/snapshot';
import { emptySnapshot } from '../../../src/core/task/snapshot';
import { grammars } from '../grammars';

/** Texts by path relative to the task folder; null is a file that is none, or with a `/` at its end an empty folder. */
export type TaskFiles = Readonly<Record<string, string | null>>;

/** A task of these files, and of a task.toml that says nothing but where it works. */
export function subjectFor(files: TaskFiles, workdir: string | null = null, parsers = true): Subject {
  const config = `[environment]\n${workdir === null ? '' : `workdir = "${workdir}"\n`}`;
  const all: TaskFiles = { 'task.toml': config, ...files };
  const entries = new Map<string, 'file' | 'directory'>();
  for (const path of Object.keys(all)) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      entries.set(path.slice(0, at), 'directory');
    if (!path.endsWith('/')) entries.set(path, 'file');
  }
  const texts = new Map(
    Object.entries(all).map(([path, text]): [string, TextFile] => [
      path,
      { path, text, trouble: text === null ? 'is not UTF-8 text' : null },
    ]),
  );
  const disk = { ...emptySnapshot, dir: '/tasks/sample', dirName: 'sample', entries, texts };
  const reading = { disk, config: texts.get('task.toml') ?? null };
  return subjectOfReading(reading, { profile: harborProfile, grammars: parsers ? grammars : null });
}

export function factsOf(files: TaskFiles, workdir: string | null = null, parsers = true): Facts {
  return readFacts(subjectFor(files, workdir, parsers));
}
