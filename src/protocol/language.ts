import type { Finding, Severity } from '../core/finding';
import type { Range } from '../core/text/position';

/** What the editor tells the language server at its start, as `initializationOptions`; every part may be absent. */
export interface LanguageOptions {
  /** URI that shows the page of a rule, with `{id}` for the rule's id: findings link to it. */
  readonly rulePage?: string;
  /** Another extension serves TOML: syntax errors, formatting and folding are left to it. */
  readonly otherToml?: boolean;
  /** The editor sends `taskwright/tasks`, so that the server does not search for tasks itself. */
  readonly sendsTasks?: boolean;
}

/** Requests and notifications beyond LSP, by their method. */
export interface LanguageMessages {
  /** To the server: every task folder of the workspace, as absolute paths. */
  readonly 'taskwright/tasks': { readonly dirs: readonly string[] };
  /** From the server, whenever the findings of a task are others than before. */
  readonly 'taskwright/findings': TaskFindings;
}

export interface TaskFindings {
  /** Absolute path. */
  readonly taskDir: string;
  readonly counts: Readonly<Record<Severity, number>>;
  /**
   * As shown: with the settings applied, without what is only possible, in files that are there and at the ranges of
   * their texts as an editor shows them.
   */
  readonly findings: readonly Finding[];
}

/** Requests of the editor beyond LSP, by their method. */
export interface LanguageRequests {
  /** Reads a task from the disk anew and judges it, with the open texts. */
  'taskwright/check': { readonly params: { readonly taskDir: string }; readonly result: TaskFindings };
  /** What lets a finding pass, with a person's reason; null where nothing can, or where the finding is no more. */
  'taskwright/allow': { readonly params: AllowRequest; readonly result: AllowEdit | null };
}

export interface AllowRequest {
  readonly taskDir: string;
  readonly fingerprint: string;
  /** Of several with one fingerprint the nearest to this line is meant. */
  readonly line: number;
  /** One line. */
  readonly reason: string;
}

export interface AllowEdit {
  /** Absolute path; a file that may not be there. */
  readonly file: string;
  readonly range: Range;
  readonly newText: string;
}
