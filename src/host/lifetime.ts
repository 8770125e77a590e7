/** Anything that has to be disposed by whoever made it: ours and VS Code's alike. */
export interface Lifetime {
  dispose(): unknown;
}

export function disposeAll(items: readonly Lifetime[]): void {
  for (const item of items) item.dispose();
}
