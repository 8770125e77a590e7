import { baseName } from '../../model/container-path';
import type { Image } from '../../model/image';
import { installOf } from '../../model/installs';
import { solutionViews } from '../../model/solution-view';
import { verifierImageOf } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellScript } from '../../text/shell/script';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { verifierCommands } from './verifier-commands';

export const verifierMissingTool: Rule = {
  id: 'verifier-missing-tool',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'shell:solve', 'docker', 'tree', 'toml'],
  needsDisk: true,
  why: 'A command that is not there ends with code 127, and what was to be graded is not graded.',
  docs: {
    finds:
      'The test script or the solve script starts a well-known program (`curl`, `jq`, `python3`, `git`, …) that the base image is known to lack and that nothing installs.',
    silent:
      'Base images that are not known, images that also run or bring what is not understood, tools that the script installs before or looks for with `command -v`.',
    bad: 'FROM debian:12-slim\n\n# tests/test.sh\njq -e .ok /srv/out.json',
    good: 'FROM debian:12-slim\nRUN apt-get update && apt-get install -y jq',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

/** Packages that bring nothing else of the programs that are asked for, and those that do. */
const brings: Readonly<Record<string, string>> = {
  bash: 'bash',
  curl: 'curl',
  wget: 'wget',
  git: 'git perl',
  jq: 'jq',
  unzip: 'unzip',
  zip: '',
  procps: 'ps',
  tini: 'tini',
  sudo: 'sudo',
  'ca-certificates': '',
  tmux: '',
  sqlite3: '',
  xz: '',
  'xz-utils': '',
  tree: '',
  less: '',
  file: '',
  nano: '',
  rsync: '',
  bc: '',
  locales: '',
  tzdata: '',
  iproute2: '',
  'iputils-ping': '',
  lsof: '',
  gawk: '',
  coreutils: '',
  netcat: 'nc',
  'netcat-openbsd': 'nc',
  'netcat-traditional': 'nc',
  make: 'make',
  python3: 'python3',
  'python3-minimal': 'python3',
  'py3-pip': 'python3 pip',
};

function* claims(subject: Subject): Generator<Claim> {
  const reported = new Set<string>();
  for (const { view, file, command, script } of subject.derive(verifierCommands)) {
    const image = view.step.verifier === 'separate' ? verifierImageOf(subject, view.step) : view.space.image;
    yield* judge(subject, image, file, command, script, reported);
  }
  for (const { view, file, visits } of subject.derive(solutionViews)) {
    if (file === null) continue;
    for (const { command, script } of visits) yield* judge(subject, view.space.image, file, command, script, reported);
  }
}

function* judge(
  subject: Subject,
  image: Image | null,
  file: string,
  command: ShellCommand,
  script: ShellScript,
  reported: Set<string>,
): Generator<Claim> {
  const { program, programWord } = command;
  const facts = image?.base?.facts ?? null;
  if (program === null || programWord === null || image === null || facts?.lacks.has(program) !== true) return;
  const key = `${file} ${program}`;
  if (programWord.value !== program || reported.has(key) || !isPlain(image) || script.functions.has(program)) return;
  if (image.packages.some(({ name }) => (brings[name] ?? '').split(' ').includes(program))) return;
  if (isProvided(script, command)) return;
  reported.add(key);
  yield* claimAt(
    subject,
    { file, start: programWord.start, end: programWord.end },
    {
      message: `${baseName(file)} starts ${program}, which ${image.base?.reference ?? 'the image'} does not have and nothing installs.`,
    },
  );
}

/** Nothing but well-known packages and files is added, so that nothing else can have brought the program. */
function isPlain({ packages, gaps, files, dockerfile }: Image): boolean {
  return (
    gaps.length === 0 &&
    packages.every(({ name }) => Object.hasOwn(brings, name)) &&
    ![...files.keys()].some((path) => /\/s?bin\//u.test(path)) &&
    !dockerfile.instructions.some(({ keyword }) => keyword === 'ONBUILD')
  );
}

/** The script installs something before, or asks whether the program is there. */
function isProvided({ commands }: ShellScript, command: ShellCommand): boolean {
  if (command.context.condition !== null || command.context.leftOf === '||' || command.context.conditional) return true;
  return commands.some(
    (other) =>
      other.index < command.index &&
      (installOf(other) !== null ||
        other.program === 'curl' ||
        other.program === 'wget' ||
        (['command', 'which', 'type', 'hash'].includes(other.words[0]?.value ?? '') &&
          other.words.some(({ value }) => value === command.program)) ||
        other.assignments.some(({ name }) => name === 'PATH')),
  );
}
