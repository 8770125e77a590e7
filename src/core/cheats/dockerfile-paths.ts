import { shellCommands } from './shell-commands';

export interface DockerfilePaths {
  /** What the last stage's instructions put into the image. A folder of unknown content ends with `/`. */
  readonly paths: readonly string[];
  readonly workdir: string | null;
}

interface Instruction {
  readonly name: string;
  readonly rest: string;
  /** Names of here-documents, in order. */
  readonly heredocs: readonly string[];
}

/**
 * Where COPY, ADD and writing RUN instructions of the last stage put files. `contextFiles` are relative to the build
 * context.
 */
export function dockerfilePaths(dockerfile: string, contextFiles: readonly string[]): DockerfilePaths {
  const paths = new Set<string>();
  let workdir = '/';
  let named = false;
  for (const { name, rest, heredocs } of lastStage(instructions(dockerfile))) {
    switch (name) {
      case 'WORKDIR':
        workdir = resolvePath(workdir, unquote(rest.trim()));
        named = true;
        break;
      case 'COPY':
      case 'ADD':
        for (const path of copied(rest, heredocs, workdir, contextFiles)) paths.add(path);
        break;
      case 'RUN':
        for (const command of shellCommands(rest)) {
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
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function copied(
  rest: string,
  heredocs: readonly string[],
  workdir: string,
  contextFiles: readonly string[],
): readonly string[] {
  const words = rest.trim().startsWith('[') ? jsonWords(rest) : rest.trim().split(/\s+/).map(unquote);
  const fromElsewhere = words.some((word) => word.startsWith('--from='));
  const operands = words.filter((word) => !word.startsWith('--'));
  const target = operands.at(-1);
  const sources = operands.slice(0, -1).filter((word) => !word.startsWith('<<'));
  if (target === undefined || target.includes('$')) return [];
  const base = resolvePath(workdir, target);
  const intoFolder = target.endsWith('/') || target === '.' || sources.length + heredocs.length > 1;
  const found = heredocs.map((name) => (intoFolder ? resolvePath(base, name) : base));
  for (const source of sources) {
    if (fromElsewhere || /^(?:https?|git|ssh):|^git@/.test(source)) {
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

function lastStage(all: readonly Instruction[]): readonly Instruction[] {
  const from = all.map(({ name }) => name).lastIndexOf('FROM');
  return all.slice(from + 1);
}

function instructions(dockerfile: string): readonly Instruction[] {
  const lines = dockerfile.split(/\r?\n/);
  const escape = /^#\s*escape\s*=\s*`/i.test(lines[0] ?? '') ? '`' : '\\';
  const found: Instruction[] = [];
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(first)) continue;
    let text = first;
    while (text.trimEnd().endsWith(escape) && at + 1 < lines.length) {
      at++;
      const next = lines[at] ?? '';
      text = text.trimEnd().slice(0, -1) + (/^\s*#/.test(next) ? escape : ` ${next}`);
    }
    const match = /^\s*([A-Za-z]+)\s+([\s\S]*)$/.exec(text);
    if (match === null) continue;
    const name = (match[1] ?? '').toUpperCase();
    let rest = match[2] ?? '';
    const heredocs: string[] = [];
    if (name === 'RUN' || name === 'COPY' || name === 'ADD') {
      for (const heredoc of rest.matchAll(/<<-?\s*(["']?)([A-Za-z_][\w.-]*)\1/g)) heredocs.push(heredoc[2] ?? '');
      for (const delimiter of heredocs) {
        const body: string[] = [];
        while (at + 1 < lines.length && (lines[++at] ?? '').replace(/^\t+/, '') !== delimiter)
          body.push(lines[at] ?? '');
        if (name !== 'RUN') continue;
        // A here-document that is the whole of RUN is a script; one that feeds a command is its input.
        const script = /^<<-?\s*(["']?)[A-Za-z_][\w.-]*\1\s*$/.test(rest.trim());
        rest = script ? body.join('\n') : `${rest}\n${body.join('\n')}\n${delimiter}\n`;
      }
    }
    found.push({
      name,
      rest: name === 'RUN' ? rest.replace(/^(?:--\S+\s+)+/, '') : rest.replace(/\n/g, ' '),
      heredocs,
    });
  }
  return found;
}

function jsonWords(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => (match[1] ?? '').replace(/\\(.)/g, '$1'));
}

function unquote(word: string): string {
  return word.replace(/^(["'])(.*)\1$/, '$2');
}

function basename(path: string): string {
  return path.replace(/\/+$/, '').replace(/^.*\//, '');
}
