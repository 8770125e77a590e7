import type { CodeAction, Diagnostic, TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { CodeActionKind } from 'vscode-languageserver/node';
import path from 'node:path';
import type { FileAction } from '../code-actions';
import type { Shown } from './lsp';
import { copy } from './lsp';
import { uriIn } from './places';

export const fixAllKind = `${CodeActionKind.SourceFixAll}.taskwright`;

export interface ActionPlace {
  /** Absolute folder of the task. */
  readonly dir: string;
  /** Absolute folder of taskwright.toml. */
  readonly root: string;
  readonly shown: Shown;
  /** Whether a path of the task, or taskwright.toml where `root` is asked for, is there. */
  readonly exists: (where: 'task' | 'settings', file: string) => boolean;
  readonly takesSnippets: boolean;
  /** Those that the client shows at the place. */
  readonly diagnostics: readonly Diagnostic[];
}

/** null for an action that changes nothing an editor can show, such as removing a byte-order mark it hides. */
export function codeActionOf(action: FileAction, place: ActionPlace): CodeAction | null {
  if (action.kind === 'fix-all') {
    const edit = editOf(action.edits, place);
    return edit === null ? null : { title: action.title, kind: fixAllKind, edit };
  }
  const { finding, title } = action;
  const edit = action.kind === 'fix' ? editOf(action.fix.edits, place) : allowEdit(action.allowing, place);
  if (edit === null) return null;
  const diagnostics = place.diagnostics.filter(({ code }) => code === finding.ruleId);
  const isPreferred = action.kind === 'fix' && action.fix.preferred === true;
  return { title, kind: CodeActionKind.QuickFix, diagnostics, edit, ...(isPreferred && { isPreferred }) };
}

type Changes = NonNullable<WorkspaceEdit['documentChanges']>;

function editOf(
  edits: readonly { readonly file: string; readonly range: Parameters<Shown>[1]; readonly newText: string }[],
  { dir, shown, exists }: ActionPlace,
): WorkspaceEdit | null {
  const byFile = new Map<string, TextDocumentEdit['edits']>();
  for (const { file, range, newText } of edits) {
    const visible = shown(file, range);
    const isNothing = newText === '' && isMarkOnly(range, visible);
    if (!isNothing) byFile.set(file, [...(byFile.get(file) ?? []), { range: copy(visible), newText }]);
  }
  if (byFile.size === 0) return null;
  const documentChanges: Changes = [];
  for (const [file, changes] of byFile) {
    const uri = uriIn(dir, file);
    if (!exists('task', file)) documentChanges.push({ kind: 'create', uri, options: { ignoreIfExists: true } });
    documentChanges.push({ textDocument: { uri, version: null }, edits: changes });
  }
  return { documentChanges };
}

/** The range covers a byte-order mark alone, of which the editor shows nothing. */
function isMarkOnly(range: Parameters<Shown>[1], visible: Parameters<Shown>[1]): boolean {
  const { start, end } = range;
  return start.line === 0 && start.character === 0 && end.line === 0 && end.character === 1 && visible !== range;
}

function allowEdit(
  { where, file, range, before, after }: Extract<FileAction, { kind: 'allow' }>['allowing'],
  { dir, root, shown, exists, takesSnippets }: ActionPlace,
): WorkspaceEdit {
  const uri = where === 'task' ? uriIn(dir, file) : uriIn(root, path.basename(file));
  const place = copy(where === 'task' ? shown(file, range) : range);
  // Without a reason it lets nothing pass, which a finding says: nobody forgets it.
  const edit = takesSnippets
    ? { range: place, snippet: { kind: 'snippet' as const, value: `${escaped(before)}$1${escaped(after)}` } }
    : { range: place, newText: before + after };
  const documentChanges: Changes = [];
  if (!exists(where, file)) documentChanges.push({ kind: 'create', uri, options: { ignoreIfExists: true } });
  documentChanges.push({ textDocument: { uri, version: null }, edits: [edit] });
  return { documentChanges };
}

function escaped(text: string): string {
  return text.replace(/[\\$}]/gu, '\\$&');
}
