import { baseName } from '../../model/container-path';
import { installOf } from '../../model/installs';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellScript } from '../../text/shell/script';
import type { Fix } from '../../finding';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionInteractive: Rule = {
  id: 'solution-interactive',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:solve', 'tree', 'toml'],
  needsDisk: true,
  why: 'Nobody sits at the terminal of a run: a program that asks waits until its limit, or fails.',
  docs: {
    finds:
      'Editors and pagers, `read` from the terminal, `apt-get install` without `-y`, `passwd`, `git commit` without a message, `ssh-keygen` without `-N`.',
    silent: 'Programs whose input comes from a pipe, a file or a here-document, and the batch modes of editors.',
    bad: 'ssh-keygen -t ed25519 -f key',
    good: "ssh-keygen -t ed25519 -f key -N ''",
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  for (const { file, script } of subject.derive(solutionViews)) {
    if (file === null || script === null) continue;
    for (const command of script.commands) {
      const asks = question(command, script);
      if (asks === null) continue;
      const { programWord } = command;
      const start = programWord?.start ?? command.start;
      yield* claimAt(
        subject,
        { file, start, end: programWord?.end ?? command.end },
        {
          message: `${baseName(file)} runs ${asks.what}, which ${asks.does}.`,
          fixes: asks.insert === undefined ? [] : insertion(subject, file, command, asks.insert),
        },
      );
    }
  }
}

interface Question {
  readonly what: string;
  readonly does: string;
  /** Words that make it not ask, put behind its last word. */
  readonly insert?: string;
}

function question(command: ShellCommand, script: ShellScript): Question | null {
  const { program, args, redirects, heredocs, context } = command;
  const hasInput =
    (context.pipeline?.index ?? 0) > 0 ||
    heredocs.length > 0 ||
    redirects.some(({ operator }) => operator.startsWith('<'));
  if (program === null || hasInput || script.functions.has(program)) return null;
  const words = args.map(({ value }) => value);
  const has = (...options: readonly string[]): boolean => words.some((word) => word !== null && options.includes(word));
  const isUnknown = words.includes(null);
  switch (program) {
    case 'vi':
    case 'vim':
    case 'nvim':
      return words.some(
        (word) => word === null || /^-(?:[a-zA-Z]*[es][a-zA-Z]*|c|S)$|^\+|--headless|--version/u.test(word),
      )
        ? null
        : { what: program, does: 'waits for someone to type' };
    case 'nano':
    case 'less':
    case 'more':
    case 'htop':
      return has('--version', '--help') ? null : { what: program, does: 'waits for someone to type' };
    case 'read':
      // In a loop or a group the input may come from around it.
      return context.condition !== null || context.loop || context.subshell || context.function !== null
        ? null
        : { what: 'read', does: 'waits for someone to type' };
    case 'apt-get':
    case 'apt':
      return installOf(command) !== null &&
        !isUnknown &&
        !words.some((word) => /^-[a-zA-Z]*(?:y|qq)|^--(?:yes|assume-yes)$/u.test(word ?? ''))
        ? { what: `${program} install without -y`, does: 'asks before it installs', insert: '-y' }
        : null;
    case 'passwd':
      return has('-d', '-l', '-u', '-e', '--delete', '--lock', '--stdin', '-S', '--status')
        ? null
        : { what: 'passwd', does: 'asks for a password' };
    case 'ssh-keygen':
      return words.some((word) => word === null || /^-(?:[NRFrlyABDHiekKLpZsQ]|[a-z]*[lyRF])/u.test(word)) ||
        words.length === 0
        ? null
        : { what: 'ssh-keygen without -N', does: 'asks for a passphrase', insert: "-N ''" };
    case 'git':
      return words.includes('commit') &&
        !isUnknown &&
        !words.some((word) =>
          /^-[a-zA-Z]*[mFCct]|^--(?:message|file|no-edit|reuse-message|fixup|squash|template|dry-run)/u.test(
            word ?? '',
          ),
        )
        ? { what: 'git commit without a message', does: 'opens an editor' }
        : null;
    default:
      return null;
  }
}

function insertion(subject: Subject, file: string, { args, programWord }: ShellCommand, words: string): readonly Fix[] {
  const lines = subject.lines(file);
  const isAction = args[0]?.value === 'install';
  const at = isAction ? args[0]?.end : (args.at(-1)?.end ?? programWord?.end);
  if (lines === null || at === undefined) return [];
  return [
    { title: `Add ${words}`, edits: [{ file, range: lines.range(at, at), newText: ` ${words}` }], preferred: true },
  ];
}
