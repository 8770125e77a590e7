import { CancellationTokenSource, l10n, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import type { Files } from '../../core/files';
import type { Finding, Fix } from '../../core/finding';
import type { Language } from '../language/language';
import type { TaskEntry } from '../task-index';
import { editorRange } from '../tree/finding-rows';

export interface MendNeeds {
  readonly language: Pick<Language, 'check' | 'allow'>;
  readonly files: Files;
}

/** Applies a fix of a finding to the texts as they are now; the files stay unsaved, so that a person looks first. */
export async function fixFinding(entry: TaskEntry, finding: Finding, { language, files }: MendNeeds): Promise<void> {
  // What was found may be of a text that has changed since.
  const now = await answered((token) => language.check(entry.task.dir, token));
  const current = now === null ? null : nearest(now.findings, finding);
  if (current === null) {
    window.setStatusBarMessage(`$(pass) ${l10n.t('This finding is gone already.')}`, 5_000);
    return;
  }
  const fix = await chooseFix(current);
  if (fix === null) return;
  const edit = new WorkspaceEdit();
  for (const file of new Set(fix.edits.map((one) => one.file))) {
    const uri = Uri.joinPath(entry.uri, file);
    if ((await files.stat(uri.fsPath)) === null) edit.createFile(uri, { ignoreIfExists: true });
    for (const { range, newText } of fix.edits.filter((one) => one.file === file))
      edit.replace(uri, editorRange(range), newText);
  }
  await apply(edit, fix.edits[0] === undefined ? null : Uri.joinPath(entry.uri, fix.edits[0].file), finding);
}

/** Asks why a finding may stay, and writes that where the server says. */
export async function allowFinding(entry: TaskEntry, finding: Finding, { language, files }: MendNeeds): Promise<void> {
  const reason = await window.showInputBox({
    title: l10n.t('Allow {0}', finding.ruleId),
    prompt: l10n.t('Why may this stay? Whoever reviews the task reads the reason beside it.'),
    placeHolder: finding.message,
    validateInput: (value) => (value.trim() === '' ? l10n.t('Give a reason.') : null),
  });
  if (reason === undefined) return;
  const { fingerprint, range } = finding;
  const request = { taskDir: entry.task.dir, fingerprint, line: range.start.line, reason: reason.trim() };
  const allowed = await answered((token) => language.allow(request, token));
  if (allowed === null) {
    window.setStatusBarMessage(`$(pass) ${l10n.t('This finding is gone already.')}`, 5_000);
    return;
  }
  const uri = Uri.file(allowed.file);
  const edit = new WorkspaceEdit();
  if ((await files.stat(allowed.file)) === null) edit.createFile(uri, { ignoreIfExists: true });
  edit.replace(uri, editorRange(allowed.range), allowed.newText);
  await apply(edit, uri, { ...finding, range: allowed.range });
}

async function chooseFix({ fixes, ruleId }: Finding): Promise<Fix | null> {
  const preferred = fixes.find((fix) => fix.preferred === true);
  const [first] = fixes;
  if (preferred !== undefined || first === undefined || fixes.length === 1) return preferred ?? first ?? null;
  const choices = fixes.map((fix) => ({ label: fix.title, fix }));
  return (await window.showQuickPick(choices, { title: l10n.t('Fix {0}', ruleId) }))?.fix ?? null;
}

async function apply(edit: WorkspaceEdit, uri: Uri | null, { range }: Pick<Finding, 'range'>): Promise<void> {
  if (!(await workspace.applyEdit(edit))) {
    void window.showWarningMessage(
      l10n.t('The change could not be made: the file has changed meanwhile, or cannot be written.'),
    );
    return;
  }
  if (uri === null) return;
  const document = await workspace.openTextDocument(uri);
  const { start } = editorRange(range);
  const place = document.validatePosition(start);
  await window.showTextDocument(document, { preview: true, selection: document.lineAt(place.line).range });
}

function nearest(findings: readonly Finding[], { fingerprint, range }: Finding): Finding | null {
  const distance = (one: Finding): number => Math.abs(one.range.start.line - range.start.line);
  const same = findings.filter((one) => one.fingerprint === fingerprint);
  return same.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

async function answered<T>(ask: (token: CancellationTokenSource['token']) => Promise<T>): Promise<T> {
  const source = new CancellationTokenSource();
  try {
    return await ask(source.token);
  } finally {
    source.dispose();
  }
}
