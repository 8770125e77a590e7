import type { Dockerfile, Heredoc, Instruction, Word } from '../../text/dockerfile/dockerfile';
import { flagOf, sourceStage } from '../../text/dockerfile/dockerfile';
import { absolutePath, baseName } from '../container-path';
import type { ImageFile, Origin } from '../image';
import { matchSource, sourceSegments, type ContextEntry, type ImageContext } from './context';
import type { ImageFiles } from './image-files';

/** What a stage knows when it comes to an instruction. */
export interface StageState {
  readonly dockerfile: Dockerfile;
  readonly context: ImageContext | null;
  /** The files of an earlier stage. */
  readonly stage: (index: number) => ImageFiles;
  readonly files: ImageFiles;
  readonly workdir: string | null;
  readonly user: string | null;
}

const archive = /\.(?:tar|tar\.(?:gz|bz2|xz|zst)|tgz|tbz2|txz)$/i;
const url = /^(?:https?|ftp):\/\//i;
const repository = /^(?:git@|git:\/\/|ssh:\/\/|https?:\/\/\S+\.git(?:#|$))/i;

/** Follows a COPY or ADD. */
export function applyCopy(instruction: Instruction, state: StageState): void {
  const words = instruction.words;
  const last = words.at(-1);
  if (last === undefined || words.length < 2) return;
  const { files } = state;
  const gap = (reason: 'variable' | 'image' | 'archive' | 'clone' | 'not-understood', below: string | null): void => {
    files.addGap({ instruction, below, reason });
  };
  const target = last.value === null ? null : absolutePath(last.value, state.workdir);
  if (target === null) {
    gap('variable', null);
    return;
  }
  const sources = words.slice(0, -1);
  const intoFolder =
    sources.length > 1 ||
    /(?:^|\/)\.{0,2}$/.test(last.value ?? '') ||
    (last.value === '' ? true : files.isFolder(target));
  const facts = {
    by: instruction,
    owner: flagOf(instruction, 'chown') === null ? 'root' : (flagOf(instruction, 'chown')?.value ?? null),
    mode: flagOf(instruction, 'chmod')?.value ?? null,
  };
  const put = (path: string | null, origin: Origin, word: Word): void => {
    if (path !== null) files.add({ path, origin, ...facts, start: word.start, end: word.end });
  };
  const from = flagOf(instruction, 'from');
  const stage = sourceStage(state.dockerfile, instruction);
  const parents = instruction.flags.some(({ name }) => name === 'parents');
  for (const word of sources) {
    const heredoc = instruction.heredocs.find(({ start }) => start === word.start);
    if (heredoc !== undefined) {
      put(intoFolder ? absolutePath(heredoc.name, target) : target, textOrigin(heredoc), word);
    } else if (word.value === null) gap('variable', target);
    else if (from !== null) copyFromStage(state, stage, word, target, intoFolder, facts, gap);
    else if (repository.test(word.value)) gap('clone', target);
    else if (url.test(word.value)) {
      const name = baseName(word.value.replace(/[?#].*$/, ''));
      put(intoFolder ? absolutePath(name, target) : target, { kind: 'download', url: word.value }, word);
    } else copyFromContext(state.context, word, intoFolder);
  }

  function copyFromContext(context: ImageContext | null, word: Word, into: boolean): void {
    const segments = sourceSegments(word.value ?? '');
    if (context === null || segments === null) {
      gap('not-understood', target);
      return;
    }
    const found = files.spend(context.entries.length) ? matchSource(context.entries, segments) : [];
    const unpacks = instruction.keyword === 'ADD' && flagOf(instruction, 'unpack')?.value !== 'false';
    const named = found.filter(({ inner, entry }) => inner === '' && !entry.isFolder);
    const several = named.length > 1;
    if (!context.isWhole && found.length === 0) gap('not-understood', target);
    for (const { entry, root, inner } of found) {
      const path = placeOf(entry, root, inner, into || several);
      if (path === null) continue;
      if (entry.isFolder) files.addFolder(path);
      else if (unpacks && inner === '' && archive.test(entry.path)) gap('archive', target);
      else put(path, { kind: 'context', file: entry.file }, word);
    }
  }

  function placeOf(entry: ContextEntry, root: string, inner: string, into: boolean): string | null {
    if (parents) return absolutePath(entry.path, target);
    if (inner !== '') return absolutePath(inner, target);
    if (entry.isFolder) return target;
    return into ? absolutePath(baseName(root), target) : target;
  }
}

function copyFromStage(
  state: StageState,
  stage: number | null,
  word: Word,
  target: string,
  intoFolder: boolean,
  facts: Pick<ImageFile, 'by' | 'owner' | 'mode'>,
  gap: (reason: 'image', below: string) => void,
): void {
  const { files } = state;
  const source = absolutePath(word.value ?? '', '/');
  if (source === null) return;
  const asIs = (file: ImageFile): Partial<ImageFile> => ({ owner: facts.owner, mode: facts.mode ?? file.mode });
  if (stage !== null && files.copy(state.stage(stage), source, intoFolder ? `${target}/` : target, asIs)) return;
  // A program built there, or a file of another image: one file or a folder of them.
  const isFolder = /\/\.?$/.test(word.value ?? '') || (!intoFolder && files.isFolder(target));
  const path = intoFolder && !isFolder ? absolutePath(baseName(source), target) : target;
  gap('image', path ?? target);
  if (path !== null && !isFolder)
    files.add({ path, origin: { kind: 'unknown' }, ...facts, start: word.start, end: word.end });
}

function textOrigin(heredoc: Heredoc): Origin {
  return !heredoc.quoted && /\$[A-Za-z_{]/.test(heredoc.text)
    ? { kind: 'unknown' }
    : { kind: 'text', text: heredoc.text };
}
