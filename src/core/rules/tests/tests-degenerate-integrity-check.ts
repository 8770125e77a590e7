import { absolutePath, baseName, isAtOrBelow } from '../../model/container-path';
import type { ReachedFile } from '../../model/expectations';
import { folderIn, placeOf } from '../../model/path-uses';
import { walkShell } from '../../model/shell-walk';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, eachStep } from '../places';
import type { Claim, Rule } from '../rule';

export const testsDegenerateIntegrityCheck: Rule = {
  id: 'tests-degenerate-integrity-check',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test', 'docker'],
  needsDisk: true,
  why: 'Whoever edits the file can edit what it is compared with as well, so that the check holds for everybody.',
  docs: {
    finds:
      'A checksum file, a copy or the Git history that the agent can change is what the tests compare a file with: `sha256sum -c`, `cmp` and `diff` with an `.orig` or `.bak`, `git diff --exit-code`.',
    silent: 'Digests and copies in `tests/`, what the verifier makes itself, and a separate verifier.',
    bad: 'sha256sum -c /srv/.sums',
    good: 'assert digest("/srv/lib.c") == "9b1e…"',
  },
  *check(subject) {
    yield* eachStep(subject, (view) =>
      view.step.verifier === 'separate'
        ? []
        : view.reach.files.flatMap((reached) => [...checksIn(subject, view, reached)]),
    );
  },
};

interface Line {
  readonly words: readonly (string | null)[];
  readonly folder: string | null;
  readonly start: number;
  readonly end: number;
}

function linesIn(reached: ReachedFile): readonly Line[] {
  const lines: Line[] = [];
  if (reached.shell !== null) {
    walkShell(reached.shell, reached.folder, ({ command, folder }) => {
      if (command.program === null) return;
      const words = [command.program, ...command.args.map(({ value }) => value)];
      lines.push({ words, folder, start: command.start, end: command.end });
    });
  }
  const { python } = reached;
  if (python !== null && reached.via !== 'read') {
    const home = folderIn(python, reached);
    for (const { argv, cwd, commandNode } of python.commands) {
      if (argv === null) continue;
      const folder = cwd === null ? home : placeOf(cwd, reached.at, home);
      lines.push({ words: argv, folder, start: commandNode.start, end: commandNode.end });
    }
  }
  return lines;
}

function* checksIn(subject: Subject, view: StepView, reached: ReachedFile): Generator<Claim> {
  for (const line of linesIn(reached)) {
    const baseline = baselineOf(line, view);
    if (baseline === null) continue;
    yield* claimAt(
      subject,
      { file: reached.file, start: line.start, end: line.end },
      {
        message: `${baseName(reached.file)} compares with ${baseline}, which the agent can change too.`,
      },
    );
  }
}

function baselineOf({ words, folder }: Line, view: StepView): string | null {
  const program = baseName(words[0] ?? '');
  const isAgents = (path: string): boolean =>
    !isAtOrBelow(path, '/tests') &&
    view.space.has(path) === 'yes' &&
    view.space.writable(path) === true &&
    !view.expectations.uses.some((use) => use.path === path && use.action === 'write');
  const paths = words.slice(1).flatMap((word) => {
    const path = word === null || word.startsWith('-') ? null : absolutePath(word, folder);
    return path === null ? [] : [path];
  });
  if (/^(?:md5|sha1|sha224|sha256|sha384|sha512|b2)sum$/u.test(program)) {
    if (!words.some((word) => word === '-c' || word === '--check' || /^-[a-z]*c[a-z]*$/u.test(word ?? ''))) return null;
    return paths.find(isAgents) ?? null;
  }
  if (program === 'cmp' || program === 'diff') {
    const copy = paths.find((path) => /\.(?:orig|bak|backup|original|pristine)$/u.test(path));
    return copy !== undefined && isAgents(copy) ? copy : null;
  }
  if (program === 'git') {
    const isDiff = words.includes('diff') && words.some((word) => word === '--exit-code' || word === '--quiet');
    const at = words.indexOf('-C');
    const tree = at > 0 ? absolutePath(words[at + 1] ?? '', folder) : folder;
    if (!isDiff || words.includes('--no-index') || tree === null || isAtOrBelow(tree, '/tests')) return null;
    return view.space.writable(tree) === true ? `the Git history of ${tree}` : null;
  }
  return null;
}
