import { baseName } from '../../model/container-path';
import type { ReachedFile } from '../../model/expectations';
import { pythonReader } from '../../model/readers/python';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { PythonFunction, PythonModule } from '../../text/python/module';
import { claimAt, listed, once } from '../places';
import type { Claim, Rule } from '../rule';

export const verifierTestNotRun: Rule = {
  id: 'verifier-test-not-run',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['tree', 'shell:test', 'py:tests'],
  needsDisk: true,
  why: 'A check that nothing runs protects nothing, and a reader takes it for one that does.',
  docs: {
    finds:
      'A test file in `tests/` that no command of the test script reaches; a class or a file given to pytest whose names pytest does not collect; a test that a selection with `::` leaves out.',
    silent:
      'Helpers that others import, data files, and scripts that start their tests in a way that cannot be read with certainty.',
    bad: 'pytest /tests/test_a.py   # tests/test_b.py is there too',
    good: 'pytest /tests',
  },
  *check(subject) {
    if (subject.disk?.limit !== null) return;
    const views = subject.derive(stepViews);
    // A shared file may be meant for another step.
    const reached = new Set(views.flatMap(({ reach }) => reach.files.map(({ file }) => file)));
    if (views.some(({ reach }) => !reach.runnersKnown)) return;
    for (const view of views) {
      if (view.reach.runs.length === 0) continue;
      yield* once(unreached(subject, view, reached));
      for (const file of view.reach.files) if (file.via === 'pytest') yield* once(uncollected(subject, view, file));
    }
  },
};

function* unreached(subject: Subject, { step, reach }: StepView, reached: ReadonlySet<string>): Generator<Claim> {
  for (const [name, file] of step.tests) {
    if (reached.has(file) || !/^(?:test_.*|.*_test)\.py$/u.test(baseName(name))) continue;
    const first = subject.read(pythonReader, file)?.tests[0];
    if (first === undefined) continue;
    // Run under a path that does not exist: that is told elsewhere.
    const names = reach.runs.flatMap(({ targets }) => targets.map(({ path }) => baseName(path)));
    if (names.includes(baseName(name))) continue;
    const run = reach.runs[0];
    const script = run === undefined ? 'the test script' : baseName(run.file);
    yield* claimAt(
      subject,
      { file, start: first.function.nameNode.start, end: first.function.nameNode.end },
      {
        message: `No command of ${script} runs ${name}, so its tests never judge anything.`,
        section: name,
      },
    );
  }
}

function* uncollected(subject: Subject, { reach, step }: StepView, reached: ReachedFile): Generator<Claim> {
  const { file, at, python } = reached;
  if (python?.syntaxError !== null || baseName(file) === 'conftest.py') return;
  // A configuration may name other patterns.
  if (
    [...step.tests.keys()].some((name) =>
      /(?:^|\/)(?:pytest\.ini|\.pytest\.ini|pyproject\.toml|tox\.ini|setup\.cfg|conftest\.py)$/u.test(name),
    )
  )
    return;
  const name = baseName(file);
  for (const one of python.classes) {
    if (!one.name.startsWith('Test') || one.bases.some((base) => base !== 'object')) continue;
    const methods = python.functions.filter((method) => method.class === one);
    const init = methods.find((method) => method.name === '__init__');
    const tests = methods.filter((method) => method.name.startsWith('test'));
    if (init === undefined || tests.length === 0) continue;
    yield* claimAt(
      subject,
      { file, start: one.nameNode.start, end: one.nameNode.end },
      {
        message: `pytest does not collect ${one.name}, since it has an __init__: ${listed(tests.map((test) => test.name))} never run${tests.length === 1 ? 's' : ''}.`,
      },
    );
  }
  const direct = reach.runs.flatMap(({ targets }) => targets.filter(({ path }) => path === at));
  if (python.tests.length === 0 && direct.length > 0) {
    const missed = python.functions.filter((one) => isCheck(python, one));
    const [first] = missed;
    if (first === undefined) return;
    yield* claimAt(
      subject,
      { file, start: first.nameNode.start, end: first.nameNode.end },
      {
        message: `pytest collects nothing in ${name}, since no function there is called test…: ${listed(missed.map((one) => one.name))} never run${missed.length === 1 ? 's' : ''}.`,
      },
    );
    return;
  }
  if (direct.length === 0 || direct.some(({ node }) => node === null)) return;
  const nodes = direct.map(({ node }) => (node ?? '').replaceAll('::', '.').replace(/\[.*$/u, ''));
  for (const { function: test } of python.tests) {
    if (nodes.some((node) => node === test.path || test.path.startsWith(`${node}.`))) continue;
    yield* claimAt(
      subject,
      { file, start: test.nameNode.start, end: test.nameNode.end },
      {
        message: `The test script selects tests of ${name} by name and leaves out ${test.path}.`,
      },
    );
  }
}

/** A function of the file's own level that asserts something, takes no argument and is never called. */
function isCheck(python: PythonModule, one: PythonFunction): boolean {
  if (one.class !== null || one.parameters.length > 0 || one.parent.kind !== 'module' || one.decorators.length > 0)
    return false;
  if (python.calls.some(({ callee }) => callee === one.name)) return false;
  return python.asserts.some(({ block }) => block.function === one);
}
