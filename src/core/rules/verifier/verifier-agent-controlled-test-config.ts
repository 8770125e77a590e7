import type { Fix } from '../../finding';
import { absolutePath } from '../../model/container-path';
import { walkShell } from '../../model/shell-walk';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { ShellScript, ShellWord } from '../../text/shell/script';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import type { Grader } from './graders';
import { fileOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierAgentControlledTestConfig: Rule = {
  id: 'verifier-agent-controlled-test-config',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'docker', 'compose', 'toml', 'tree'],
  needsDisk: true,
  why: 'A conftest.py, a configuration or a module that the agent leaves where the test runner looks first is run before any test, and can make all of them pass.',
  docs: {
    finds:
      'In a shared container: tests collected in a folder of the agent, and `python -m pytest` or `python -m unittest` in one. Tests in `/tests` without a configuration of their own are information.',
    silent:
      'A separate verifier, an agent that may not write there, and a run with its guards (`-c`, `--noconftest` or `--confcutdir`, `-I` or `-P`).',
    bad: 'cd /srv/app && python3 -m pytest /srv/app/test_state.py',
    good: 'cd / && PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -I -m pytest -c /dev/null --rootdir=/tests --noconftest /tests/test_state.py',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) {
      const view = subject.derive(stepViews).find(({ step }) => step === test.step);
      if (view !== undefined && test.step.verifier === 'shared') yield* once(claimsOf(subject, test, view));
    }
  },
};

interface Run {
  readonly grader: Grader;
  readonly script: ShellScript;
  /** null when unknown. */
  readonly folder: string | null;
}

function* claimsOf(subject: Subject, test: TestScript, view: StepView): Generator<Claim> {
  const runs: Run[] = [];
  walkShell(test.script, view.expectations.startFolder, ({ command, script, folder }) => {
    const grader = test.graders.get(command);
    if (grader !== undefined && (grader.kind === 'pytest' || grader.kind === 'unittest'))
      runs.push({ grader, script, folder });
  });
  for (const run of runs) {
    const trouble = troubleOf(test, view, run);
    if (trouble === null || (trouble.weak && !subject.profile.reportsConfigDiscovery)) continue;
    const { command, word } = run.grader;
    const file = fileOf(test, run.script);
    yield* claimAt(
      subject,
      { file, start: (command.programWord ?? word).start, end: word.end },
      {
        message: trouble.message,
        ...(trouble.weak && { severity: 'information' as const }),
        fixes: guardFix(subject, test, run, file),
      },
    );
  }
}

interface Trouble {
  readonly message: string;
  readonly weak: boolean;
}

function troubleOf(test: TestScript, view: StepView, run: Run): Trouble | null {
  const { grader, folder } = run;
  const { space } = view;
  const guards = guardsOf(grader);
  const targets = targetsOf(grader.args, folder);
  // (b) The folder in force is searched for modules first.
  if (grader.asModule && !guards.isolated && folder !== null && !isVerifiers(folder) && space.writable(folder) === true)
    return {
      message: `\`python -m ${grader.word.value ?? ''}\` in ${folder} first looks there for modules, where the agent may have left a ${grader.kind === 'pytest' ? 'pytest.py' : 'unittest.py'}.`,
      weak: false,
    };
  if (grader.kind !== 'pytest') return null;
  // (a) Tests are collected in a folder of the agent.
  const places = targets.length > 0 ? targets : folder === null ? [] : [folder];
  const open = places.find((path) => !isVerifiers(path) && space.writable(path) === true);
  if (open !== undefined && !(guards.config && guards.conftest))
    return {
      message: `pytest takes conftest.py and its configuration from ${open.replace(/\/[^/]*\.py$/u, '')}, where the agent may have left its own.`,
      weak: false,
    };
  // (c) `/tests` itself, where files that the agent left beforehand still are.
  if (targets.length === 0 || !targets.every(isVerifiers) || space.isRoot !== true) return null;
  const names = [...test.step.tests.keys()];
  const ownConfig = names.some((name) =>
    /^(?:pytest\.ini|\.pytest\.ini|pyproject\.toml|tox\.ini|setup\.cfg)$/u.test(name),
  );
  const ownConftest = names.includes('conftest.py');
  if ((guards.config || ownConfig) && (guards.conftest || ownConftest)) return null;
  const missing = [
    ...(guards.config || ownConfig ? [] : ['pytest.ini']),
    ...(guards.conftest || ownConftest ? [] : ['conftest.py']),
  ];
  return {
    message: `pytest would also use a ${missing.join(' or a ')} that the agent has left in /tests or /.`,
    weak: true,
  };
}

function isVerifiers(path: string): boolean {
  return path === '/tests' || path.startsWith('/tests/');
}

interface Guards {
  readonly config: boolean;
  readonly conftest: boolean;
  readonly isolated: boolean;
}

function guardsOf({ command, args }: Grader): Guards {
  const has = (pattern: RegExp): boolean => args.some(({ prefix }) => pattern.test(prefix));
  const before = command.args.map(({ value }) => value ?? '');
  return {
    config: has(/^(?:-c|--config-file)(?:$|=|\/)/u),
    conftest: has(/^--(?:noconftest|confcutdir)(?:$|=)/u),
    isolated:
      before.some((text) => /^-[A-Za-z]*[IP]/u.test(text)) ||
      command.assignments.some(({ name }) => name === 'PYTHONSAFEPATH'),
  };
}

const valued =
  /^(?:-k|-m|-p|-c|-o|-W|-n|-r|--rootdir|--confcutdir|--junitxml|--junit-xml|--ctrf|--tb|--timeout|--maxfail|--durations|--ignore|--deselect|--import-mode|--basetemp|--cov|--cov-report|--json-report-file|--log-level|--color|--config-file|--report-log)$/u;

/** The files and folders that pytest is pointed at; empty also when one of them is unknown. */
function targetsOf(args: readonly ShellWord[], folder: string | null): readonly string[] {
  const found: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.value ?? null;
    if (text === null) return [];
    if (valued.test(text)) i++;
    else if (!text.startsWith('-')) {
      const path = absolutePath(text.split('::')[0] ?? '', folder);
      if (path === null) return [];
      found.push(path);
    }
  }
  return found;
}

/** The guards of a hardened run that are not there yet. */
function guardFix(subject: Subject, test: TestScript, { grader }: Run, file: string): readonly Fix[] {
  if (grader.kind !== 'pytest') return [];
  const guards = guardsOf(grader);
  const names = [...test.step.tests.keys()];
  const options = [
    ...(guards.config ? [] : ['-c /dev/null', '--rootdir=/tests']),
    ...(guards.conftest ? [] : [names.includes('conftest.py') ? '--confcutdir=/tests' : '--noconftest']),
    ...(grader.args.some(({ value }) => value === 'no:cacheprovider') ? [] : ['-p no:cacheprovider']),
  ];
  const edits =
    options.length === 0 ? [] : [{ start: grader.word.end, end: grader.word.end, newText: ` ${options.join(' ')}` }];
  const { programWord } = grader.command;
  if (
    grader.asModule &&
    !guards.isolated &&
    programWord !== null &&
    /^(?:.*\/)?python[0-9.]*$/u.test(programWord.value ?? '')
  )
    edits.unshift({ start: programWord.end, end: programWord.end, newText: ' -I' });
  return edits.length === 0 ? [] : fixIn(subject, file, 'Run pytest with the guards', edits);
}
