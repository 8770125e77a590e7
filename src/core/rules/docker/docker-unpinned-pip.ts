import { baseName } from '../../model/container-path';
import type { Install, InstallItem } from '../../model/installs';
import { installOf } from '../../model/installs';
import { pathOf } from '../../model/shell-walk';
import type { Subject } from '../../model/subject';
import type { ShellWord } from '../../text/shell/script';
import { claimAt, listed } from '../places';
import type { Claim, Rule } from '../rule';
import type { BuildCommand } from './builds';
import { buildCommands } from './builds';
import { readRequirements } from './requirements';

/** Tools whose version seldom matters for what they install. */
const installers = new Set(['pip', 'setuptools', 'wheel']);

export const dockerUnpinnedPip: Rule = {
  id: 'docker-unpinned-pip',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose', 'texts'],
  needsDisk: true,
  why: 'A new release of a package can change what the tests see, or break the build, without a change of the task.',
  docs: {
    finds:
      'A Python package without an exact version in `pip install`, `uv pip install`, `uv tool install`, `pipx install`, `uvx --with`, `conda install`, and in the requirement files they name. One finding a command and one a file: it names the first and counts the others.',
    silent:
      '`==` and `===`, packages that a constraint file pins, local paths, wheels, URLs and commits, lock files. For `pip`, `setuptools` and `wheel` alone it is a hint.',
    bad: 'RUN pip install shapely',
    good: 'RUN pip install shapely==2.0.6',
  },
  *check(subject) {
    const files = new Set<string>();
    for (const one of subject.derive(buildCommands)) {
      const install = installOf(one.command);
      if (install === null || (install.manager !== 'pip' && install.manager !== 'conda')) continue;
      if (install.tool === 'uv add' || one.image.env.has('PIP_CONSTRAINT') || one.image.env.has('UV_CONSTRAINT'))
        continue;
      const pins = constraintsOf(subject, one, install);
      if (pins === null) continue;
      yield* looseWords(subject, one, install, pins);
      for (const word of install.requirements) {
        const file = taskFile(subject, one, word);
        if (file === null || files.has(file)) continue;
        files.add(file);
        yield* looseLines(subject, file, pins);
      }
    }
  },
};

function* looseWords(
  subject: Subject,
  { image }: BuildCommand,
  install: Install,
  pins: ReadonlySet<string>,
): Generator<Claim> {
  const loose = install.items.filter((item) => isLoose(item, install, pins));
  const serious = loose.filter(({ name }) => !installers.has(name));
  const [first] = serious.length > 0 ? serious : loose;
  if (first === undefined) return;
  yield* claimAt(
    subject,
    { file: image.file, start: first.word.start, end: first.word.end },
    {
      severity: serious.length > 0 ? 'warning' : 'hint',
      message: messageOf(install.tool, serious.length > 0 ? serious : loose),
    },
  );
}

function isLoose(
  { kind, name, version, constraint }: InstallItem,
  install: Install,
  pins: ReadonlySet<string>,
): boolean {
  if (kind !== 'name' || version !== null || pins.has(name)) return false;
  // Of conda, `=1.2` means any 1.2, which is as narrow as its users write it.
  return install.manager !== 'conda' || !constraint.startsWith('=');
}

function* looseLines(subject: Subject, file: string, pins: ReadonlySet<string>): Generator<Claim> {
  const text = subject.text(file);
  if (text === null || !/require|constraint|\.txt$|\.in$/u.test(file)) return;
  const loose = readRequirements(text).filter(
    ({ name, version }) => version === null && !pins.has(name) && !installers.has(name),
  );
  const [first] = loose;
  if (first === undefined) return;
  yield* claimAt(subject, { file, start: first.start, end: first.end }, { message: messageOf(baseName(file), loose) });
}

function messageOf(tool: string, loose: readonly { readonly name: string; readonly constraint: string }[]): string {
  const [first, ...more] = loose;
  const range = first?.constraint.replace(/\s/gu, '') ?? '';
  if (more.length > 0) {
    const names = listed(loose.map(({ name }) => name));
    return `${tool} takes ${names} without an exact version, so each build may get others.`;
  }
  return range === ''
    ? `${tool} takes the newest ${first?.name ?? 'package'} at each build.`
    : `${tool} takes any ${first?.name ?? 'package'} that fits ${range}, so each build may get another one.`;
}

/** Names that constraint files pin; null when one of them cannot be read. */
function constraintsOf(subject: Subject, one: BuildCommand, install: Install): ReadonlySet<string> | null {
  const pins = new Set<string>();
  for (const word of install.constraints) {
    const file = taskFile(subject, one, word);
    const text = file === null ? null : subject.text(file);
    if (text === null) return null;
    for (const { name, version } of readRequirements(text)) if (version !== null) pins.add(name);
  }
  return pins;
}

/** The file of the task that a path of the image is, as far as one can tell. */
export function taskFile(subject: Subject, { image, folder }: BuildCommand, word: ShellWord): string | null {
  const path = pathOf(word, folder);
  const value = word.value ?? '';
  const placed =
    path === null ? undefined : (image.files.get(path) ?? image.removed.find((file) => file.path === path));
  if (placed !== undefined) return placed.origin.kind === 'context' ? placed.origin.file : null;
  // In a builder stage or behind a mount: the only file of the context with this name.
  const named =
    image.context?.entries.filter((entry) => !entry.isFolder && baseName(entry.path) === baseName(value)) ?? [];
  return named.length === 1 && subject.text(named[0]?.file ?? '') !== null ? (named[0]?.file ?? null) : null;
}
