import { baseName, isAtOrBelow } from '../../model/container-path';
import type { PathUse } from '../../model/expectations';
import { hasWord, mentionOf } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, eachStep, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const consistencyOutputNotInInstruction: Rule = {
  id: 'consistency-output-not-in-instruction',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'shell:test', 'docker', 'py:solution', 'shell:solve'],
  needsDisk: true,
  why: 'An agent cannot know a file name that only the tests use. It may do everything that was asked for and still fail.',
  docs: {
    finds:
      'A test reads a path as output of the agent that neither the instruction nor anything in the image names, be it by its base name, while the solution writes it.',
    silent:
      'Files that the verifier writes first, patterns and numbered names that the instruction describes, products of tools, system files, and reads that provide for a missing file.',
    bad: '# the instruction does not say so\nopen("/srv/summary.txt")',
    good: 'Write the summary to `/srv/summary.txt`.',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => unknownOutputs(subject, view));
  },
};

function* unknownOutputs(subject: Subject, view: StepView): Generator<Claim> {
  const { instructions, instruction, own, step } = view;
  if (instructions.length === 0 || instruction.trim() === '' || step.instruction === null) return;
  const last = own?.last;
  const seen = new Set<string>();
  for (const use of view.expectations.uses) {
    if (seen.has(use.path) || !isRequired(use) || isProduct(use.path)) continue;
    seen.add(use.path);
    if (!isUnknownToAgent(view, use.path)) continue;
    // What the solution does not make either is a file that nobody makes, which is another defect.
    const solved = mentionOf(view.solution, use.path);
    if (solved !== 'path' && solved !== 'name') continue;
    yield* claimAt(subject, use, {
      message: `${baseName(use.file)} reads ${use.path}, which neither the instruction nor anything in the image names.`,
      related: relatedTo(
        subject,
        last === undefined ? null : { file: step.instruction, ...last },
        'The instruction ends without naming it.',
      ),
    });
  }
}

/** A read as output of the agent that fails when the file is missing. */
export function isRequired({ action, role, guarded, path }: PathUse): boolean {
  if (action !== 'read' || guarded || /[*?[\]{}<>]/u.test(path)) return false;
  return role === 'output' || role === 'unknown';
}

/** Neither the instruction nor a text in the image says a word of it. */
export function isUnknownToAgent({ instruction, space }: StepView, path: string): boolean {
  const said = mentionOf(instruction, path);
  // Where the image is not known to the last file, a program or a repository in it may tell the name.
  if ((said !== null && said !== 'folder') || space.has(path) !== 'no') return false;
  const name = baseName(path);
  return !space.texts.some(({ text }) => hasWord(text, name));
}

const productFolder =
  /\/(?:build|dist|target|out|bin|obj|node_modules|__pycache__|\.git|\.venv|venv|CMakeFiles|site-packages|migrations)(?:\/|$)/u;

/** Made by tools under names of their own, or a place for passing things. */
export function isProduct(path: string): boolean {
  if (productFolder.test(path) || /\.(?:pyc|o|so|a|class|lock|pid|sock|log)$/u.test(path)) return true;
  return ['/tmp', '/var/tmp', '/logs', '/proc', '/dev', '/sys', '/root', '/home'].some((folder) =>
    isAtOrBelow(path, folder),
  );
}
