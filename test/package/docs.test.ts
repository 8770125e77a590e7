import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles, root, textOf } from './sources';

const documents = repositoryFiles().filter((path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path));
const text = (path: string): string => textOf(path) ?? '';

describe('the documents', () => {
  it('link to files that are there', () => {
    const links = documents.flatMap((path) =>
      [...text(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map((match) => [path, match[1]!] as const),
    );
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter(([path, link]) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });

  it('describe every cheat as its script does', () => {
    const scripts = readdirSync(join(root, 'media/cheats')).filter((name) => name !== 'probe.sh');
    const described = scripts.map((name) => {
      const header = Object.fromEntries(
        [...text(`media/cheats/${name}`).matchAll(/^# ([a-z-]+): (.*)$/gm)].map((match) => [match[1]!, match[2]!]),
      );
      return [`\`${header.id}\``, header.level, header.knowledge, header.imitates];
    });
    const rows = [...text('docs/gates.md').matchAll(/^\| (`[\w-]+`) +\| (\d) +\| (blind|informed) +\| (.*?) +\|$/gm)];
    expect(rows.map((row) => row.slice(1, 5)).sort()).toEqual(described.sort());
  });

  it('have a page for every rule, as the rule has it', () => {
    expect(() =>
      execFileSync('node', ['scripts/rule-pages.mjs', '--check'], { cwd: root, stdio: 'pipe' }),
    ).not.toThrow();
  });

  it('describe every command and option', () => {
    const sources = readdirSync(join(root, 'src/cli')).filter((name) => name.endsWith('.ts'));
    const source = sources.map((name) => text(`src/cli/${name}`)).join('\n');
    const commands = [...source.matchAll(/\.command\('([a-z]+)'\)/g)].map((match) => match[1]!);
    expect(commands.length).toBeGreaterThan(4);
    const cli = text('docs/cli.md');
    expect(commands.filter((command) => !cli.includes(`\n## ${command}\n`))).toEqual([]);
    expect(commands.filter((command) => !text('README.md').includes(`| \`${command}`))).toEqual([]);
    const options = [...source.matchAll(/'(?:-\w, )?(--[a-z-]+)(?: <[^']*>)?'/g)].map((match) => match[1]!);
    expect(options.length).toBeGreaterThan(10);
    expect([...new Set(options)].filter((option) => option !== '--version' && !cli.includes(option))).toEqual([]);
  });
});
