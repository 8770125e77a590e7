import type { Diagnostic } from 'vscode-languageserver/node';

/** Tells whether a file's diagnostics are what the client has already, so that "unchanged" is all there is to say. */
export class ResultIds {
  private readonly kept = new Map<string, { readonly json: string; readonly id: string }>();
  private count = 0;

  /** The id of these diagnostics: the last one as long as they stay the same. */
  idOf(uri: string, items: readonly Diagnostic[]): string {
    const json = JSON.stringify(items);
    const known = this.kept.get(uri);
    if (known?.json === json) return known.id;
    const id = String(++this.count);
    this.kept.set(uri, { json, id });
    return id;
  }
}
