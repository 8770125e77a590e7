import type { Files } from '../../core/files';
import type { JudgedTask } from '../../core/rules/check';
import { judgeReading, readTaskFolder } from '../../core/rules/check';
import type { Settings } from '../../core/settings/settings';
import { readConfigAlone } from '../../core/task/read';
import type { Grammars } from '../../core/text/syntax-tree';

/** One task to check. Plain data: it goes to worker threads. */
export interface CheckJob {
  /** Absolute path: a task folder, or a task.toml that is judged alone. */
  readonly place: string;
  readonly isAlone: boolean;
  /** Was it found in a folder of tasks? */
  readonly inDataset: boolean;
  readonly settings: Settings;
}

/** What came of a job; `failure` says why there is nothing more, as a predicate such as `made the checker end`. */
export type CheckOutcome = JudgedTask | { readonly failure: string };

export interface Checker {
  check(job: CheckJob): Promise<CheckOutcome>;
}

export interface CheckerParts {
  readonly files: Files;
  readonly grammars: Grammars;
}

/** Checks tasks one after the other in this thread. */
export function createChecker({ files, grammars }: CheckerParts): Checker {
  return {
    check: async ({ place, isAlone, inDataset, settings }) => {
      if (isAlone) {
        const { name, harbor, findings } = await readConfigAlone(files, place);
        return { name, harbor, findings, limit: null };
      }
      return judgeReading(await readTaskFolder(files, place), { grammars, settings, inDataset });
    },
  };
}
