import { baseName } from '../../model/container-path';
import type { Image } from '../../model/image';
import { solutionViews } from '../../model/solution-view';
import { verifierImageOf } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellScript } from '../../text/shell/script';
import type { Fix } from '../../finding';
import { buildCommands } from '../docker/builds';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { verifierCommands } from './verifier-commands';

export const verifierSystemPythonInstall: Rule = {
  id: 'verifier-system-python-install',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'shell:solve', 'docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'The Python of newer Debian and Ubuntu images is managed by the system: pip refuses, and a script that does not look goes on without the package.',
  docs: {
    finds:
      'A plain `pip install` in the Dockerfile, the test script or the solve script, on an image whose Python is managed by the system.',
    silent:
      'Virtual environments, `--break-system-packages` or its variable, images with a Python of their own (`python:`, conda), and base images that are not known.',
    bad: 'FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y python3-pip && pip install requests==2.32.3',
    good: 'FROM ubuntu:24.04\nRUN apt-get update && apt-get install -y python3-pip && pip install --break-system-packages requests==2.32.3',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  for (const { image, command, script } of subject.derive(buildCommands)) {
    yield* judge(subject, image, { file: image.file, command, script });
  }
  for (const { view, file, command, script } of subject.derive(verifierCommands)) {
    const image = view.step.verifier === 'separate' ? verifierImageOf(subject, view.step) : view.space.image;
    yield* judge(subject, image, { file, command, script });
  }
  for (const { view, file, visits } of subject.derive(solutionViews)) {
    for (const { command, script } of file === null ? [] : visits) {
      yield* judge(subject, view.space.image, { file: file ?? '', command, script });
    }
  }
}

interface Judged {
  readonly file: string;
  readonly command: ShellCommand;
  readonly script: ShellScript;
}

function* judge(subject: Subject, image: Image | null, { file, command, script }: Judged): Generator<Claim> {
  const installs = pipInstall(command);
  if (installs === null || image?.base?.facts?.pythonManaged !== true || hasOwnPython(image)) return;
  if (usesEnvironment(script) || command.assignments.some(({ name }) => name === 'PIP_BREAK_SYSTEM_PACKAGES')) return;
  yield* claimAt(
    subject,
    { file, start: installs.start, end: installs.end },
    {
      message: `pip refuses to install into the system's Python of ${image.base.reference}, so ${baseName(file)} goes without the package.`,
      fixes: fix(subject, file, installs.end),
    },
  );
}

/** From the program to `install`; null when it is none, or allows itself to. */
function pipInstall({
  program,
  programWord,
  args,
}: ShellCommand): { readonly start: number; readonly end: number } | null {
  if (program === null || programWord === null) return null;
  // A pip with a folder is the one of that folder.
  if (programWord.value?.includes('/') === true && !programWord.value.startsWith('/usr/bin/')) return null;
  let rest = args;
  if (/^python3?$/u.test(program)) {
    if (args[0]?.value !== '-m' || args[1]?.value !== 'pip') return null;
    rest = args.slice(2);
  } else if (!/^pip3?$/u.test(program)) return null;
  const action = rest.find(({ value }) => value?.startsWith('-') === false);
  if (action?.value !== 'install') return null;
  const allowed = ['--break-system-packages', '--target', '-t', '--prefix', '--root', '--dry-run', '--python'];
  if (
    rest.some(
      ({ value, prefix }) => value === null || allowed.some((one) => prefix === one || prefix.startsWith(`${one}=`)),
    )
  ) {
    return null;
  }
  return { start: programWord.start, end: action.end };
}

function hasOwnPython({ env, packages, files, gaps, dockerfile }: Image): boolean {
  const path = env.get('PATH') ?? '';
  return (
    env.has('VIRTUAL_ENV') ||
    env.has('PIP_BREAK_SYSTEM_PACKAGES') ||
    env.has('PIP_CONFIG_FILE') ||
    /venv|conda|pyenv|\.local|\/opt\//u.test(path) ||
    packages.some(({ manager, name }) => manager === 'conda' || /^python3\.\d+$/u.test(name)) ||
    [...files.keys()].some((file) => /pip\.conf$|\/bin\/pip3?$/u.test(file)) ||
    gaps.some(({ reason }) => reason === 'image' || reason === 'download') ||
    /EXTERNALLY-MANAGED|break-system-packages|pyenv|miniconda|miniforge|deadsnakes/u.test(dockerfile.text)
  );
}

/** A script that makes or enters an environment may mean its pip. */
function usesEnvironment({ commands }: ShellScript): boolean {
  return commands.some(
    ({ program, args }) =>
      ((program === 'source' || program === '.') && args.some(({ prefix }) => /activate|env/u.test(prefix))) ||
      (program !== null && /^(?:virtualenv|conda|pyenv)$/u.test(program)) ||
      args.some(({ value }) => value === 'venv' || value === 'break-system-packages') ||
      (program === 'rm' && args.some(({ prefix }) => prefix.includes('EXTERNALLY-MANAGED'))),
  );
}

function fix(subject: Subject, file: string, at: number): readonly Fix[] {
  const lines = subject.lines(file);
  if (lines === null) return [];
  const edit = { file, range: lines.range(at, at), newText: ' --break-system-packages' };
  return [{ title: 'Add --break-system-packages', edits: [edit], preferred: true }];
}
