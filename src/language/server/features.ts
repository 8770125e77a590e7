import type { CancellationToken, ClientCapabilities, CodeAction, Connection } from 'vscode-languageserver/node';
import { CodeActionKind } from 'vscode-languageserver/node';
import type { Grammars } from '../../core/text/syntax-tree';
import type { FileAction } from '../code-actions';
import { actionsAt, fixAll } from '../code-actions';
import { completeTask } from '../completion/completion';
import { foldTask } from '../folding';
import { formatTask } from '../formatting';
import { hoverTask } from '../hover';
import { hintsOf } from '../inlay-hints';
import { linksIn } from '../links';
import { outlineTask } from '../outline';
import type { Surroundings } from '../surroundings';
import type { ActionPlace } from './action-edits';
import { codeActionOf, fixAllKind } from './action-edits';
import { cancelled } from './cancelled';
import { isShown, placedFinding } from './diagnostics';
import type { OpenDocuments, OpenFile } from './documents';
import type { Shown } from './lsp';
import { completionItemOf, copy, documentLinkOf, foldingRangeOf, hoverOf, inlayHintOf, symbolOf } from './lsp';
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

  connection.onDocumentSymbol(async ({ textDocument: { uri } }, token) => {
    const file = await configuration(uri, token);
    return file === null ? null : outlineTask(file.text).map(symbolOf);
  });

  connection.onFoldingRanges(async ({ textDocument: { uri } }, token) => {
    const file = await configuration(uri, token);
    return file === null ? null : foldTask(file.text).map(foldingRangeOf);
  });

  connection.onDocumentLinks(async ({ textDocument: { uri } }, token) => {
    const file = await documents.open(uri);
    if (file === null) return null;
    const { disk } = await states.subject(file.dir);
    if (token.isCancellationRequested) throw cancelled();
    return linksIn(file.path, file.text, disk?.entries ?? new Map()).map((link) => documentLinkOf(link, file.dir));
  });

  connection.languages.inlayHint.on(async ({ textDocument: { uri }, range }, token) => {
    const file = await configuration(uri, token);
    return file === null ? null : hintsOf(file.text, range).map(inlayHintOf);
  });

  connection.onDocumentFormatting(async ({ textDocument: { uri } }, token) => {
    const file = await configuration(uri, token);
    return file === null ? null : formatTask(file.text).map(({ range, newText }) => ({ range: copy(range), newText }));
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
