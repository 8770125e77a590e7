import { absolutePath, baseName, extensionOf, folderOf, isAtOrBelow } from './container-path';

/** Where the files of `tests/` lie in the verifier's container: below `/tests`, and where the test script copies them. */
export class TestPlaces {
  /** Places filled from `/tests`: where, and from which path below `/tests`; empty for all of it. */
  readonly copies = new Map<string, string>();

  /** Files by their path below `/tests`. */
  constructor(private readonly tests: ReadonlyMap<string, string>) {}

  /** The file of the task that lies at a path of the container once the verifier runs; null for none. */
  fileAt(path: string): string | null {
    const { tests } = this;
    if (path.startsWith('/tests/')) return tests.get(path.slice('/tests/'.length)) ?? null;
    for (const [place, from] of this.copies) {
      if (!isAtOrBelow(path, place)) continue;
      const found = tests.get((from + path.slice(place.length)).replace(/^\//u, ''));
      if (found !== undefined) return found;
    }
    return null;
  }

  /** Paths at which files lie below a folder of the container. */
  below(folder: string): string[] {
    const { tests } = this;
    const found: string[] = [];
    for (const name of tests.keys()) {
      const own = `/tests/${name}`;
      if (isAtOrBelow(own, folder)) found.push(own);
      for (const [place, from] of this.copies) {
        const at = from === '' ? `${place}/${name}` : isAtOrBelow(name, from) ? place + name.slice(from.length) : null;
        if (at !== null && isAtOrBelow(at, folder)) found.push(at);
      }
    }
    return found;
  }

  /** Follows `cp`, `mv`, `install`, `ln` and `rsync` out of `/tests`; false when something there is unknown. */
  copy(program: string, words: readonly (string | null)[], folder: string | null): boolean {
    if (!/^(?:cp|mv|install|ln|rsync)$/u.test(program)) return true;
    const paths = words.filter((word) => !word?.startsWith('-'));
    const last = paths.at(-1) ?? null;
    if (paths.length < 2) return true;
    let isKnown = true;
    const to = last === null ? null : absolutePath(last, folder);
    for (const word of paths.slice(0, -1)) {
      const from = word === null ? null : absolutePath(word, folder);
      if (from === null || to === null || last === null) {
        isKnown = false;
        continue;
      }
      if (!isAtOrBelow(from, '/tests')) continue;
      const inner = from.slice('/tests'.length).replace(/^\//u, '');
      if (inner.includes('*')) {
        this.copies.set(to, folderOf(`/${inner}`).slice(1));
        continue;
      }
      const isFile = this.tests.has(inner);
      const name = baseName(from);
      // Whether the target is a folder that is there already, reading does not tell: both are looked at.
      if (isFile && extensionOf(to) !== extensionOf(inner)) this.copies.set(`${to}/${name}`, inner);
      else {
        this.copies.set(to, inner);
        if (!isFile && !(word ?? '').endsWith('/.') && !(word ?? '').endsWith('/'))
          this.copies.set(`${to}/${name}`, inner);
      }
    }
    return isKnown;
  }
}
