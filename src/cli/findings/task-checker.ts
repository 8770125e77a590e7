import type { Files, Sha256 } from '../../core/files';
import type { JudgedTask } from '../../core/rules/check';
import { readTaskFolder } from '../../core/model/task-reading';
import { checkConfigAlone, judgeReading } from '../../core/rules/check';
import { readingKey } from '../../core/rules/reading-key';
import type { Settings } from '../../core/settings/settings';
import type { Grammars } from '../../core/text/syntax-tree';
import type { ContentCache } from '../../node/content-cache';

/** One task to check. Plain data: it goes to worker threads. */
export interface CheckJob {
  /** Absolute path: a task folder, or a task.toml that is judged alone. */
  readonly place: string;
  readonly isAlone: boolean;
  /** Was it found in a folder of tasks? */
  readonly inDataset: boolean;
  /** The task relative to the workspace root, with `/`; null where it is not below one. */
  readonly taskPath: string | null;
  readonly settings: Settings;
}

/** What came of a job; `failure` says why there is nothing more, as a predicate such as `made the checker end`. */
export type CheckOutcome = JudgedTask | { readonly failure: string };

export interface Checker {
  /** The `CheckOutcome` as JSON: it comes so from the cache and goes so to another thread. */
  check(job: CheckJob): Promise<string>;
}

export interface CheckerParts {
  readonly files: Files;
  readonly grammars: () => Promise<Grammars>;
  readonly sha256: Sha256;
  /** null: nothing is kept. */
  readonly cache: { readonly store: ContentCache; /** Of the rules. */ readonly version: string } | null;
}

/** Checks tasks one after the other in this thread. */
export function createChecker({ files, grammars, sha256, cache }: CheckerParts): Checker {
  return {
    check: async ({ place, isAlone, inDataset, taskPath, settings }) => {
      if (isAlone) return outcomeText(await checkConfigAlone(files, place, settings));
      const reading = await readTaskFolder(files, place);
      const key =
        cache === null ? null : sha256(`${cache.version}\n${readingKey(reading, settings, { taskPath, inDataset })}`);
      const known = key === null ? null : (cache?.store.get(key) ?? null);
      if (known !== null) return known;
      const text = outcomeText(judgeReading(reading, { grammars: await grammars(), settings, inDataset, taskPath }));
      if (key !== null) cache?.store.put(key, text);
      return text;
    },
  };
}

function outcomeText(outcome: CheckOutcome): string {
  return JSON.stringify(outcome);
}
