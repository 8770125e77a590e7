import { baseName } from '../../model/container-path';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { PythonModule } from '../../text/python/module';
import type { ShellCommand } from '../../text/shell/script';
import type { Place } from '../places';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { graderName } from './names';
import { finalReward, numberIn } from './rewards';
import { nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierExitCodeOnly: Rule = {
  id: 'verifier-exit-code-only',
  severity: 'information',
  confidence: 'likely',
  inputs: ['shell:test', 'py:tests', 'docker', 'toml', 'tree'],
  needsDisk: true,
  why: 'Code of the agent that runs in the process of the tests can end it with `os._exit(0)`, and the exit status then says that all is well.',
  docs: {
    finds:
      'The reward follows the exit status of the test runner alone, and a test imports code of the agent into its own process.',
    silent: 'Agent code that is only started as a program of its own, and a report whose counts are looked at.',
    bad: 'if pytest /tests/test_calc.py; then echo 1 > /logs/verifier/reward.txt; fi',
    good: 'pytest --junitxml=/tmp/r.xml /tests; python3 /tests/count.py /tmp/r.xml 12 && echo 1 > /logs/verifier/reward.txt',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) {
      const view = subject.derive(stepViews).find(({ step }) => step === test.step);
      if (view !== undefined) yield* once(claimsOf(subject, test, view));
    }
  },
};

function* claimsOf(subject: Subject, test: TestScript, view: StepView): Generator<Claim> {
  const runner = soleRunner(test);
  if (runner === null) return;
  const imported = agentImport(view);
  if (imported === null) return;
  const place = conditionOf(test, runner);
  yield* claimAt(
    subject,
    { file: test.file, ...place },
    {
      message: `${nameOf(test)} trusts the exit status of ${graderName(test, runner)} alone, and ${baseName(imported.file)} imports ${imported.name}, which can end that process with 0.`,
      related: relatedTo(subject, imported, 'Agent code comes into the process of the tests here.'),
    },
  );
}

/** The test runner on whose status alone every positive reward rests. */
function soleRunner(test: TestScript): ShellCommand | null {
  if (!test.flow.complete || test.mayWriteElsewhere) return null;
  const paid = test.flow.paths.filter((path) => {
    const text = finalReward(path)?.written.value.text ?? null;
    return !path.unsure && text !== null && (numberIn(text) ?? 0) > 0;
  });
  const [first] = paid;
  const runner = first?.decisions[0]?.command;
  const kind = runner === undefined ? undefined : test.graders.get(runner)?.kind;
  if (runner === undefined || (kind !== 'pytest' && kind !== 'unittest')) return null;
  return paid.every(({ decisions }) => decisions.every(({ command, succeeded }) => command === runner && succeeded))
    ? runner
    : null;
}

interface Imported extends Place {
  readonly name: string;
}

/** The first import of a module that lies with the agent's work. */
function agentImport({ expectations, space, instruction }: StepView): Imported | null {
  for (const { file, via, python } of expectations.files) {
    if ((via !== 'pytest' && via !== 'import') || python === null) continue;
    const folders = searchFolders(python, expectations.startFolder);
    for (const { module, node } of python.imports) {
      const name = module.split('.')[0] ?? '';
      if (name === '' || !/^[A-Za-z_]\w*$/u.test(name)) continue;
      const found = folders.find(
        (folder) =>
          space.has(`${folder}/${name}.py`) === 'yes' ||
          space.has(`${folder}/${name}/__init__.py`) === 'yes' ||
          instruction.includes(`${folder}/${name}.py`) ||
          instruction.includes(`${folder}/${name}/`),
      );
      if (found !== undefined) return { file, start: node.start, end: node.end, name: `${found}/${name}` };
    }
    const loaded = loadedByPath(python);
    if (loaded !== null) return { file, ...loaded };
  }
  return null;
}

/** Folders outside of `/tests` that the test puts on its search path. */
function searchFolders({ searchPaths }: PythonModule, start: string | null): readonly string[] {
  const folders = searchPaths.flatMap(({ value }) =>
    value?.kind === 'text' && !value.inModuleFolder ? [value.text] : [],
  );
  return folders
    .map((folder) => (folder === '.' || folder === '' ? (start ?? '') : folder.replace(/\/$/u, '')))
    .filter((folder) => folder.startsWith('/') && folder !== '/tests' && !folder.startsWith('/tests/'));
}

/** `spec_from_file_location("x", "/app/x.py")`. */
function loadedByPath(
  python: PythonModule,
): { readonly start: number; readonly end: number; readonly name: string } | null {
  for (const { name, node, arguments: given } of python.calls) {
    if (name !== 'spec_from_file_location' && name !== 'run_path' && name !== 'SourceFileLoader') continue;
    const path = name === 'run_path' ? given[0] : given[1];
    const value = path === undefined ? null : python.fold(path);
    if (value?.kind !== 'text' || !value.text.startsWith('/') || value.text.startsWith('/tests/')) continue;
    return { start: node.start, end: node.end, name: value.text };
  }
  return null;
}

/** The runner's own words, where it is the condition; else the first place that reads its status. */
function conditionOf(test: TestScript, runner: ShellCommand): { readonly start: number; readonly end: number } {
  const whole = { start: runner.start, end: runner.words.at(-1)?.end ?? runner.end };
  if (runner.context.condition !== null || runner.context.leftOf !== null) return whole;
  const asked = test.script.commands.find(({ start, program, context, args }) => {
    if (start < runner.end || !/^(?:\[\[?|\(\(|test)$/u.test(program ?? '')) return false;
    return (
      (context.condition !== null || context.leftOf !== null) && args.some(({ variables }) => variables.length > 0)
    );
  });
  return asked ?? whole;
}
