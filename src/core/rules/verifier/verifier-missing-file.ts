import { baseName, folderOf, isAtOrBelow } from '../../model/container-path';
import { hasWord } from '../../model/path-words';
import { testsShellReader } from '../../model/readers/shell';
import type { StepView } from '../../model/step-views';
import { editDistance } from '../../text/edit-distance';
import type { Subject } from '../../model/subject';
import type { Place } from '../places';
import { claimAt, eachStep } from '../places';
import { usePath } from '../file-fix';
import type { Claim, Rule } from '../rule';

export const verifierMissingFile: Rule = {
  id: 'verifier-missing-file',
  severity: 'error',
  confidence: 'certain',
  inputs: ['tree', 'shell:test', 'py:tests'],
  needsDisk: true,
  why: 'Harbor uploads what lies in `tests/` and nothing else to `/tests`: a file that is not there cannot be run or read when it comes to grading.',
  docs: {
    finds:
      'The test script or a test runs or reads a path below `/tests` that is not in `tests/`, or runs a file of `tests/` under another path, where nothing puts it.',
    silent:
      'Files that the verifier makes before, uses that look first whether the file is there, patterns that fit something, and separate verifiers, whose image may hold more.',
    bad: 'pytest /tests/test_kiln.py   # the file is test_kilns.py',
    good: 'pytest /tests/test_kilns.py',
  },
  *check(subject) {
    if (subject.disk?.limit !== null) return;
    yield* eachStep(subject, (view) => (view.step.verifier === 'shared' ? missingIn(subject, view) : []));
  },
};

/** A script of `tests/` that is run under a path where nothing puts it. */
function isNowhere({ step, space, reach, instruction, solution }: StepView, path: string): boolean {
  if (space.has(path) !== 'no' || reach.copies.size > 0 || !/\.(?:py|sh)$/u.test(path)) return false;
  if (![...step.tests.keys()].some((name) => baseName(name) === baseName(path))) return false;
  return !hasWord(instruction, path) && !hasWord(solution, path);
}

function* missingIn(subject: Subject, view: StepView): Generator<Claim> {
  const { step, reach, expectations } = view;
  const made = expectations.uses.flatMap(({ action, path }) => (action === 'write' || action === 'make' ? [path] : []));
  const there = new Set<string>();
  for (const name of step.tests.keys()) {
    for (let path = `/tests/${name}`; path !== '/' && !there.has(path); path = folderOf(path)) there.add(path);
  }
  const isThere = (path: string): boolean =>
    there.has(path) || made.some((one) => isAtOrBelow(path, one) || one.startsWith(`${path}/`));
  const wanted: { readonly place: Place; readonly path: string; readonly verb: string }[] = [];
  for (const { file, targets } of reach.runs) {
    for (const { path, start, end } of targets) wanted.push({ place: { file, start, end }, path, verb: 'runs' });
  }
  for (const use of expectations.uses) {
    const isNeeded = use.action === 'run' || use.action === 'read';
    if (isNeeded && !use.guarded)
      wanted.push({ place: use, path: use.path, verb: use.action === 'run' ? 'runs' : 'reads' });
  }
  const seen = new Set<string>();
  for (const { place, path, verb } of wanted) {
    if (/[*?[\]{}$]/u.test(path) || isThere(path) || isNamedBefore(subject, place, path)) continue;
    if (!path.startsWith('/tests/') && !(verb === 'runs' && isNowhere(view, path))) continue;
    const key = `${place.file}:${place.start}:${path}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const near = nearest(path, [...step.tests.keys()]);
    yield* claimAt(subject, place, {
      message: path.startsWith('/tests/')
        ? `${baseName(place.file)} ${verb} ${path}, which is not in tests/${near === null ? '' : `; ${near} is`}.`
        : `${baseName(place.file)} ${verb} ${path}, where nothing puts a file${near === null ? '' : `: Harbor uploads it as ${near}`}.`,
      fixes: near === null ? [] : usePath(subject, place, path, near),
    });
  }
}

/** `server -db out.db`, and later `/tests/out.db`: a program may have made the file that it was given by its mere name. */
function isNamedBefore(subject: Subject, { file, start }: Place, path: string): boolean {
  const script = file.endsWith('.sh') ? subject.read(testsShellReader, file) : null;
  const name = baseName(path);
  return (
    script?.commands.some(
      ({ program, args, end }) =>
        end <= start &&
        program !== null &&
        !/^(?:cat|ls|test|\[|stat|cp|mv)$/u.test(program) &&
        args.some(({ value }) => value === name),
    ) ?? false
  );
}

/** The file below `/tests` that was probably meant. */
function nearest(path: string, names: readonly string[]): string | null {
  const inner = path.startsWith('/tests/') ? path.slice('/tests/'.length) : path;
  const same = names.filter((name) => baseName(name) === baseName(inner));
  if (same.length === 1) return `/tests/${same[0] ?? ''}`;
  let best: string | null = null;
  let least = 3;
  for (const name of names) {
    const distance = Math.abs(name.length - inner.length) > 3 ? 9 : editDistance(name, inner);
    if (distance <= least && distance < inner.length / 3) [best, least] = [`/tests/${name}`, distance - 1];
  }
  return best;
}
