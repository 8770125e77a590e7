import { baseName, folderOf, isAtOrBelow } from '../../model/container-path';
import type { ReachedFile } from '../../model/expectations';
import { folderIn, placeOf, roleAt } from '../../model/path-uses';
import { hasWord, mentionOf } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { FileUse } from '../../text/python/file-uses';
import { couldWrite } from '../consistency/consistency-oracle-skips-output';
import { isProduct } from '../consistency/consistency-output-not-in-instruction';
import { claimAt, eachStep } from '../places';
import type { Claim, Rule } from '../rule';

export const testsMissingInput: Rule = {
  id: 'tests-missing-input',
  severity: 'error',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test', 'tree', 'docker', 'instruction', 'shell:solve', 'py:solution'],
  needsDisk: true,
  why: 'A test that opens a file which nobody makes fails for every attempt, also for a correct one.',
  docs: {
    finds:
      'A test must open a file that is neither in the image nor in `tests/`, that neither the solution nor the verifier makes, and that the instruction does not ask for. Or it opens a file of `tests/` by a relative path, although the tests start in another folder.',
    silent:
      'Reads that provide for a missing file, temporary folders, system paths, tests that run programs which may write the file, and images that cannot be read to the end.',
    bad: 'open("fixtures/tides.json")   # the tests start in /srv, the file is in /tests/fixtures',
    good: 'open(Path(__file__).parent / "fixtures/tides.json")',
  },
  *check(subject) {
    if (subject.disk?.limit !== null) return;
    yield* eachStep(subject, (view) => view.reach.files.flatMap((reached) => [...missing(subject, view, reached)]));
  },
};

function* missing(subject: Subject, view: StepView, reached: ReachedFile): Generator<Claim> {
  const { python } = reached;
  if (python === null || reached.via === 'read' || view.step.verifier === 'separate') return;
  const folder = folderIn(python, reached);
  const runs =
    python.commands.length > 0 || view.expectations.uses.some(({ action, role }) => action === 'run' && role !== 'own');
  const seen = new Set<string>();
  for (const use of python.files) {
    if (use.action !== 'read' || use.guarded || use.path === null || use.path.text === '') continue;
    const path = placeOf(use.path, reached.at, folder);
    if (path === null || seen.has(path) || /[*?[\]{}<>%]/u.test(path)) continue;
    seen.add(path);
    const place = use.literal ?? use.pathNode;
    const at = { file: reached.file, start: place.start, end: place.end };
    const lost = use.path.from === 'cwd' ? inTests(view, use, reached) : null;
    if (lost !== null && lost !== path && isAbsent(view, path) && folder !== null) {
      yield* claimAt(subject, at, {
        message: `The test opens ${use.path.text} from ${folder}, where the tests start; the file is ${lost}.`,
        confidence: 'certain',
      });
      continue;
    }
    if (runs || !view.reach.complete || isProduct(path) || /extract|unpack|copytree/u.test(python.text)) continue;
    const role = roleAt(view.expectations, path);
    if (role !== 'output' && role !== 'unknown') continue;
    if (!isAbsent(view, path) || mentionOf(view.instruction, path) !== null) continue;
    if (!view.isSolutionWhole || couldWrite(view, view.solution, path)) continue;
    yield* claimAt(subject, at, {
      message: `The test opens ${path}, which is neither in the image nor in tests/, and which neither the solution nor the instruction knows.`,
    });
  }
}

/** Where in `/tests` the file of a relative path lies; null when it is not there or elsewhere too. */
function inTests({ step, reach }: StepView, { path }: FileUse, { at }: ReachedFile): string | null {
  const text = path?.text ?? '';
  if (reach.copies.size > 0 || !text.includes('.')) return null;
  const folder = folderOf(at);
  for (const place of [`${folder}/${text}`, `/tests/${text}`, `/${text}`]) {
    if (place.startsWith('/tests/') && step.tests.has(place.slice('/tests/'.length))) return place;
  }
  return null;
}

/** Nothing in the image, and nothing that the verifier writes. */
function isAbsent({ space, expectations, instruction, solution }: StepView, path: string): boolean {
  if (isAtOrBelow(path, '/tests') || space.has(path) !== 'no') return false;
  if (expectations.uses.some((use) => use.path === path && (use.action === 'write' || use.action === 'make')))
    return false;
  return !hasWord(instruction, baseName(path)) && !hasWord(solution, baseName(path));
}
