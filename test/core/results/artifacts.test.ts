import { describe, expect, it } from 'vitest';
import { isExcluded, planArtifacts } from '../../../src/core/results/artifacts';
import type { ArtifactConfig } from '../../../src/core/task/config';

const artifact = (source: string, more: Partial<ArtifactConfig> = {}): ArtifactConfig => ({
  source,
  destination: null,
  exclude: [],
  service: null,
  ...more,
});

const lines = (entries: readonly ArtifactConfig[]): string[] =>
  planArtifacts(entries).map(
    (one) => `${one.path} -> ${one.target}${one.implicit ? ' implicit' : ''}${one.clash ? ' clash' : ''}`,
  );

describe('what is collected (harbor-run.md, section 10)', () => {
  it('begins with the folder that is always collected, unless the task names it', () => {
    expect(lines([])).toEqual(['/logs/artifacts -> logs/artifacts implicit']);
    expect(lines([artifact('/a'), artifact('/logs/artifacts/')])).toEqual([
      '/a -> a',
      '/logs/artifacts/ -> logs/artifacts implicit',
    ]);
  });

  it('has the first of two that would lie in one another', () => {
    expect(
      lines([
        artifact('/app/out', { destination: 'x/y' }),
        artifact('/b', { destination: 'x' }),
        artifact('/c', { destination: 'x/y/z' }),
        artifact('/d', { destination: 'x/yy' }),
        artifact('relative/path', { destination: '' }),
        artifact('/other', { service: 'api' }),
        artifact('/main', { service: 'main' }),
      ]),
    ).toEqual([
      '/logs/artifacts -> logs/artifacts implicit',
      '/app/out -> x/y',
      '/b -> x clash',
      '/c -> x/y/z clash',
      '/d -> x/yy',
      '/relative/path -> relative/path',
      '/main -> main',
    ]);
  });

  it.each<[string, string, boolean]>([
    ['*.tmp', 'a.tmp', true],
    ['*.tmp', 'deep/down/a.tmp', true],
    ['*.tmp', 'a.tmpx', false],
    ['*.tmp', 'a.tmp/below', true],
    ['cache', 'x/cache/y', true],
    ['cache', 'caches', false],
    ['x/*.log', 'x/y/z.log', true],
    ['./x', 'x', true],
    ['x/', 'x', true],
    ['a?c', 'abc', true],
    ['[ab].txt', 'b.txt', true],
    ['[!ab].txt', 'b.txt', false],
    ['[', '[', true],
    ['a.b', 'axb', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['(', '(', true],
  ])('tar’s exclusion %s and the name %s', (pattern, name, excluded) => {
    expect(isExcluded(name, [pattern])).toBe(excluded);
  });
});
