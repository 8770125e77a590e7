import { absolutePath } from '../model/container-path';
import type { Instruction } from '../text/dockerfile/dockerfile';
import { flagOf } from '../text/dockerfile/dockerfile';
import { readDockerfile } from '../text/dockerfile/read-dockerfile';
import { shellCommands } from './shell-commands';

export interface DockerfilePaths {
  /** What the last stage's instructions put into the image. A folder of unknown content ends with `/`. */
  readonly paths: readonly string[];
  readonly workdir: string | null;
}

/**
 * Where COPY, ADD and writing RUN instructions of the last stage put files. `contextFiles` are relative to the build
 * context.
 */
export function dockerfilePaths(dockerfile: string, contextFiles: readonly string[]): DockerfilePaths {
  const paths = new Set<string>();
  let workdir = '/';
  let named = false;
  for (const instruction of readDockerfile(dockerfile).stages.at(-1)?.instructions ?? []) {
    switch (instruction.keyword) {
      case 'WORKDIR':
        workdir = resolvePath(workdir, instruction.words[0]?.value ?? '');
        named = true;
        break;
      case 'COPY':
      case 'ADD':
        for (const path of copied(instruction, workdir, contextFiles)) paths.add(path);
        break;
      case 'RUN':
        for (const command of shellCommands(instruction.shell?.text ?? '')) {
          const targets = command.words[0] === 'tee' ? command.words.slice(1) : command.writes;
          for (const target of targets)
            if (!/[$*?-]/.test(target.charAt(0)) && !target.includes('$') && !target.startsWith('/dev/'))
              paths.add(resolvePath(workdir, target));
        }
        break;
      default:
    }
  }
  return { paths: [...paths], workdir: named ? workdir : null };
}

/** Joins and normalises a POSIX path. */
export function resolvePath(base: string, path: string): string {
  return absolutePath(path, base) ?? base;
}

function copied(instruction: Instruction, workdir: string, contextFiles: readonly string[]): readonly string[] {
  const { words, heredocs } = instruction;
  const target = words.at(-1)?.value ?? null;
  if (target === null || words.length < 2) return [];
  const sources = words.slice(0, -1).filter((word) => !heredocs.some(({ start }) => start === word.start));
  const base = resolvePath(workdir, target);
  const intoFolder = target.endsWith('/') || target === '.' || sources.length + heredocs.length > 1;
  const found = heredocs.map(({ name }) => (intoFolder ? resolvePath(base, name) : base));
  for (const { value, raw } of sources) {
    const source = value ?? raw;
    if (flagOf(instruction, 'from') !== null || /^(?:https?|git|ssh):|^git@/.test(source)) {
      found.push(intoFolder ? resolvePath(base, basename(source)) : base);
      continue;
    }
    const pattern = globPattern(source);
    const matches = contextFiles.flatMap((file) => {
      const match = pattern.exec(file);
      return match === null ? [] : [{ file, matched: match[0] }];
    });
    // The Dockerfile may copy what an ignore file or a later build step decides on.
    if (matches.length === 0) found.push(intoFolder || source === '.' ? `${base === '/' ? '' : base}/` : base);
    for (const { file, matched } of matches) {
      // A folder's content is copied, not the folder itself.
      const inside = matched === file ? '' : file.slice(matched.length);
      if (inside !== '') found.push(resolvePath(base, inside.replace(/^\//, '')));
      else found.push(intoFolder || matches.length > 1 ? resolvePath(base, basename(file)) : base);
    }
  }
  return found;
}

/** Matches a file that a source of COPY names, or the folder part of a file that lies in one. */
function globPattern(source: string): RegExp {
  const clean = resolvePath('/', source).slice(1);
  if (clean === '') return /^/;
  const pattern = clean
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]');
  return new RegExp(`^${pattern}(?=/|$)`);
}

function basename(path: string): string {
  return path.replace(/\/+$/, '').replace(/^.*\//, '');
}
