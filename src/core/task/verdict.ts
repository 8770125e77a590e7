import type { TomlDocument } from './document';
import type { LoadTrouble } from './loaders';
import { describeTrouble, loaderTroubles, strictTroubles } from './loaders';
import type { Snapshot, TextFile } from './snapshot';
import type { HarborVerdict } from './task';

export interface VerdictOptions {
  /**
   * Is the folder a child of a dataset that Harbor would be given? Harbor leaves such a child out without a message,
   * while a folder that is given alone ends the run with an error.
   */
  readonly inDataset?: boolean;
}

/** What Harbor does with a folder. `configFile` is task.toml as it was read; null where it is no plain file. */
export function harborVerdict(
  disk: Snapshot,
  toml: TomlDocument | null,
  configFile: TextFile | null,
  { inDataset = false }: VerdictOptions,
): HarborVerdict {
  const config = toml?.config ?? null;
  const strict = strictTroubles({ disk, config });
  const loader = loaderTroubles({ disk, config });
  const trouble: ConfigTrouble = {
    error: firstError(toml),
    unreadable: configFile === null ? 'is no regular file' : configFile.trouble,
  };
  const [first, ...more] = strict;
  if (first === undefined) return { outcome: 'loads', reason: null };
  const sentence = [first, ...more].map((one) => describe(one, trouble)).join(', ');
  const byPath = loader.length === 0 ? '; only a job that names the task by its path would run it' : '';
  return inDataset
    ? { outcome: 'dropped', reason: `${sentence}: Harbor leaves it out of the dataset without a message${byPath}.` }
    : { outcome: 'refused', reason: `${sentence}: Harbor does not take this folder for a task${byPath}.` };
}

/** Why there is no configuration, as far as the file itself tells. */
interface ConfigTrouble {
  /** The first error of its text. */
  readonly error: string | null;
  /** A predicate, such as `is not UTF-8 text`, where there is no text. */
  readonly unreadable: string | null;
}

function describe(trouble: LoadTrouble, { error, unreadable }: ConfigTrouble): string {
  const what = describeTrouble(trouble);
  if (trouble.kind === 'unreadable-config' && unreadable !== null) return `task.toml ${unreadable}`;
  return trouble.kind === 'invalid-config' && error !== null ? `${what} (${error})` : what;
}

/** Where and why the configuration is refused, for a sentence that names the folder's trouble. */
export function firstError(toml: TomlDocument | null): string | null {
  const error = toml?.problems.find((problem) => problem.severity === 'error');
  return error === undefined ? null : `line ${error.range.start.line + 1}: ${error.message.replace(/\.$/u, '')}`;
}
