import type { CancellationToken, ClientCapabilities, CodeAction, Connection } from 'vscode-languageserver/node';
import { CodeActionKind } from 'vscode-languageserver/node';
import type { Grammars } from '../../core/text/syntax-tree';
import type { FileAction } from '../code-actions';
import { actionsAt, fixAll } from '../code-actions';
import { completeTask } from '../completion/completion';
import { hoverTask } from '../hover';
import type { Surroundings } from '../surroundings';
import type { ActionPlace } from './action-edits';
import { codeActionOf, fixAllKind } from './action-edits';
import { cancelled } from './cancelled';
import { isShown, placedFinding } from './diagnostics';
import type { OpenDocuments, OpenFile } from './documents';
import type { Shown } from './lsp';
import { completionItemOf, hoverOf } from './lsp';
import type { TaskSettings } from './settings-source';
import type { IsCancelled, Judged, TaskStates } from './task-states';

export interface FeatureNeeds {
  readonly documents: OpenDocuments;
  readonly states: TaskStates;
  /** Names of the host's environment variables. */
  readonly variables: readonly string[];
  readonly grammars: () => Promise<Grammars | null>;
  readonly settingsOf: (dir: string) => Promise<TaskSettings>;
  readonly judge: (dir: string, isCancelled: IsCancelled) => Promise<Judged | null>;
  readonly shownIn: (dir: string) => Shown;
  readonly client: () => ClientCapabilities;
}

/** Answers what is asked about one open file. */
export function listenForFeatures(connection: Connection, needs: FeatureNeeds): void {
  const { documents, states } = needs;

  /** An open task.toml; null for any other file. */
  const configuration = async (uri: string, token: CancellationToken): Promise<OpenFile | null> => {
    const file = await documents.open(uri);
    if (token.isCancellationRequested) throw cancelled();
    return file?.path === 'task.toml' ? file : null;
  };

  const surroundings = async (dir: string): Promise<Surroundings> => {
    const subject = await states.subject(dir);
    const { disk } = subject;
    return {
      dirName: disk?.dirName ?? null,
      entries: disk?.entries ?? new Map(),
      text: (path) => subject.text(path),
      variables: needs.variables,
    };
  };

  connection.onCompletion(async ({ textDocument: { uri }, position }, token) => {
    const file = await configuration(uri, token);
    if (file === null) return null;
    const around = await surroundings(file.dir);
    if (token.isCancellationRequested) throw cancelled();
    const takesSnippets = needs.client().textDocument?.completion?.completionItem?.snippetSupport === true;
    return completeTask(file.text, position, around).map((item, order) => completionItemOf(item, order, takesSnippets));
  });

  connection.onHover(async ({ textDocument: { uri }, position }, token) => {
    const file = await configuration(uri, token);
    const hover = file === null ? null : hoverTask(file.text, position);
    return hover === null ? null : hoverOf(hover);
  });

  connection.onCodeAction(async ({ textDocument: { uri }, range, context }, token): Promise<CodeAction[]> => {
    const file = await documents.open(uri);
    const wants = (kind: string): boolean =>
      context.only === undefined || context.only.some((only) => kind === only || kind.startsWith(`${only}.`));
    if (file === null || (!wants(CodeActionKind.QuickFix) && !wants(fixAllKind))) return [];
    const [judged, grammars, { root, taskPath, text }] = await Promise.all([
      needs.judge(file.dir, () => token.isCancellationRequested),
      needs.grammars(),
      needs.settingsOf(file.dir),
    ]);
    if (judged === null) throw cancelled();
    const { subject } = judged;
    const shown = needs.shownIn(file.dir);
    const actions: FileAction[] = [];
    const all = file.path === 'task.toml' && wants(fixAllKind) ? fixAll(judged.findings, subject) : null;
    if (all !== null && context.only !== undefined) actions.push(all);
    if (wants(CodeActionKind.QuickFix)) {
      const here = judged.findings
        .filter(isShown)
        .map((finding) => placedFinding(finding, subject))
        .filter((finding) => finding.file === file.path);
      // What the client asks for is a place of the text as it shows it.
      const visible = here.map((finding) => ({ ...finding, range: shown(finding.file, finding.range) }));
      const chosen = actionsAt(visible, range, subject, grammars, { taskPath, text });
      actions.push(...chosen);
    }
    const place: ActionPlace = {
      dir: file.dir,
      root,
      shown,
      exists: (where, path) => (where === 'settings' ? text !== null : subject.disk?.entries.has(path) === true),
      takesSnippets: needs.client().workspace?.workspaceEdit?.snippetEditSupport === true,
      diagnostics: context.diagnostics,
    };
    return actions.flatMap((action) => codeActionOf(action, place) ?? []);
  });
}
