import type { Confidence, Fix, RelatedPlace, Severity } from '../finding';
import type { Subject } from '../model/subject';
import type { Range } from '../text/position';
import type { TomlPath } from '../text/toml-tree';

/**
 * What a rule reads: task.toml; the names of files; `instruction.md`; Dockerfiles with their ignore files; compose files;
 * the shell scripts of the verifier and of the solution; their Python files; other texts of the task; rubric files.
 */
export type RuleInput =
  | 'toml'
  | 'tree'
  | 'instruction'
  | 'docker'
  | 'compose'
  | 'shell:test'
  | 'shell:solve'
  | 'py:tests'
  | 'py:solution'
  | 'texts'
  | 'rubric';

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
  /**
   * The enclosing function, section or key, for the fingerprint: two findings alike in text are told apart by it.
   * task.toml has its `path` for that.
   */
  readonly section?: string;
  /** Rules that describe the same defect less well: what they claim at a range that overlaps is left out. */
  readonly supersedes?: readonly string[];
  /** How the editor draws it: greyed as without use, or struck through as out of date. */
  readonly tag?: 'unnecessary' | 'deprecated';
}

/** What the rule's page in the documentation says beside its reason; the page is generated from the rule. */
export interface RuleDocs {
  /** What is reported: whole sentences, Markdown. */
  readonly finds: string;
  /** Look-alikes that are not reported: whole sentences, Markdown. */
  readonly silent: string;
  /** A small example that is reported, and one that is not; Markdown code blocks are made of them. */
  readonly bad: string;
  readonly good: string;
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
  readonly docs?: RuleDocs;
  /** Never throws on any task; silent about what it does not understand. */
  readonly check: (subject: Subject) => Iterable<Claim>;
}
