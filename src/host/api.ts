/** What other extensions get from `activate()`. Members are only ever added; `version` says which are there. */
export interface TaskwrightApi {
  readonly version: 1;
  /** Every task found in the workspace, the ones that cannot be read too. Waits for the first search to end. */
  listTasks(): Promise<readonly TaskSummary[]>;
}

export interface TaskSummary {
  /** Absolute path of the task's folder. */
  readonly dir: string;
  readonly name: string;
  /** What Harbor does with the folder, and why. */
  readonly outcome: 'loads' | 'refused' | 'dropped';
  readonly reason: string | null;
}
