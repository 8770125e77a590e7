import type { Named } from '../../core/task/keys/key';
import { readDockerfile } from '../../core/text/dockerfile/read-dockerfile';
import type { Surroundings } from '../surroundings';

/** A thing of the task that a text of task.toml can name. */
export interface NamedThing {
  readonly name: string;
  readonly kind: 'value' | 'file' | 'folder';
  /** Where it was found. */
  readonly from: string;
}

const most = 200;

export function namedThings(named: Named, around: Surroundings): readonly NamedThing[] {
  const found = new Map<string, NamedThing>();
  const add = (name: string, kind: NamedThing['kind'], from: string): void => {
    if (name !== '' && !found.has(name) && found.size < most) found.set(name, { name, kind, from });
  };
  switch (named) {
    case 'step-folder':
      for (const [path, kind] of around.entries) {
        const name = /^steps\/([^/]+)$/u.exec(path)?.[1];
        if (name !== undefined && kind === 'directory') add(name, 'folder', path);
      }
      break;
    case 'container-folder':
    case 'container-path':
      for (const { keyword, words } of dockerWords(around)) {
        if (keyword === 'WORKDIR') add(constant(words[0]), 'folder', 'environment/Dockerfile');
        else if (named === 'container-path' && (keyword === 'COPY' || keyword === 'ADD'))
          add(constant(words.at(-1)), 'file', 'environment/Dockerfile');
      }
      if (named === 'container-path') for (const [path, from] of instructedPaths(around)) add(path, 'file', from);
      break;
    case 'container-user':
      for (const { keyword, words } of dockerWords(around)) {
        const user = words[0]?.split(':')[0] ?? '';
        if (keyword === 'USER' && /^[a-z_][\w-]*$/u.test(user)) add(user, 'value', 'environment/Dockerfile');
      }
      add('root', 'value', 'user 0');
      break;
    case 'service':
      add('main', 'value', 'the container of the agent');
      break;
  }
  return [...found.values()];
}

/** Variables of the host that a template can name: those the file names already, then those that are set. */
export function variableNames(text: string, { variables }: Surroundings): readonly string[] {
  const named = [...text.matchAll(/"\$\{([A-Za-z_]\w{0,100})[:}]/gu)].flatMap((match) => match[1] ?? []);
  return [...new Set([...named, ...[...variables].sort()])].slice(0, most);
}

const shellOwn =
  /^(?:PATH|HOME|PWD|OLDPWD|IFS|SHELL|USER|LANG|TERM|TMPDIR|BASH\w*|RANDOM|SECONDS|LINENO|PIPESTATUS|EUID|UID)$/u;

/** Variables that scripts of the task read and do not set, in the order of their names. */
export function variablesRead(around: Surroundings): readonly string[] {
  const read = new Set<string>();
  const set = new Set<string>();
  for (const [path, kind] of around.entries) {
    if (kind !== 'file' || !/(?:^|\/)(?:test|solve)\.sh$/u.test(path)) continue;
    for (const line of (around.text(path) ?? '').slice(0, 100_000).split('\n')) {
      if (/^\s*#/u.test(line)) continue;
      for (const match of line.matchAll(/\$\{?([A-Z][A-Z0-9_]{1,60})/gu)) read.add(match[1] ?? '');
      for (const match of line.matchAll(/(?:^|[\s;])([A-Z][A-Z0-9_]{1,60})=/gu)) set.add(match[1] ?? '');
    }
  }
  return [...read].filter((name) => !set.has(name) && !shellOwn.test(name)).sort();
}

function* dockerWords(
  around: Surroundings,
): Generator<{ readonly keyword: string; readonly words: readonly (string | null)[] }> {
  const text = around.text('environment/Dockerfile');
  if (text === null) return;
  for (const { keyword, words } of readDockerfile(text).instructions) {
    if (/^(?:WORKDIR|COPY|ADD|USER)$/u.test(keyword)) yield { keyword, words: words.map(({ value }) => value) };
  }
}

/** An absolute path; empty for anything else, and for what could not be folded. */
function constant(word: string | null | undefined): string {
  const path = word ?? '';
  return path.startsWith('/') && path !== '/' ? path.replace(/\/$/u, '') : '';
}

/** Absolute paths that instructions name in backticks. */
function* instructedPaths(around: Surroundings): Generator<readonly [path: string, from: string]> {
  for (const path of around.entries.keys()) {
    if (!/(?:^|\/)instruction\.md$/u.test(path)) continue;
    for (const match of (around.text(path) ?? '').slice(0, 100_000).matchAll(/`(\/[\w.@+/-]{1,200})`/gu))
      yield [match[1] ?? '', path];
  }
}
