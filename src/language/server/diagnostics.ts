import type { Connection, Diagnostic } from 'vscode-languageserver/node';
import type { Finding, Severity } from '../../core/finding';
import type { Subject } from '../../core/model/subject';
import { ruleIds } from '../../core/rules/check';
import { readSettings, settingsFile } from '../../core/settings/read';
import type { Range } from '../../core/text/position';
import type { LanguageOptions, TaskFindings } from '../../protocol/language';
import { cancelled } from './cancelled';
import type { OpenDocuments } from './documents';
import { diagnosticOf, type Shown } from './lsp';
import { withoutMark } from './hidden-mark';
import { uriIn } from './places';
import { Quiet } from './quiet';
import { ResultIds } from './result-ids';
import type { IsCancelled, Judged, TaskStates } from './task-states';
import { WorkspaceReports } from './workspace-reports';

/** Milliseconds without a keystroke after which the tasks that are not open have their turn. */
const quietMs = 200;

/** Diagnostics as clients pull them, and the findings behind them for whoever shows their number. */
export class Diagnostics {
  /** Of tasks that need not be open. */
  readonly workspace: WorkspaceReports;
  options: LanguageOptions = {};
  /** Of whatever a person waits for. */
  readonly quiet = new Quiet(quietMs);
  private readonly ids = new ResultIds();
  private readonly told = new Map<string, { readonly judged: Judged; readonly json: string }>();

  constructor(
    private readonly connection: Connection,
    private readonly states: TaskStates,
  ) {
    this.workspace = new WorkspaceReports({
      ids: this.ids,
      quiet: (isCancelled) => this.quiet.wait(isCancelled),
      check: async (dir, isCancelled) => {
        const judged = await this.judge(dir, isCancelled);
        if (judged === null) return null;
        const byFile = this.byFile(dir, judged);
        states.rest(dir);
        return byFile;
      },
    });
  }

  listen(documents: OpenDocuments): void {
    const { languages } = this.connection;
    languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }, token) => {
      const place = await documents.place(uri);
      if (place === null) return { kind: 'full', items: settingsDiagnostics(uri, documents.textOf(uri)) };
      const judged = await this.quiet.during(() => this.judge(place.dir, () => token.isCancellationRequested));
      if (judged === null) throw cancelled();
      const items = this.byFile(place.dir, judged).get(uriIn(place.dir, place.path)) ?? [];
      const resultId = this.ids.idOf(uriIn(place.dir, place.path), items);
      return resultId === previousResultId ? { kind: 'unchanged', resultId } : { kind: 'full', resultId, items };
    });
    languages.diagnostics.onWorkspace(async ({ previousResultIds }, token, _, progress) => {
      const items = await this.workspace.answer({
        previous: new Map(previousResultIds.map(({ uri, value }) => [uri, value])),
        isCancelled: () => token.isCancellationRequested,
        onCancelled: (listener) => {
          token.onCancellationRequested(listener);
        },
        send:
          progress === undefined
            ? null
            : (parts) => {
                progress.report({ items: [...parts] });
              },
      });
      return { items: [...items] };
    });
  }

  /** Judges a task, and sends its findings when they are others than before. */
  async judge(dir: string, isCancelled: IsCancelled): Promise<Judged | null> {
    const judged = await this.states.judge(dir, isCancelled);
    if (judged !== null) this.tell(dir, judged);
    return judged;
  }

  /** A task that is gone is told of anew when it comes back. */
  forget(dir: string): void {
    this.told.delete(dir);
  }

  /** Where the editor shows a range of a file of the task. */
  shownIn(dir: string): Shown {
    return (file, range) => (this.states.hidesMark(dir, file) ? withoutMark(range) : range);
  }

  /** What is shown of a task's findings. */
  findingsOf(taskDir: string, { findings, subject }: Judged): TaskFindings {
    const shown = this.shownIn(taskDir);
    const placed = findings.filter(isShown).map((finding) => visible(placedFinding(finding, subject), shown));
    return { taskDir, counts: countsOf(placed), findings: placed };
  }

  private tell(taskDir: string, judged: Judged): void {
    const before = this.told.get(taskDir);
    if (before?.judged === judged) return;
    const message = this.findingsOf(taskDir, judged);
    const json = JSON.stringify(message);
    this.told.set(taskDir, { judged, json });
    if (before?.json === json) return;
    void this.connection.sendNotification('taskwright/findings', message);
  }

  /** By URI, with the ranges of the texts as an editor shows them. */
  private byFile(dir: string, { findings, subject }: Judged): ReadonlyMap<string, Diagnostic[]> {
    const shown = this.shownIn(dir);
    const byFile = new Map<string, Diagnostic[]>();
    for (const finding of findings) {
      if (!isShown(finding) || (this.options.otherToml === true && finding.ruleId === 'config-syntax')) continue;
      const placed = placedFinding(finding, subject);
      const uri = uriIn(dir, placed.file);
      const items = byFile.get(uri) ?? [];
      items.push(diagnosticOf(placed, dir, shown, this.options.rulePage ?? null));
      byFile.set(uri, items);
    }
    return byFile;
  }
}

/** What is wrong in an open taskwright.toml; nothing in any other file. */
function settingsDiagnostics(uri: string, text: string | null): Diagnostic[] {
  if (text === null || !uri.endsWith(`/${settingsFile}`)) return [];
  const { findings } = readSettings(text, [...ruleIds]);
  return findings.map((finding) => diagnosticOf(finding, '', (_, range) => range, null));
}

/** What is only possible belongs into a review, not under an author's fingers (task-rules.md, section 2). */
export function isShown({ confidence }: Finding): boolean {
  return confidence !== 'possible';
}

/** A file that is not there has no place for squiggles: the configuration speaks for it. */
export function placedFinding(finding: Finding, subject: Subject): Finding {
  return subject.disk?.entries.get(finding.file) === 'file' ? finding : { ...finding, file: 'task.toml' };
}

function visible(finding: Finding, shown: Shown): Finding {
  const move = <T extends { readonly file: string; readonly range: Range }>(place: T): T => ({
    ...place,
    range: shown(place.file, place.range),
  });
  return {
    ...move(finding),
    ...(finding.related && { related: finding.related.map(move) }),
    fixes: finding.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(move) })),
  };
}

function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}
