import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import { completeTask } from '../completion/completion';
import { hoverTask } from '../hover';
import type { Surroundings } from '../surroundings';
import { cancelled } from './cancelled';
import type { OpenDocuments, OpenFile } from './documents';
import { completionItemOf, hoverOf } from './lsp';
import type { TaskStates } from './task-states';

export interface FeatureNeeds {
  readonly documents: OpenDocuments;
  readonly states: TaskStates;
  /** Names of the host's environment variables. */
  readonly variables: readonly string[];
  readonly takesSnippets: () => boolean;
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
    return completeTask(file.text, position, around).map((item, order) =>
      completionItemOf(item, order, needs.takesSnippets()),
    );
  });

  connection.onHover(async ({ textDocument: { uri }, position }, token) => {
    const file = await configuration(uri, token);
    const hover = file === null ? null : hoverTask(file.text, position);
    return hover === null ? null : hoverOf(hover);
  });
}
