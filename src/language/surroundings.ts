import type { FileKind } from '../core/files';

/** What is around an open task.toml, as far as it is known. */
export interface Surroundings {
  /** The task folder's own name; null where there is none. */
  readonly dirName: string | null;
  /** Kinds by path relative to the task folder, with `/`. */
  readonly entries: ReadonlyMap<string, FileKind>;
  /** null for a file that is not there or is no text. */
  readonly text: (path: string) => string | null;
  /** Names of environment variables of the host. */
  readonly variables: readonly string[];
}

export const noSurroundings: Surroundings = {
  dirName: null,
  entries: new Map(),
  text: () => null,
  variables: [],
};
