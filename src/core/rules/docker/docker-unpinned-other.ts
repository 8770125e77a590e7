import type { Install } from '../../model/installs';
import { installOf } from '../../model/installs';
import type { ShellCommand, ShellWord } from '../../text/shell/script';
import type { Subject } from '../../model/subject';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';
import type { BuildCommand } from './builds';
import { fixIn } from '../file-fix';
import { buildCommands } from './builds';

export const dockerUnpinnedOther: Rule = {
  id: 'docker-unpinned-other',
  severity: 'information',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'What is fetched without a version is whatever is newest on the day of the build.',
  docs: {
    finds:
      'A global `npm install`, `npx`, `cargo install`, `go install …@latest` or `gem install` without a version, a `git clone` of a moving branch, and a download whose URL says latest.',
    silent: 'Installs from a lock file (`npm ci`), a clone followed by a checkout, and `--branch`.',
    bad: 'RUN npm install -g ajv-cli',
    good: 'RUN npm install -g ajv-cli@5.0.0',
  },
  *check(subject) {
    const commands = subject.derive(buildCommands);
    for (const [index, one] of commands.entries()) {
      yield* packageClaim(subject, one);
      yield* cloneClaim(subject, one, commands.slice(index + 1));
      yield* latestClaim(subject, one);
    }
  },
};

/** How each manager writes a version after a name. */
const versionMark: Readonly<Record<string, string>> = { npm: '@', cargo: '@', go: '@', gem: ':' };

function* packageClaim(subject: Subject, { command, image }: BuildCommand): Generator<Claim> {
  const install = installOf(command);
  if (install === null || !Object.hasOwn(versionMark, install.manager) || !isGlobal(install)) return;
  const first = install.items.find(
    ({ kind, version, constraint }) => kind === 'name' && version === null && !/^[@:]v?\d/u.test(constraint),
  );
  if (first === undefined) return;
  const { start, end } = first.word;
  const mark = versionMark[install.manager] ?? '@';
  const plain = first.constraint === '' || /@(?:latest|next)$/u.test(first.constraint);
  yield* claimAt(
    subject,
    { file: image.file, start, end },
    {
      message: `${install.tool} takes the newest ${first.name} at each build.`,
      fixes:
        plain && !first.word.quoted
          ? fixIn(subject, image.file, 'Add a version to fill in', [
              { start: end - first.constraint.length, end, newText: `${mark}VERSION` },
            ])
          : [],
    },
  );
}

/** What is installed for a project follows its lock file. */
function isGlobal({ manager, tool, options }: Install): boolean {
  if (manager !== 'npm' || tool === 'npx' || tool.includes('global')) return true;
  return options.some(({ value }) => value === '-g' || value === '--global' || value === '--location=global');
}

function* cloneClaim(
  subject: Subject,
  { command, image, instruction }: BuildCommand,
  after: readonly BuildCommand[],
): Generator<Claim> {
  const url = cloneUrl(command);
  if (url === null) return;
  const names = command.args.some(({ value, prefix }) =>
    /^(?:-b|--branch(?:=.*)?|--revision(?:=.*)?)$/u.test(value ?? prefix),
  );
  if (names || command.args.some(({ value }) => value === null)) return;
  const settles = after.some(
    (later) =>
      later.image === image &&
      later.instruction.stage === instruction.stage &&
      later.command.program === 'git' &&
      later.command.args.some(({ value }) => /^(?:checkout|reset|switch|fetch)$/u.test(value ?? '')),
  );
  if (settles) return;
  yield* claimAt(
    subject,
    { file: image.file, start: url.start, end: url.end },
    {
      message: `The clone takes whatever is newest in ${url.value ?? 'the repository'} at each build.`,
    },
  );
}

/** The URL of a `git clone` from elsewhere; null when the command is none. */
export function cloneUrl({ program, args }: ShellCommand): ShellWord | null {
  if (program !== 'git' || !args.some(({ value }) => value === 'clone')) return null;
  return args.find(({ prefix }) => /^(?:https?:|git:|ssh:|git@)/u.test(prefix)) ?? null;
}

function* latestClaim(subject: Subject, { command, image }: BuildCommand): Generator<Claim> {
  if (command.program !== 'curl' && command.program !== 'wget') return;
  const url = command.args.find(({ value, prefix }) => /^https?:\/\/[^?#]*\/latest(?:\/|$)/iu.test(value ?? prefix));
  if (url === undefined) return;
  yield* claimAt(
    subject,
    { file: image.file, start: url.start, end: url.end },
    {
      message: 'This address gives the latest release, another one with time.',
    },
  );
}
