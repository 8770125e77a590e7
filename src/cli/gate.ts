import path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { unknownStrategies } from '../core/cheats/plan';
import { allWell, gateDocument, type GateDocument, type GateTaskResult } from '../core/gates/document';
import type { Finding } from '../core/finding';
import { gateNames } from '../core/gates/settings';
import type { GateName } from '../core/gates/verdict';
import type { GateDefaults } from '../core/settings/settings';
import { resolveJobsDir } from '../core/workspace';
import { loadStrategies } from '../engine/cheats/catalogue';
import type { GateTarget } from '../engine/gates/options';
import { runGates } from '../engine/gates/run-gates';
import type { SandboxEngine } from '../engine/sandbox';
import type { EngineEvent } from '../protocol/engine';
import type { CliContext, ExitCode } from './context';
import { openDisplay, type Display } from './display';
import { connectEngine } from './engine';
import { errorDocument } from './error-document';
import { openWorkspaces } from './findings/workspaces';
import { githubReport } from './gate-report/github';
import { junitReport } from './gate-report/junit';
import { prettyReport } from './gate-report/pretty';
import { filled, finiteNumber, gateList, positiveInteger, repeated } from './options';
import { selectTasks, showPath, targetsOf, type SelectedTask } from './select-tasks';

type Format = 'pretty' | 'json' | 'junit' | 'github';

interface GateOptions {
  /** What is absent here is as taskwright.toml says, else as by default. */
  readonly gates?: readonly GateName[];
  readonly attempts?: number;
  readonly concurrent?: number;
  readonly jobsDir: string;
  readonly jobName?: string;
  readonly rewardKey?: string;
  readonly passThreshold?: number;
  readonly strategy?: readonly string[];
  readonly dockerHost?: string;
  readonly format: Format;
}

export function registerGate(program: Command, context: CliContext): void {
  program
    .command('gate')
    .description('run the gates of tasks in Docker: the solution passes, doing nothing fails, cheating fails')
    .argument('[path...]', "tasks' folders, or folders of tasks (default: the working directory)")
    .addOption(
      new Option('--gates <list>', `gates to report, with commas (default: ${gateNames.join(',')})`).argParser(
        gateList,
      ),
    )
    .addOption(new Option('-k, --attempts <n>', 'attempts a gate (default: 1)').argParser(positiveInteger))
    .option('-n, --concurrent <n>', 'trials at once (default: as many as fit the machine, at most 4)', positiveInteger)
    .option('--jobs-dir <dir>', 'folder for the job', filled, 'jobs')
    .option('--job-name <name>', 'name of the job (default: the time)', filled)
    .option('--reward-key <key>', 'reward that counts (default: the key “reward”, else the only one)', filled)
    .addOption(new Option('--pass-threshold <n>', 'reward that counts as a pass (default: 1)').argParser(finiteNumber))
    .option('--strategy <id>', 'try only this cheat; may be given several times', repeated)
    .option('--docker-host <url>', 'container engine (default: DOCKER_HOST, the Docker context, known sockets)', filled)
    .addOption(
      new Option('--format <format>', 'form of the output')
        .choices(['pretty', 'json', 'junit', 'github'])
        .default('pretty'),
    )
    .addHelpText(
      'after',
      '\nWhat no option says is as [gates] of taskwright.toml at the workspace root says.' +
        '\nOne attempt against what is wanted makes a gate “failed”; one without a clear reward leaves it “not-proven”.',
    )
    .action(async (paths: readonly string[], options: GateOptions) => {
      context.finish(await gate(paths, options, context));
    });
}

async function gate(paths: readonly string[], given: GateOptions, context: CliContext): Promise<ExitCode> {
  const selection = await selectTasks(paths, context);
  if (!selection.ok) return refuse(selection.message, given, context);
  const settled = await withDefaults(given, selection.tasks, context);
  if (!settled.ok) return refuse(settled.message, given, context);
  const { options } = settled;
  const unknown = await wrongStrategy(options, context);
  if (unknown !== null) return refuse(unknown, options, context);

  const targets = await targetsOf(selection.tasks, context);
  const names = new Map(targets.map(({ task }) => [task.dir, task.name]));
  const display = openDisplay(context, (dir) => names.get(dir) ?? dir);
  try {
    for (const note of selection.notes) display.say(note);
    return await gateTargets(targets, options, context, display);
  } finally {
    display.end();
  }
}

/** Options with what the workspace says where a person did not. */
type SettledOptions = Omit<GateOptions, keyof GateDefaults> & GateDefaults;

type Settled =
  { readonly ok: true; readonly options: SettledOptions } | { readonly ok: false; readonly message: string };

/** One job has one set of gate settings, so tasks of workspaces that differ in them are not run together. */
async function withDefaults(
  given: GateOptions,
  tasks: readonly SelectedTask[],
  { files, cwd }: CliContext,
): Promise<Settled> {
  const workspaces = openWorkspaces(files, cwd);
  for (const { task } of tasks) await workspaces.of(task.dir);
  const all = await workspaces.all();
  for (const { workspace } of all) {
    const [broken] = workspace.findings.filter(({ severity, path }) => severity === 'error' && isAboutGates(path));
    if (broken !== undefined) {
      const line = broken.range.start.line + 1;
      return { ok: false, message: `${path.join(workspace.root, broken.file)}:${line}: ${broken.message}` };
    }
  }
  const settled = all.map(({ settings: { gates: defaults } }) => ({
    ...defaults,
    ...given,
    rewardKey: given.rewardKey ?? defaults.rewardKey,
  }));
  const [options] = settled;
  if (options === undefined) return { ok: false, message: 'No task was found.' };
  const same = settled.every((one) => JSON.stringify(one) === JSON.stringify(options));
  const message = 'These tasks belong to workspaces with different [gates] in taskwright.toml; name those of one.';
  return same ? { ok: true, options } : { ok: false, message };
}

/** A syntax error is about everything. */
function isAboutGates(path: Finding['path']): boolean {
  return path === undefined || path.length === 0 || path[0] === 'gates';
}

async function gateTargets(
  targets: readonly GateTarget[],
  options: SettledOptions,
  context: CliContext,
  display: Display,
): Promise<ExitCode> {
  const emit = (event: EngineEvent): void => {
    context.emit(event);
    display.show(event);
  };
  const dirs = targets.map(({ task }) => task.dir);
  const jobs = resolveJobsDir(context.files, options.jobsDir, context.cwd, dirs, (dir) => path.isAbsolute(dir));
  const notes = new Set([...targets.map(({ workspace }) => workspace.note), jobs.note]);
  for (const note of notes) if (note !== null) display.say(note);

  let engine: SandboxEngine | null = null;
  if (targets.some(({ task }) => task.harbor.outcome === 'loads')) {
    const connection = await connectEngine(context, options.dockerHost, emit);
    if (!connection.ok) {
      display.end();
      return connection.cancelled ? 130 : refuse(connection.message, options, context);
    }
    engine = connection.engine;
  }
  await using held = engine;
  const ran = await runGates({
    targets,
    gates: options.gates,
    settings: {
      rewardKey: options.rewardKey,
      passThreshold: options.passThreshold,
      attempts: options.attempts,
    },
    strategies: options.strategy ?? null,
    engine: held,
    jobsDir: jobs.dir,
    jobName: options.jobName ?? null,
    maxConcurrent: options.concurrent ?? null,
    cheatsDir: path.join(context.resourceDir, 'cheats'),
    grammars: context.grammars,
    files: context.files,
    sha256: context.sha256,
    now: () => context.now(),
    showPath: (full) => showPath(full, context.cwd),
    workingDir: context.cwd,
    hostEnv: context.env,
    version: context.version,
    emit,
    streamOutput: context.hasParent === true,
    note: (text) => {
      display.say(text);
    },
    signal: context.signal,
  });
  display.end();
  if (!ran.ok) {
    emit({ type: 'engine-failed', reason: ran.reason, message: ran.message });
    return refuse(ran.message, options, context);
  }
  const document = gateDocument(ran.tasks);
  const jobDir = ran.jobDir === null ? null : showPath(ran.jobDir, context.cwd);
  context.stdout.write(report(document, options, jobDir, context));
  if (context.signal.aborted) return 130;
  return allWell(document.summary) ? 0 : 1;
}

function report(document: GateDocument, options: SettledOptions, jobDir: string | null, context: CliContext): string {
  switch (options.format) {
    case 'json':
      return `${JSON.stringify(document, null, 2)}\n`;
    case 'junit':
      return junitReport(document);
    case 'github':
      return githubReport(document, fileInRepository(context));
    case 'pretty': {
      const { color, isTTY, columns } = context.stdout;
      const strategies = options.strategy ?? null;
      return prettyReport(document, { color, width: isTTY ? columns : null, jobDir, strategies });
    }
  }
}

/** Workflow commands name files from the root of the checkout, wherever the step runs. */
function fileInRepository(context: CliContext): (task: GateTaskResult, file: string) => string {
  const root = context.env.GITHUB_WORKSPACE ?? context.cwd;
  return (task, file) =>
    path
      .relative(root, path.resolve(context.cwd, task.path, file))
      .split(path.sep)
      .join('/');
}

/** Nothing could be run: exit 2. */
function refuse(message: string, options: Pick<GateOptions, 'format'>, context: CliContext): ExitCode {
  context.complain(message);
  if (options.format === 'json') context.stdout.write(errorDocument(message, gateDocument([])));
  return 2;
}

/** What is wrong with `--strategy`, before anything is started for it. */
async function wrongStrategy(options: SettledOptions, context: CliContext): Promise<string | null> {
  if (options.strategy === undefined) return null;
  if (!options.gates.includes('cheat'))
    return '--strategy chooses among cheats, but --gates leaves out the cheat gate.';
  const loaded = await loadStrategies(context.files, path.join(context.resourceDir, 'cheats'));
  if (!loaded.ok) return loaded.message;
  // An author's entries differ from task to task, so they are looked up there.
  const asked = options.strategy.filter((name) => !/^(?:author|variant):/.test(name));
  const [unknown] = unknownStrategies(loaded.strategies, asked);
  if (unknown === undefined) return null;
  return `there is no cheat “${unknown}”; there are ${loaded.strategies.map(({ id }) => id).join(', ')}, and author:NAME and variant:NAME for your own.`;
}
