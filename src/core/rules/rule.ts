import type { Confidence, Fix, RelatedPlace, Severity } from '../finding';
import type { TomlDocument } from '../task/document';
import type { Snapshot } from '../task/snapshot';
import type { TaskLayout } from '../task/task';
import type { Range } from '../text/position';
import type { TomlPath } from '../text/toml-tree';

/** What a rule reads; a change of one input re-runs only the rules that name it. */
export type RuleInput = 'toml' | 'tree' | 'instruction' | 'scripts' | 'docker';

/** What rules judge. */
export interface Subject {
  /** null when there is no task.toml or it cannot be read as text. */
  readonly toml: TomlDocument | null;
  /** null when task.toml is judged alone. */
  readonly disk: Snapshot | null;
  /** null when task.toml is judged alone. */
  readonly layout: TaskLayout | null;
}

/** What a rule says; the rule's own facts are added to make it a finding. */
export interface Claim {
  /** Relative to the task folder; task.toml when absent. */
  readonly file?: string;
  readonly range: Range;
  readonly path?: TomlPath;
  readonly message: string;
  /** The rule's own when absent. */
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: readonly Fix[];
}

export interface Rule {
  /** Never renamed, only retired. */
  readonly id: string;
  /** Of an ordinary finding; a claim may differ. */
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly inputs: readonly RuleInput[];
  /** True when task.toml alone gives nothing to judge. */
  readonly needsDisk?: boolean;
  /** The reason, shown with every finding: one or two sentences. */
  readonly why: string;
  readonly check: (subject: Subject) => Iterable<Claim>;
}
