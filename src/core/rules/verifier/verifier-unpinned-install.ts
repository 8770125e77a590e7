import { baseName } from '../../model/container-path';
import { installOf } from '../../model/installs';
import type { Install, InstallItem } from '../../model/installs';
import { claimAt, listed, once } from '../places';
import type { Claim, Rule } from '../rule';
import type { Subject } from '../../model/subject';
import { verifierCommands } from './verifier-commands';

export const verifierUnpinnedInstall: Rule = {
  id: 'verifier-unpinned-install',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['shell:test', 'tree', 'toml'],
  needsDisk: true,
  why: 'A new release of a test tool can fail work that was right the day before.',
  docs: {
    finds: 'The test script installs or runs a Python, Node, Ruby, Rust or Go package without an exact version.',
    silent:
      'Exact versions, constraint files, local files, system packages, `pip` itself, and `npx` without `--yes`, which starts what the project has.',
    bad: 'uvx --with pytest pytest /tests',
    good: 'uvx --with pytest==8.4.1 pytest /tests',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  for (const { command, file } of subject.derive(verifierCommands)) {
    const install = installOf(command);
    if (install === null || !isJudged(install)) continue;
    const pinned = new Set(install.items.flatMap(({ name, version }) => (version === null ? [] : [name])));
    const loose = install.items.filter((item) => isLoose(item) && !pinned.has(item.name));
    const [first] = loose;
    if (first === undefined) continue;
    yield* claimAt(
      subject,
      { file, start: first.word.start, end: first.word.end },
      {
        message: `${baseName(file)} takes ${listed([...new Set(loose.map(({ name }) => name))])} without an exact version when it grades.`,
      },
    );
  }
}

function isJudged({ manager, constraints, tool, options, command }: Install): boolean {
  if (manager === 'apt' || manager === 'apk' || manager === 'dnf' || constraints.length > 0) return false;
  if (command.assignments.some(({ name }) => name === 'PIP_CONSTRAINT' || name === 'UV_CONSTRAINT')) return false;
  // Without `-g` npm installs by the lock file of the folder, and what is installed already is not fetched again.
  // Plain `npx` starts what the project has, and fetches only what it has not.
  if (tool === 'npx') return options.some(({ value }) => value === '-y' || value === '--yes');
  return manager !== 'npm' || options.some(({ value }) => value === '-g' || value === '--global');
}

function isLoose({ kind, name, version, constraint }: InstallItem): boolean {
  if (kind !== 'name' || version !== null || ['pip', 'setuptools', 'wheel', 'uv'].includes(name)) return false;
  return !/^[@:=]v?\d/u.test(constraint);
}
