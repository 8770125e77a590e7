import path from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { writableRewards } from '../core/results/harbor/trial-result';
import type { TrialRecord } from '../core/results/record';
import { resolveJobsDir } from '../core/workspace';
import type { GateTarget } from '../engine/gates/options';
import { runAgent, type JobAgent } from '../engine/runs/run-agent';
import type { EngineEvent } from '../protocol/engine';
import type { CliContext, ExitCode } from './context';
import { openDisplay, type Display } from './display';
import { connectEngine } from './engine';
import { filled, positiveInteger } from './options';
import { runReport } from './run-report';
import { selectTasks, showPath, targetsOf } from './select-tasks';

interface RunOptions {
  readonly agent: 'oracle' | 'nop' | 'cheat' | 'command';
  readonly command?: string;
  readonly attempts: number;
  readonly concurrent?: number;
  readonly jobsDir: string;
  readonly jobName?: string;
  readonly resume?: boolean;
  readonly rewardKey?: string;
  readonly dockerHost?: string;
}

export function registerRun(program: Command, context: CliContext): void {
  program
    .command('run')
    .description('run an agent on tasks, and keep the trials; judges nothing')
    .argument('[path...]', "tasks' folders, or folders of tasks (default: the working directory)")
    .addOption(
      new Option('--agent <agent>', 'what acts').choices(['oracle', 'nop', 'cheat', 'command']).default('oracle'),
    )
    .option('--command <command>', 'shell command for --agent command; the instruction is its standard input', filled)
    .addOption(new Option('-k, --attempts <n>', 'attempts a task').argParser(positiveInteger).default(1))
    .option('-n, --concurrent <n>', 'trials at once (default: as many as fit the machine, at most 4)', positiveInteger)
    .option('--jobs-dir <dir>', 'folder for the job', filled, 'jobs')
    .option('--job-name <name>', 'name of the job (default: the time)', filled)
    .option('--resume', 'go on with the job of that name: what is finished is kept')
    .option('--reward-key <key>', 'reward to show (default: the key “reward”, else the only one)', filled)
    .option('--docker-host <url>', 'container engine (default: DOCKER_HOST, the Docker context, known sockets)', filled)
    .addHelpText('after', '\nRewards do not change the exit code; a trial without a result makes it 1.')
    .action(async (paths: readonly string[], options: RunOptions) => {
      context.finish(await run(paths, options, context));
    });
}

async function run(paths: readonly string[], options: RunOptions, context: CliContext): Promise<ExitCode> {
  const agent = agentOf(options);
  if (!agent.ok) return refuse(agent.message, context);
  if (options.resume === true && options.jobName === undefined)
    return refuse('--resume needs the name of the job to go on with: --job-name NAME.', context);
  const selection = await selectTasks(paths, context);
  if (!selection.ok) return refuse(selection.message, context);

  const loadable = selection.tasks.filter(({ task }) => task.harbor.outcome === 'loads');
  for (const { task } of selection.tasks) {
    if (task.harbor.outcome !== 'loads')
      context.stderr.write(`${task.name} is left out: ${task.harbor.reason ?? 'Harbor does not load it.'}\n`);
  }
  if (loadable.length === 0) return refuse('none of the tasks loads; “taskwright check” says why.', context);

  const targets = await targetsOf(loadable, context);
  const names = new Map(targets.map(({ task }) => [task.dir, task.name]));
  const display = openDisplay(context, (dir) => names.get(dir) ?? dir);
  try {
    for (const note of selection.notes) display.say(note);
    const code = await runTargets(targets, agent.agent, options, context, display);
    // A task that could not be tried at all has no result either.
    return code === 0 && loadable.length < selection.tasks.length ? 1 : code;
  } finally {
    display.end();
  }
}

async function runTargets(
  targets: readonly GateTarget[],
  agent: JobAgent,
  options: RunOptions,
  context: CliContext,
  display: Display,
): Promise<ExitCode> {
  const emit = (event: EngineEvent): void => {
    context.emit(event);
    display.show(event);
  };
  const dirs = targets.map(({ task }) => task.dir);
  const jobs = resolveJobsDir(context.files, options.jobsDir, context.cwd, dirs, (dir) => path.isAbsolute(dir));
  if (jobs.note !== null) display.say(jobs.note);
  const connection = await connectEngine(context, options.dockerHost, emit);
  if (!connection.ok) {
    display.end();
    return connection.cancelled ? 130 : refuse(connection.message, context);
  }
  await using engine = connection.engine;
  const rewardKey = options.rewardKey ?? null;
  const ran = await runAgent({
    targets,
    agent,
    attempts: options.attempts,
    engine,
    jobsDir: jobs.dir,
    jobName: options.jobName ?? null,
    resume: options.resume === true,
    maxConcurrent: options.concurrent ?? null,
    rewardKey,
    cheatsDir: path.join(context.resourceDir, 'cheats'),
    grammars: context.grammars,
    files: context.files,
    workingDir: context.cwd,
    hostEnv: context.env,
    version: context.version,
    emit,
    streamOutput: context.hasParent === true,
    signal: context.signal,
  });
  display.end();
  if (!ran.ok) {
    emit({ type: 'engine-failed', reason: ran.reason, message: ran.message });
    return refuse(ran.message, context);
  }
  const { color } = context.stdout;
  const show = (full: string): string => showPath(full, context.cwd);
  context.stdout.write(runReport(ran.tasks, { color, rewardKey, jobDir: show(ran.jobDir), showPath: show }));
  if (context.signal.aborted) return 130;
  return ran.tasks.every(({ records, left }) => records.length + left.length > 0 && records.every(hasResult)) ? 0 : 1;
}

/** Rewards of several names are a result too, whichever of them a person would look at. */
function hasResult({ cheat, reading }: TrialRecord): boolean {
  if (cheat?.ran === 'skipped') return true;
  const rewards = reading?.ok ? writableRewards(reading.rewards) : null;
  return rewards !== null && Object.keys(rewards).length > 0;
}

function agentOf(
  options: RunOptions,
): { readonly ok: true; readonly agent: JobAgent } | { readonly ok: false; readonly message: string } {
  if (options.agent !== 'command') {
    if (options.command !== undefined) return { ok: false, message: '--command needs --agent command.' };
    return { ok: true, agent: { kind: options.agent } };
  }
  if (options.command === undefined) return { ok: false, message: '--agent command needs --command “…”.' };
  return { ok: true, agent: { kind: 'command', command: options.command } };
}

function refuse(message: string, context: CliContext): ExitCode {
  context.complain(message);
  return 2;
}
