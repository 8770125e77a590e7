import path from 'node:path';
import process from 'node:process';
import { Option, type Command } from 'commander';
import pc from 'picocolors';
import { connectDocker } from '../engine/docker/connect';
import type { CliContext } from './context';
import {
  checkConnection,
  checkEngine,
  checkJobsDir,
  checkLeftovers,
  checkNode,
  checkSpace,
  type Check,
} from './doctor-checks';
import { connectOptions } from './engine';
import { filled } from './options';

interface DoctorOptions {
  readonly format: 'pretty' | 'json';
  readonly jobsDir: string;
  readonly dockerHost?: string;
}

export function registerDoctor(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('say what of this machine is missing or unusable, and how to mend it')
    .addOption(new Option('--format <format>', 'form of the output').choices(['pretty', 'json']).default('pretty'))
    .option('--jobs-dir <dir>', 'folder that jobs are written to', filled, 'jobs')
    .option('--docker-host <url>', 'container engine (default: DOCKER_HOST, the Docker context, known sockets)', filled)
    .action(async (options: DoctorOptions) => {
      const checks = await examine(path.resolve(context.cwd, options.jobsDir), options.dockerHost, context);
      if (context.signal.aborted) {
        context.finish(130);
        return;
      }
      context.stdout.write(options.format === 'json' ? json(checks) : pretty(checks, context.stdout.color));
      context.finish(checks.some(({ status }) => status === 'problem') ? 1 : 0);
    });
}

async function examine(jobsDir: string, host: string | undefined, context: CliContext): Promise<readonly Check[]> {
  return [
    checkNode(process.versions.node),
    ...(await examineEngine(host, context)),
    await checkJobsDir(jobsDir),
    await checkSpace('jobs-space', 'jobs', jobsDir),
  ];
}

async function examineEngine(host: string | undefined, context: CliContext): Promise<readonly Check[]> {
  const result = await connectDocker(connectOptions(context, host));
  const connection = checkConnection(result);
  if (!result.ok) return [connection];
  await using engine = result.engine;
  const checks = [connection, ...checkEngine(engine.info), checkLeftovers(await engine.reap())];
  const { endpoint, dataRoot } = engine.info;
  // The folder of an engine elsewhere, or in a virtual machine, says nothing about this machine's disks.
  const isHere = endpoint.startsWith('unix://') && dataRoot !== undefined;
  if (isHere && (await context.files.stat(dataRoot)) !== null) {
    checks.push(await checkSpace('engine-space', `images and containers in ${dataRoot}`, dataRoot));
  }
  return checks;
}

function json(checks: readonly Check[]): string {
  const count = (status: Check['status']): number => checks.filter((check) => check.status === status).length;
  const summary = { ok: count('ok'), warning: count('warning'), problem: count('problem') };
  return `${JSON.stringify({ version: 1, checks, summary }, null, 2)}\n`;
}

function pretty(checks: readonly Check[], color: boolean): string {
  const colors = pc.createColors(color);
  const words = { ok: colors.green('ok'), warning: colors.yellow('warning'), problem: colors.red('problem') };
  return checks
    .map(({ status, message, remedy }) => {
      const indent = ' '.repeat(9);
      const advice = remedy === null ? '' : `\n${indent}${remedy}`;
      return `${words[status]}${' '.repeat(Math.max(0, 9 - status.length))}${message}${advice}\n`;
    })
    .join('');
}
