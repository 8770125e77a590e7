import { baseName, extensionOf } from '../../model/container-path';
import { hasWord, mentionOf } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { claimAt, eachStep } from '../places';
import type { Claim, Rule } from '../rule';
import { isProduct, isRequired } from './consistency-output-not-in-instruction';

export const consistencyOracleSkipsOutput: Rule = {
  id: 'consistency-oracle-skips-output',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test', 'shell:solve', 'py:solution', 'docker', 'instruction'],
  needsDisk: true,
  why: 'If nothing in the solution can write a file that the tests open, the reference solution itself will fail.',
  docs: {
    finds:
      'A test reads an output that the instruction asks for, and no file of the solution mentions its path, its name or its folder.',
    silent:
      'What a program of the image writes, names that the solution puts together, and solutions that cannot be read as text.',
    bad: '# solve.sh writes only a.csv\nopen("/srv/b.csv")',
    good: '# solve.sh writes a.csv and b.csv\nopen("/srv/b.csv")',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => skipped(subject, view));
  },
};

function* skipped(subject: Subject, view: StepView): Generator<Claim> {
  const { solution, isSolutionWhole, step, space, instruction } = view;
  if (!isSolutionWhole || step.solveScript === null) return;
  const seen = new Set<string>();
  for (const use of view.expectations.uses) {
    const { path } = use;
    if (seen.has(path) || !isRequired(use) || isProduct(path) || space.has(path) !== 'no') continue;
    seen.add(path);
    const said = mentionOf(instruction, path);
    if (said !== 'path' && said !== 'name') continue;
    if (couldWrite(view, solution, path)) continue;
    yield* claimAt(subject, use, {
      message: `No file of the solution mentions ${path} or its name, so the reference solution will hardly write it.`,
    });
  }
}

/** Could a solution with this text write the file, under a name that is put together or by a program that it runs? */
export function couldWrite({ step, space }: StepView, solution: string, path: string): boolean {
  if (mentionOf(solution, path) !== null) return true;
  const name = baseName(path);
  if ([...step.solution.keys()].some((file) => baseName(file) === name)) return true;
  if (space.texts.some(({ text }) => hasWord(text, name))) return true;
  const extension = extensionOf(path);
  if (extension === '') return true;
  return ['}', '*', '%s', '"', "'", '('].some((before) => solution.includes(`${before}.${extension}`));
}
