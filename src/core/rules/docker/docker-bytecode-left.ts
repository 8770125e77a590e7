import { absolutePath, baseName, folderOf, isAtOrBelow } from '../../model/container-path';
import type { Image } from '../../model/image';
import type { Subject } from '../../model/subject';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';
import type { BuildCommand } from './builds';
import { fixIn } from '../file-fix';
import { buildCommands, builds, instructionTexts } from './builds';

export const dockerBytecodeLeft: Rule = {
  id: 'docker-bytecode-left',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction'],
  needsDisk: true,
  why: 'Bytecode can be turned back into its source, so a module that was taken away is still there to read.',
  docs: {
    finds:
      'A `.pyc` of the build context in the image without its source, and a module that was run by `python -m` and removed afterwards while its bytecode stays.',
    silent:
      '`PYTHONDONTWRITEBYTECODE`, `python -B`, a later removal of the cache, a script that is run by its file, and tasks whose instruction names the bytecode.',
    bad: 'RUN python -m seed && rm seed.py',
    good: 'RUN python -B -m seed && rm seed.py',
  },
  *check(subject) {
    const told = instructionTexts(subject);
    if (/\.pyc\b|bytecode|decompil|disassembl/i.test(told)) return;
    for (const { image, role } of subject.derive(builds)) if (role === 'agent') yield* compiledFiles(subject, image);
    const commands = subject.derive(buildCommands);
    for (const one of commands) if (one.made.role === 'agent') yield* leftModule(subject, one, commands);
  },
};

function* compiledFiles(subject: Subject, image: Image): Generator<Claim> {
  for (const { path, origin, start, end } of image.files.values()) {
    if (origin.kind !== 'context' || !path.endsWith('.pyc')) continue;
    const folder = folderOf(path);
    const source = absolutePath(
      `${baseName(path).split('.')[0] ?? ''}.py`,
      baseName(folder) === '__pycache__' ? folderOf(folder) : folder,
    );
    if (source === null || image.files.has(source)) continue;
    yield* claimAt(
      subject,
      { file: image.file, start, end },
      {
        message: `This brings ${path} into the image, from which its missing source can be had.`,
        section: path,
      },
    );
  }
}

function* leftModule(
  subject: Subject,
  { image, instruction, command, folder }: BuildCommand,
  all: readonly BuildCommand[],
): Generator<Claim> {
  if (!image.lineage.has(instruction.stage) || !/^python[\d.]*$/u.test(command.program ?? '')) return;
  const values = command.args.map(({ value }) => value);
  const at = values.indexOf('-m');
  const module = values[at + 1] ?? null;
  if (at < 0 || module === null || values.slice(0, at).some((value) => value !== null && /^-[a-zA-Z]*B/u.test(value)))
    return;
  if (
    (image.env.get('PYTHONDONTWRITEBYTECODE') ?? '') !== '' ||
    command.assignments.some(({ name }) => name === 'PYTHONDONTWRITEBYTECODE')
  )
    return;
  const source = absolutePath(`${module.replaceAll('.', '/')}.py`, folder);
  const removed = source === null ? undefined : image.removed.find(({ path }) => path === source);
  if (source === null || removed === undefined || image.files.has(source)) return;
  const cache = `${folderOf(source)}/__pycache__`;
  const cleans = all.some(
    ({ image: other, command: later }) =>
      other === image &&
      later.start > command.start &&
      /^(?:rm|find)$/u.test(later.program ?? '') &&
      later.args.some(({ text, value }) => {
        const path = value === null ? null : absolutePath(value, folder);
        return (
          text.includes('pyc') || (path !== null && path !== '/' && later.program === 'rm' && isAtOrBelow(cache, path))
        );
      }),
  );
  if (cleans) return;
  const flagAt = command.programWord?.end ?? command.start;
  yield* claimAt(
    subject,
    { file: image.file, start: command.start, end: command.end },
    {
      message: `${source} goes, but its bytecode stays in ${cache}.`,
      fixes: fixIn(subject, image.file, 'Write no bytecode (-B)', [{ start: flagAt, end: flagAt, newText: ' -B' }]),
    },
  );
}
