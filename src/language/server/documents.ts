import type { Connection } from 'vscode-languageserver/node';
import { TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Files } from '../../core/files';
import type { FilePlace } from './places';
import { pathOfUri, placeOf } from './places';
import type { TaskStates } from './task-states';

/** An open file of a task. */
export interface OpenFile extends FilePlace {
  readonly uri: string;
  readonly text: string;
}

/** Open texts, each with the task it belongs to; hands them on to `states`. */
export class OpenDocuments {
  /** Absolute paths of task folders. */
  tasks: ReadonlySet<string> = new Set();
  /** Absolute paths of workspace folders. */
  folders: readonly string[] = [];
  private readonly documents = new TextDocuments(TextDocument);
  private readonly places = new Map<string, Promise<FilePlace | null>>();

  constructor(
    connection: Connection,
    private readonly files: Files,
    private readonly states: TaskStates,
    onChange: (dir: string) => void,
  ) {
    this.documents.onDidChangeContent(({ document }) => {
      void this.place(document.uri).then((place) => {
        if (place === null || this.documents.get(document.uri) === undefined) return;
        this.states.setOpen(place.dir, place.path, document.getText());
        onChange(place.dir);
      });
    });
    this.documents.onDidClose(({ document }) => {
      void this.place(document.uri).then((place) => {
        this.places.delete(document.uri);
        if (place === null) return;
        this.states.close(place.dir, place.path);
        onChange(place.dir);
      });
    });
    this.documents.listen(connection);
  }

  /** The file of a task behind a URI; its text is the open one. null for anything else. */
  async open(uri: string): Promise<OpenFile | null> {
    const place = await this.place(uri);
    const document = this.documents.get(uri);
    return place === null || document === undefined ? null : { ...place, uri, text: document.getText() };
  }

  /** The open text of any file; null where it is not open. */
  textOf(uri: string): string | null {
    return this.documents.get(uri)?.getText() ?? null;
  }

  /** Where a file belongs, open or not. */
  place(uri: string): Promise<FilePlace | null> {
    const known = this.places.get(uri);
    if (known !== undefined) return known;
    const file = pathOfUri(uri);
    if (file === null) return Promise.resolve(null);
    const found = placeOf(file, this.tasks, this.folders, this.files);
    if (this.documents.get(uri) !== undefined) this.places.set(uri, found);
    return found;
  }

  /** Looks again where every open file belongs: tasks came or went. */
  async sort(): Promise<void> {
    for (const { uri } of this.documents.all()) {
      const before = await this.places.get(uri);
      this.places.delete(uri);
      const now = await this.place(uri);
      const document = this.documents.get(uri);
      if (document === undefined || (before?.dir === now?.dir && before?.path === now?.path)) continue;
      if (before) this.states.close(before.dir, before.path);
      if (now) this.states.setOpen(now.dir, now.path, document.getText());
    }
  }
}
