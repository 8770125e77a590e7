import type { Confidence, RelatedPlace, Severity } from '../finding';
import type { Range } from '../text/position';
import type { TomlPath } from '../text/toml-tree';

/** The rules whose findings come out of reading and decoding task.toml. */
export type ConfigRuleId =
  | 'config-syntax'
  | 'config-invalid-value'
  | 'config-unknown-key'
  | 'config-misplaced-key'
  | 'config-suspicious-value'
  | 'config-deprecated-key';

export interface ProblemEdit {
  readonly range: Range;
  readonly newText: string;
}

export interface ProblemFix {
  readonly title: string;
  readonly edits: readonly ProblemEdit[];
  readonly preferred?: boolean;
}

/** What decoding found at one place of task.toml; the rule adds its reason and the rest. */
export interface Problem {
  readonly ruleId: ConfigRuleId;
  readonly severity: Severity;
  readonly confidence?: Confidence;
  readonly path: TomlPath;
  readonly range: Range;
  readonly message: string;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: readonly ProblemFix[];
}
