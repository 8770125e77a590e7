import type { ArtifactConfig } from '../task/config';

/** One thing to collect after the agent (harbor-run.md, section 10). */
export interface PlannedArtifact {
  /** As the task names it. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly path: string;
  /** Below the trial's `artifacts/`, with `/`. */
  readonly target: string;
  readonly exclude: readonly string[];
  /** True for `/logs/artifacts`, which Harbor mounts. */
  readonly implicit: boolean;
  /** True when it would lie at, in or around the place of an earlier one, and is therefore left out. */
  readonly clash: boolean;
}

const artifactsFolder = '/logs/artifacts';

/** The effective list for the service `main`, `/logs/artifacts` first unless the task names it itself. */
export function planArtifacts(entries: readonly ArtifactConfig[]): readonly PlannedArtifact[] {
  const own = entries.filter((entry) => (entry.service ?? 'main') === 'main');
  const isNamed = own.some((entry) => trim(entry.source) === artifactsFolder);
  const implicit: ArtifactConfig = { source: artifactsFolder, destination: null, exclude: [], service: null };
  const claimed: string[] = [];
  return (isNamed ? own : [implicit, ...own]).map((entry) => {
    const path = `/${entry.source.replace(/^\/+/u, '')}`;
    const target = trim(entry.destination === null || entry.destination === '' ? path.slice(1) : entry.destination);
    const clash = claimed.some((other) => nested(other, target));
    if (!clash) claimed.push(target);
    return {
      source: entry.source,
      path,
      target,
      exclude: entry.exclude,
      implicit: trim(path) === artifactsFolder,
      clash,
    };
  });
}

function trim(path: string): string {
  return path
    .split('/')
    .filter((part, index) => part !== '.' && (part !== '' || index === 0))
    .join('/');
}

function nested(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/**
 * Whether tar's `--exclude` patterns leave a name out: they match at any component, `*` and `?` match `/` too, and what
 * lies below a match is left out with it.
 */
export function isExcluded(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => tarPattern(pattern).test(name));
}

function tarPattern(pattern: string): RegExp {
  let body = '';
  const characters = Array.from(pattern.replace(/^\.\//u, '').replace(/\/+$/u, ''));
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    if (character === '*') body += '.*';
    else if (character === '?') body += '.';
    else if (character === '\\' && i + 1 < characters.length) body += literal(characters[++i] ?? '');
    else if (character === '[') {
      const close = characters.indexOf(']', i + (/[!^]/u.test(characters[i + 1] ?? '') ? 3 : 2));
      if (close < 0) body += '\\[';
      else {
        const inner = characters.slice(i + 1, close).join('');
        body += `[${inner.replace(/^!/u, '^').replaceAll(/[\\[\]]/gu, '\\$&')}]`;
        i = close;
      }
    } else body += literal(character);
  }
  return new RegExp(`(?:^|/)${body}(?:$|/)`, 'su');
}

function literal(character: string): string {
  return character.replace(/[\^$.*+?()[\]{}|/\\]/u, '\\$&');
}
