import { baseName, isAtOrBelow } from '../../model/container-path';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import type { VerifierCommand } from './verifier-commands';
import { verifierCommands } from './verifier-commands';

export const verifierTrustsAgentBuildFile: Rule = {
  id: 'verifier-trusts-agent-build-file',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'py:tests', 'toml', 'tree', 'docker'],
  needsDisk: true,
  why: 'Whoever may edit the build file decides what “test” means, and can make it mean nothing.',
  docs: {
    finds:
      'The test script runs `npm test`, `make check`, `ctest`, `cargo test`, `mvn test` or `go test` in a folder that the agent works in, restores no build file before, and nothing else judges the work.',
    silent:
      'A separate verifier, a build file that is copied from `/tests` before, tests in `/tests` that judge as well, and folders that are not known.',
    bad: 'cd /srv/app && npm test',
    good: 'cp /tests/package.json /srv/app/ && cd /srv/app && npx --no-install vitest run --dir /tests',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  const commands = subject.derive(verifierCommands);
  for (const one of commands) {
    const run = testRun(one);
    const { view, folder, file } = one;
    if (run === null || folder === null || view.step.verifier === 'separate' || judgesElse(view)) continue;
    if (isAtOrBelow(folder, '/tests') || view.space.writable(folder) !== true) continue;
    if (
      commands.some(
        (other) => other.file === file && other.command.index < one.command.index && restores(other, folder),
      )
    )
      continue;
    yield* claimAt(
      subject,
      { file, start: run.start, end: run.end },
      {
        message: `${baseName(file)} lets ${run.what} in ${folder} decide, and the agent may edit what that runs.`,
        supersedes: ['verifier-agent-controlled-test-config'],
      },
    );
  }
}

const actions: Readonly<Record<string, readonly string[]>> = {
  npm: ['test', 't'],
  yarn: ['test'],
  pnpm: ['test'],
  make: ['check', 'test', 'tests'],
  cargo: ['test'],
  mvn: ['test', 'verify'],
  gradle: ['test', 'check'],
  gradlew: ['test', 'check'],
  go: ['test'],
};

function testRun({
  command,
}: VerifierCommand): { readonly start: number; readonly end: number; readonly what: string } | null {
  const { program, programWord, args } = command;
  if (program === null || programWord === null) return null;
  if (program === 'ctest') return { start: programWord.start, end: programWord.end, what: 'ctest' };
  if (!Object.hasOwn(actions, program)) return null;
  // `make -C /srv check` and `--prefix` choose another folder.
  if (args.some(({ value }) => value === null || /^(?:-C|--prefix|--directory|-f|--manifest-path)/u.test(value)))
    return null;
  const at = args.findIndex(({ value }) => value?.startsWith('-') === false);
  const action = args[at]?.value === 'run' ? args[at + 1] : args[at];
  if (action === undefined || actions[program]?.includes(action.value ?? '') !== true) return null;
  return { start: programWord.start, end: action.end, what: `${program} ${action.value ?? ''}` };
}

/** Tests that Harbor uploads take part, so that the agent's are not the only verdict. */
function judgesElse({ reach }: StepView): boolean {
  return reach.files.some(({ via }) => via === 'pytest' || via === 'program');
}

/** Something from `/tests` is put over the folder. */
function restores({ command, folder: from }: VerifierCommand, folder: string): boolean {
  if (!['cp', 'rsync', 'install', 'tar', 'mv'].includes(command.program ?? '')) return false;
  const names = (path: string): boolean => command.args.some(({ prefix }) => prefix.startsWith(path));
  const isInto = names(folder) || from === folder;
  return names('/tests') && isInto;
}
