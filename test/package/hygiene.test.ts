import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { repositoryFiles, root, sourceTexts, textOf } from './sources';

/** Where a text matches, as `file:line`. */
function places(texts: Iterable<readonly [string, string]>, pattern: RegExp): readonly string[] {
  const found: string[] = [];
  for (const [path, text] of texts) {
    for (const [index, line] of text.split('\n').entries()) if (pattern.test(line)) found.push(`${path}:${index + 1}`);
  }
  return found;
}

function* allTexts(): Generator<readonly [string, string]> {
  for (const path of repositoryFiles()) {
    const text = textOf(path);
    if (text !== null) yield [path, text];
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Hosts that this machine's package managers are set to, other than the public defaults. */
function packageHosts(): readonly string[] {
  const settings = [execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' })];
  for (const file of ['/etc/apt/sources.list', '/etc/apt/sources.list.d/debian.sources', '/etc/pip.conf']) {
    try {
      settings.push(readFileSync(file, 'utf8'));
    } catch {
      // Not every machine has each of them.
    }
  }
  const hosts = settings.flatMap((text) =>
    [...text.matchAll(/https?:\/\/(?:[^\s/@]*@)?([^\s/:]+)/g)].map((match) => match[1]!),
  );
  return [...new Set(hosts)].filter((host) => host.includes('.'));
}

describe('the repository', () => {
  it('has no source file above 400 lines', () => {
    const long = [...sourceTexts()].map(([path, text]) => ({ path, lines: text.split('\n').length - 1 }));
    expect(long.length).toBeGreaterThan(10);
    expect(long.filter(({ lines }) => lines > 400)).toEqual([]);
  });

  it('leaves no note to finish something and no console output in its sources', () => {
    expect(places(sourceTexts(), /(\/\/|^\s*\/?\*).*\b(TODO|FIXME|XXX)\b/)).toEqual([]);
    expect(places(sourceTexts(), /(?<!\.)\bconsole\.\w/)).toEqual([]);
    expect(places(sourceTexts(), /@ts-(ignore|nocheck|expect-error)/)).toEqual([]);
  });

  it('names no place of the machine it was made on', () => {
    const here = [root, hostname(), homedir() === '/root' ? '' : homedir()].filter((text) => text.length > 3);
    expect(here.length).toBeGreaterThan(0);
    expect(places(allTexts(), new RegExp(here.map(escaped).join('|')))).toEqual([]);
  });

  it('names no package registry', () => {
    const hosts = packageHosts();
    if (hosts.length > 0) expect(places(allTexts(), new RegExp(hosts.map(escaped).join('|')))).toEqual([]);
    expect(places([['package-lock.json', textOf('package-lock.json') ?? '']], /"resolved": "https?:/)).toEqual([]);
  });

  it('has executable scripts where a person or a machine starts them', () => {
    const listed = execFileSync('git', ['ls-files', '--stage', '*.sh', '.ci/run'], { cwd: root, encoding: 'utf8' });
    const wrong = listed
      .split('\n')
      .filter((line) => /\t(\.ci\/run|scripts\/(test|start)\.sh|media\/template\/.*\.sh)$/.test(line))
      .filter((line) => !line.startsWith('100755'));
    expect(wrong).toEqual([]);
  });
});
