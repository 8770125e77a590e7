#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { version } from '../../package.json';
import { nodeFiles, sha256 } from '../node/files';
import { grammarFileBeside, onceGrammars } from '../node/grammars';
import type { CliContext, ExitCode } from './context';
import { commands } from './commands';
import { parentChannel } from './events';
import { buildProgram, runProgram } from './program';
import { sinkFor } from './sinks';
import { watchForStop } from './stop';

// The bundle's entry: joins the commands to this process, and ends it with their exit code.

const stdout = sinkFor(process.stdout, process.env);
const stderr = sinkFor(process.stderr, process.env);
const channel = parentChannel(process);

let code: ExitCode = 2;
let crashed = false;

const stop = watchForStop(
  process,
  (text) => {
    stderr.write(text);
  },
  () => {
    process.exit(crashed ? 2 : 130);
  },
);

const context: CliContext = {
  stdout,
  stderr,
  cwd: process.cwd(),
  env: process.env,
  files: nodeFiles,
  sha256,
  signal: stop.signal,
  grammars: onceGrammars((file) => grammarFileBeside(__filename, file)),
  workerFile: path.join(__dirname, 'check-worker.js'),
  cores: availableParallelism(),
  resourceDir: path.join(__dirname, '..', 'media'),
  version,
  hasParent: process.send !== undefined,
  emit: (event) => {
    channel.send(event);
  },
  now: () => new Date(),
  randomBytes: (count) => randomBytes(count),
  finish: (asked) => {
    code = asked;
  },
  complain: (message) => {
    stderr.write(`error: ${message}\n`);
  },
};

process.on('uncaughtException', onBug);
process.on('unhandledRejection', onBug);

void runProgram(buildProgram(context, commands), context, process.argv.slice(2)).catch(onBug).then(leave);

/** A bug of ours: one sentence, the containers of this run removed, and 2. */
function onBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!crashed) stderr.write(`error: taskwright itself failed: ${message.split('\n', 1)[0] ?? ''}\n`);
  if (isSet(process.env.TASKWRIGHT_DEBUG) && error instanceof Error) stderr.write(`${error.stack ?? ''}\n`);
  else if (!crashed) stderr.write('Set TASKWRIGHT_DEBUG=1 to see where, and report it.\n');
  crashed = true;
  stop.stop();
}

async function leave(): Promise<void> {
  stop.dispose();
  await Promise.all([stdout.drained(), stderr.drained(), channel.drained()]);
  // Handles of an engine that broke off may still be open; nothing of this run is waited for any more.
  process.exit(crashed ? 2 : code);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
