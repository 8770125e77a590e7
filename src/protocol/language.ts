import type { Finding, Severity } from '../core/finding';

/** What the editor tells the language server at its start, as `initializationOptions`; every part may be absent. */
export interface LanguageOptions {
  /** URI of the folder with a page for every rule, `/` at its end: findings link to `<rule id>.md` in it. */
  readonly rulePages?: string;
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
  /** As shown: with the settings applied, without what is only possible. */
  readonly findings: readonly Finding[];
}
