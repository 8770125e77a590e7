import type { FileKind } from '../core/files';
import { readDockerfile } from '../core/text/dockerfile/read-dockerfile';
import { flagOf } from '../core/text/dockerfile/dockerfile';
import { innerPath } from '../core/task/snapshot';
import { linesOf } from '../core/text/lines';
import type { Range } from '../core/text/position';
import type { EntryStatement, ScannedValue } from './toml/scan';
import { scanToml } from './toml/scan';

export interface Link {
  readonly range: Range;
  /** A file of the task, relative with `/`, or an `https` address. */
  readonly target: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'web'; readonly url: string };
}

const most = 500;
const webAddress = /https:\/\/[^\s"'<>`\\^{}|]{1,1000}/gu;

/** Where the files of a task are in a container: tests and solution are put there for a run. */
const mounted: readonly (readonly [container: string, folder: string])[] = [
  ['/tests/', 'tests/'],
  ['/solution/', 'solution/'],
];

/** Links of one file of a task to others, as far as they are there, and to addresses of the web. */
export function linksIn(path: string, text: string, entries: ReadonlyMap<string, FileKind>): readonly Link[] {
  const links =
    path === 'task.toml'
      ? configurationLinks(text, entries)
      : /(?:^|\/)Dockerfile$/u.test(path)
        ? dockerfileLinks(path, text, entries)
        : path.endsWith('.sh')
          ? scriptLinks(path, text, entries)
          : [];
  return links.slice(0, most);
}

function configurationLinks(text: string, entries: ReadonlyMap<string, FileKind>): readonly Link[] {
  const lines = linesOf(text);
  const scan = scanToml(text);
  const links: Link[] = [];
  let section: readonly string[] = [];
  const visit = (value: ScannedValue | null, name: string): void => {
    if (value?.kind === 'array') for (const item of value.items) visit(item, name);
    else if (value?.kind === 'inline') for (const entry of value.entries) visitEntry(entry);
    else if (value?.kind === 'string' && value.isClosed) {
      const start = value.start + value.quote.length;
      const content = text.slice(start, value.end - value.quote.length);
      for (const match of content.matchAll(webAddress)) links.push(webLink(lines, start + match.index, match[0]));
      const inStep = section[0] === 'steps' && section.length === 1 && name === 'name';
      const target = fileOf(inStep ? `steps/${content}` : content, entries);
      if (target !== null) links.push({ range: lines.range(start, start + content.length), target });
    }
  };
  const visitEntry = (entry: EntryStatement): void => {
    visit(entry.value, entry.segments.at(-1)?.name ?? '');
  };
  for (const statement of scan.statements) {
    if (statement.kind === 'header') section = statement.segments.map(({ name }) => name);
    else visitEntry(statement);
  }
  for (const { start, end } of scan.comments) {
    for (const match of text.slice(start, end).matchAll(webAddress))
      links.push(webLink(lines, start + match.index, match[0]));
  }
  return links;
}

/** A path that names a file of the task, itself or by its place in the container; a folder's instruction for a step. */
function fileOf(text: string, entries: ReadonlyMap<string, FileKind>, folder = ''): Link['target'] | null {
  const at = mounted.find(([container]) => text.startsWith(container));
  if (at === undefined && (text.startsWith('/') || text.includes(':'))) return null;
  const path = innerPath(at === undefined ? folder + text : at[1] + text.slice(at[0].length));
  if (path === null || path === '') return null;
  const kind = entries.get(path);
  if (kind === 'file') return { kind: 'file', path };
  const instruction = `${path}/instruction.md`;
  return kind === 'directory' && entries.get(instruction) === 'file' ? { kind: 'file', path: instruction } : null;
}

/** Sources of COPY and ADD in the build context, which is the Dockerfile's own folder. */
function dockerfileLinks(file: string, text: string, entries: ReadonlyMap<string, FileKind>): readonly Link[] {
  const lines = linesOf(text);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return readDockerfile(text).instructions.flatMap((instruction) => {
    if (!/^(?:COPY|ADD)$/u.test(instruction.keyword) || flagOf(instruction, 'from') !== null) return [];
    return instruction.words.slice(0, -1).flatMap((word): Link[] => {
      const target = word.value === null ? null : fileOf(word.value.replace(/^\/+/u, ''), entries, folder);
      return target === null ? [] : [{ range: lines.range(word.start, word.end), target }];
    });
  });
}

/** Paths such as `/tests/test_outputs.py`; a step's own folder comes before the one of the whole task. */
function scriptLinks(file: string, text: string, entries: ReadonlyMap<string, FileKind>): readonly Link[] {
  const lines = linesOf(text);
  const step = /^(steps\/[^/]+\/)/u.exec(file)?.[1] ?? '';
  const links: Link[] = [];
  for (const match of text.matchAll(/(?<![\w./-])\/(?:tests|solution)\/[\w./-]{1,300}/gu)) {
    const path = innerPath(match[0].slice(1).replace(/[.]+$/u, ''));
    const found = path === null ? undefined : [step + path, path].find((one) => entries.get(one) === 'file');
    if (found === undefined) continue;
    const range = lines.range(match.index, match.index + match[0].length);
    links.push({ range, target: { kind: 'file', path: found } });
  }
  return links;
}

function webLink(lines: ReturnType<typeof linesOf>, start: number, found: string): Link {
  // What ends a sentence is no part of the address.
  const url = found.replace(/[.,;:!?)\]]+$/u, '');
  return { range: lines.range(start, start + url.length), target: { kind: 'web', url } };
}
