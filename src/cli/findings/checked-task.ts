import type { Finding } from '../../core/finding';
import type { SuppressedFinding } from '../../core/suppression/conclude';
import type { HarborVerdict } from '../../core/task/task';

/** Something that findings are about: a task, or a taskwright.toml. */
export interface CheckedFile {
  /** As a person would write it: relative to the working directory where that is shorter. */
  readonly path: string;
  /** Absolute folder that the findings' files are relative to. */
  readonly dir: string;
  readonly findings: readonly Finding[];
}

/** A task, or a task.toml alone, as `check` judged it. */
export interface CheckedTask extends CheckedFile {
  readonly name: string;
  readonly harbor: HarborVerdict;
  /** False when task.toml is no text: `harbor` alone says what is wrong then. */
  readonly isReadable: boolean;
  /** What comments and taskwright.toml let pass. */
  readonly suppressed: readonly SuppressedFinding[];
  /** Why it was not checked, as a predicate such as `made the checker end`; null when it was. */
  readonly failure: string | null;
}
