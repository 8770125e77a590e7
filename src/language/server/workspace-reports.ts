import type { Diagnostic, WorkspaceDocumentDiagnosticReport } from 'vscode-languageserver/node';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { ResultIds } from './result-ids';

/** Diagnostics by the URI of their file. */
export type ByFile = ReadonlyMap<string, readonly Diagnostic[]>;

export interface WorkspaceReportsNeeds {
  readonly ids: ResultIds;
  /** Resolves when nobody waits for anything else. */
  readonly quiet: (isCancelled: () => boolean) => Promise<void>;
  /** null: cancelled. */
  readonly check: (dir: string, isCancelled: () => boolean) => Promise<ByFile | null>;
}

export interface WorkspaceQuestion {
  /** What the client has, by URI. */
  readonly previous: ReadonlyMap<string, string>;
  readonly isCancelled: () => boolean;
  readonly onCancelled: (listener: () => void) => void;
  /** Takes parts of the answer before its end; null when the client wants it whole, and at once. */
  readonly send: ((reports: readonly WorkspaceDocumentDiagnosticReport[]) => void) | null;
}

/** A list that nobody reads to its end helps nobody. */
const maxOfFile = 100;
const maxOfAll = 2_000;

/**
 * The diagnostics of every task of the workspace, worked out in the background. Files with errors are told as soon as
 * they are known, the others when all tasks are; where there is nothing new, the answer waits until there is.
 */
export class WorkspaceReports {
  private readonly found = new Map<string, ByFile>();
  private readonly dirty = new Set<string>();
  private wakers: (() => void)[] = [];

  constructor(private readonly needs: WorkspaceReportsNeeds) {}

  setTasks(dirs: readonly string[]): void {
    const wanted = new Set(dirs);
    for (const dir of [...this.found.keys(), ...this.dirty]) {
      if (wanted.has(dir)) continue;
      this.found.delete(dir);
      this.dirty.delete(dir);
    }
    for (const dir of wanted) if (!this.found.has(dir)) this.dirty.add(dir);
    this.wake();
  }

  /** Something that may change what is found in a task. */
  touch(dir: string): void {
    if (!this.found.has(dir)) return;
    this.dirty.add(dir);
    this.wake();
  }

  touchAll(): void {
    for (const dir of this.found.keys()) this.dirty.add(dir);
    this.wake();
  }

  async answer(question: WorkspaceQuestion): Promise<readonly WorkspaceDocumentDiagnosticReport[]> {
    const told = new Map(question.previous);
    for (;;) {
      await this.work(question, told);
      if (question.isCancelled()) return [];
      const reports = this.news(told, this.chosen());
      if (reports.length > 0 || question.send === null || told.size !== question.previous.size) return reports;
      await this.change(question);
    }
  }

  /** Checks what is dirty, and tells of errors on the way. */
  private async work({ isCancelled, send }: WorkspaceQuestion, told: Map<string, string>): Promise<void> {
    let count = 0;
    for (let dir = first(this.dirty); dir !== undefined; dir = first(this.dirty)) {
      await this.needs.quiet(isCancelled);
      if (isCancelled()) return;
      const files = await this.needs.check(dir, isCancelled);
      if (files === null) return;
      this.dirty.delete(dir);
      this.found.set(dir, files);
      if (send === null || count >= maxOfAll) continue;
      const withErrors = new Map([...files].filter(([, items]) => items.some(isError)).map(capped));
      for (const items of withErrors.values()) count += items.length;
      const reports = this.news(told, withErrors, false);
      if (reports.length > 0) send(reports);
    }
  }

  /** Errors first, and no more than anybody reads. */
  private chosen(): ByFile {
    const all = [...this.found.values()].flatMap((files) => [...files].map(capped));
    const ordered = [
      ...all.filter(([, items]) => items.some(isError)),
      ...all.filter(([, items]) => !items.some(isError)),
    ];
    const chosen = new Map<string, readonly Diagnostic[]>();
    let count = 0;
    for (const [uri, items] of ordered) {
      if (count + items.length > maxOfAll) continue;
      count += items.length;
      chosen.set(uri, items);
    }
    return chosen;
  }

  /** What the client does not have yet; what is not in `files` any more is told to be empty. */
  private news(told: Map<string, string>, files: ByFile, isWhole = true): WorkspaceDocumentDiagnosticReport[] {
    const reports: WorkspaceDocumentDiagnosticReport[] = [];
    const tell = (uri: string, items: readonly Diagnostic[]): void => {
      const resultId = this.needs.ids.idOf(uri, items);
      if (told.get(uri) === resultId) return;
      told.set(uri, resultId);
      reports.push({ kind: 'full', uri, version: null, resultId, items: [...items] });
    };
    for (const [uri, items] of files) tell(uri, items);
    if (isWhole) for (const uri of told.keys()) if (!files.has(uri)) tell(uri, []);
    return reports;
  }

  private async change({ isCancelled, onCancelled }: WorkspaceQuestion): Promise<void> {
    if (this.dirty.size > 0 || isCancelled()) return;
    await new Promise<void>((done) => {
      this.wakers.push(done);
      onCancelled(done);
    });
  }

  private wake(): void {
    const { wakers } = this;
    this.wakers = [];
    for (const wake of wakers) wake();
  }
}

function first<T>(items: ReadonlySet<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === DiagnosticSeverity.Error;
}

function capped([uri, items]: readonly [string, readonly Diagnostic[]]): [string, readonly Diagnostic[]] {
  if (items.length <= maxOfFile) return [uri, items];
  return [uri, [...items].sort((a, b) => (a.severity ?? 1) - (b.severity ?? 1)).slice(0, maxOfFile)];
}
