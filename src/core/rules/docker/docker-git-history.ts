import { isAtOrBelow, absolutePath, baseName } from '../../model/container-path';
import type { Image } from '../../model/image';
import type { ContextEntry } from '../../model/image/context';
import type { Subject } from '../../model/subject';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';
import type { BuildCommand } from './builds';
import { fixIn } from '../file-fix';
import { buildCommands, builds, instructionTexts, ownInstructions } from './builds';
import { cloneUrl } from './docker-unpinned-other';

const isAboutHistory =
  /\b(?:git|commits?|branch(?:es)?|repository history|rebase|merge conflict|reflog|stash|bisect)\b/i;

export const dockerGitHistory: Rule = {
  id: 'docker-git-history',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction'],
  needsDisk: true,
  why: 'The change that the task asks for may lie in a later commit, one `git log` away.',
  docs: {
    finds:
      'A repository with its history where the agent works: a clone whose `.git` stays, or a context with a `.git` that is copied. A clone of depth 1 is information.',
    silent:
      'Clones outside of the working directory that the instruction does not name, clones whose `.git` goes again, and tasks whose instruction is about the history.',
    bad: 'RUN git clone https://example.org/tides && cd tides && git checkout 4f1c2aa',
    good: 'RUN git clone https://example.org/tides && cd tides && git checkout 4f1c2aa && rm -rf .git',
  },
  *check(subject) {
    const commands = subject.derive(buildCommands);
    const images = subject.derive(builds);
    const isFound =
      commands.some(({ command }) => cloneUrl(command) !== null) || images.some(({ image }) => bringsGit(image));
    const told = isFound ? instructionTexts(subject) : '';
    if (!isFound || isAboutHistory.test(told)) return;
    for (const one of commands) {
      if (one.made.role === 'agent' && one.image.lineage.has(one.instruction.stage))
        yield* cloneClaim(subject, one, commands, told);
    }
    for (const { image, role } of images) if (role === 'agent') yield* copyClaims(subject, image);
  },
};

function* cloneClaim(
  subject: Subject,
  one: BuildCommand,
  all: readonly BuildCommand[],
  told: string,
): Generator<Claim> {
  const { command, image, folder, instruction } = one;
  const url = cloneUrl(command);
  const from = url?.value ?? null;
  if (url === null || from === null) return;
  const words = command.args.filter(
    ({ prefix }, at) => !prefix.startsWith('-') && !takesValue(command.args[at - 1]?.value),
  );
  const target = words[2];
  if (target?.value === null) return;
  const dir = absolutePath(target?.value ?? baseName(from.replace(/\/+$/u, '')).replace(/\.git$/u, ''), folder);
  if (dir === null || !isWorkedOn(image, dir, told)) return;
  const later = all.filter((other) => other.image === image && other.command.start > command.start);
  if (later.some(({ command: { program, args, words: written } }) => removesGit(program, args, written, dir))) return;
  const shallow = command.args.some(({ value }) => value === '--depth' || value?.startsWith('--depth=') === true);
  const end = instruction.end;
  const isChain = image.dockerfile.text.slice(command.end, end).includes('&&') || command.end === end;
  yield* claimAt(
    subject,
    { file: image.file, start: command.start, end: url.end },
    {
      severity: shallow ? 'information' : 'warning',
      message: shallow
        ? `${dir} keeps its .git, from which \`git fetch\` can bring the later commits.`
        : `${dir} keeps the whole history of ${from}.`,
      fixes:
        isChain && instruction.heredocs.length === 0
          ? fixIn(subject, image.file, `Remove ${dir}/.git`, [{ start: end, end, newText: ` && rm -rf ${dir}/.git` }])
          : [],
    },
  );
}

function takesValue(option: string | null | undefined): boolean {
  return [
    '-b',
    '--branch',
    '--depth',
    '-c',
    '--config',
    '-o',
    '--origin',
    '-C',
    '-j',
    '--filter',
    '--reference',
  ].includes(option ?? '');
}

/** Is the folder the project of the task, and not a tool that it needs? */
function isWorkedOn(image: Image, dir: string, told: string): boolean {
  const { workdir } = image;
  if (told.includes(dir)) return true;
  return workdir !== null && workdir !== '/' && (isAtOrBelow(dir, workdir) || isAtOrBelow(workdir, dir));
}

function removesGit(
  program: string | null,
  args: BuildCommand['command']['args'],
  words: BuildCommand['command']['words'],
  dir: string,
): boolean {
  if (program === 'rm' || program === 'find' || program === 'mv')
    return words.some(({ text, value }) => text.includes('.git') || value === dir || value === baseName(dir));
  // A history that is begun anew, or that some command of git rewrites.
  return (
    program === 'git' &&
    args.some(({ value }) => /^(?:init|filter-branch|filter-repo|gc|reflog|prune|commit-tree)$/u.test(value ?? ''))
  );
}

function bringsGit({ context }: Image): boolean {
  return context?.entries.some(isRepository) === true;
}

function isRepository({ path, isFolder }: ContextEntry): boolean {
  return isFolder && path.endsWith('.git');
}

function* copyClaims(subject: Subject, image: Image): Generator<Claim> {
  const { context } = image;
  if (context === null) return;
  const repositories = context.entries.filter(isRepository);
  if (repositories.length === 0) return;
  for (const instruction of ownInstructions(image)) {
    if (instruction.keyword !== 'COPY' && instruction.keyword !== 'ADD') continue;
    for (const word of instruction.words.slice(0, -1)) {
      const source = (word.value ?? '').replace(/^\.\/|\/+$/gu, '');
      const found = repositories.find(
        ({ path }) => source === '.' || source === '' || isAtOrBelow(`/${path}`, `/${source}`),
      );
      if (word.value === null || found === undefined) continue;
      if (image.removed.some(({ path }) => path.includes('.git'))) continue;
      yield* claimAt(
        subject,
        { file: image.file, start: word.start, end: word.end },
        {
          message: `This brings ${found.file} with its history into the image.`,
        },
      );
    }
  }
}
