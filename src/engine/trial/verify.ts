import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RewardReading } from '../../core/results/record';
import { duplicateKeys, readReward } from '../../core/results/reward';
import type { VerifierFacts } from '../../core/results/taskwright-file';
import { resolveEnv } from '../../core/task/templates';
import { runLogged, type AgentInput } from '../agents/agent';
import { EngineError, TransferError, type Exit, type Sandbox } from '../sandbox';
import { describeEnd, outOfMemory, whyNotStarted, whyScriptFailed } from './command';
import { limitOf, type TrialScope, type Trouble } from './context';
import { cancelled, missingVariables } from './environment';
import { brokenArchive } from './logs';
import { uploadFolder } from './upload';
import { readVerifierFolder } from './verifier-folder';

export interface VerifierEnd {
  readonly reading: RewardReading | null;
  readonly duplicateKeys: readonly string[];
  /** Read again because something of the agent still ran; null when nothing did. */
  readonly late: RewardReading | null;
  readonly facts: VerifierFacts | null;
  readonly trouble: Trouble | null;
}

const nothing: VerifierEnd = { reading: null, duplicateKeys: [], late: null, facts: null, trouble: null };
const testOutput = '/logs/verifier/test-stdout.txt';
/** How long a process of a cheat may still change the reward (cheats.md, section 2). */
const lateMs = 2000;
const pollMs = 200;

/**
 * The shared verifier of a single-step task (harbor-run.md, section 9): only now are the tests uploaded, merging into
 * `/tests`; neither that folder nor `/logs/verifier` is emptied first. The script's exit code means nothing. One limit
 * covers uploading, running and reading.
 */
export async function verify(scope: TrialScope, input: AgentInput, watch: string | null): Promise<VerifierEnd> {
  const { task, context } = scope;
  const { sandbox, config } = input;
  const { testsDir, testScript } = task.layout;
  if (testsDir === null || testScript === null) {
    return end({ type: 'FileNotFoundError', message: 'There is no tests/test.sh.', undecided: 'no-reward' });
  }
  const own = resolveEnv(config.verifier.env, (name) => context.hostEnv[name]);
  const limitSec = limitOf(config.verifier.timeout_sec);
  const deadline = limitSec === null ? null : context.clock.seconds() + limitSec;
  const expired = deadline === null ? null : AbortSignal.timeout(Math.min(limitSec ?? 0, 2_000_000) * 1000);
  const signal = expired === null ? scope.signal : AbortSignal.any([scope.signal, expired]);
  const late = (): Trouble => (scope.signal.aborted ? cancelled : timeout(config.verifier.timeout_sec));

  const upload = await uploadFolder(sandbox, join(task.dir, testsDir), '/tests', 'test.sh', signal);
  if (!upload.ok) {
    if (upload.reason === 'cancelled') return end(late());
    return end({
      type: 'AddTestsDirError',
      message: `The tests could not be uploaded. ${upload.message}`,
      undecided: 'no-reward',
    });
  }
  if (!own.ok) return end(missingVariables(own.missing, '[verifier.env]'));
  const user = config.verifier.user;
  if (signal.aborted) return end(late());
  const exit = await runLogged(scope, sandbox, {
    argv: ['bash', '-c', `(/tests/test.sh) > ${testOutput} 2>&1`],
    user,
    env: { ...input.env, ...own.env },
    limitSec: deadline === null ? null : deadline - context.clock.seconds(),
    logPath: testOutput,
    phase: 'verifier',
    signal: scope.signal,
  });
  const facts: VerifierFacts = { exitCode: exit.code, ended: exit.ended, outOfMemory: exit.outOfMemory };
  scope.log(`test.sh ${describeEnd(exit)}`);
  switch (exit.ended) {
    case 'cancelled':
      return { ...nothing, facts, trouble: cancelled };
    case 'limit':
    case 'idle':
      return { ...nothing, facts, trouble: timeout(config.verifier.timeout_sec) };
    case 'container-gone':
    case 'exited':
      break;
  }
  const first = await readEntries(sandbox);
  if (exit.ended === 'container-gone') return afterContainer(scope, first, exit, facts);
  const reading = await explained(scope, readReward(first), exit, input);
  const second = watch !== null && (await sandbox.hasProcesses(watch)) ? await readLater(scope, sandbox, watch) : null;
  const trouble = reading.ok ? null : { type: reading.error, message: reading.message, undecided: null };
  return { reading, duplicateKeys: duplicateKeys(first), late: second, facts, trouble };
}

function end(trouble: Trouble): VerifierEnd {
  return { ...nothing, trouble };
}

function timeout(limitSec: number): Trouble {
  const message = `The verifier was ended at its limit of ${limitSec} s ([verifier].timeout_sec).`;
  return { type: 'VerifierTimeoutError', message, undecided: 'timeout' };
}

/**
 * A reward outlives its container: Harbor reads it from a mount of the host, whatever became of the command. Reading it
 * here as well makes one verdict of the two orders in which command and container can end.
 */
function afterContainer(
  scope: TrialScope,
  entries: Awaited<ReturnType<typeof readEntries>>,
  exit: Exit,
  facts: VerifierFacts,
): VerifierEnd {
  const reading = readReward(entries);
  if (!reading.ok) return { ...nothing, facts, trouble: containerGone(exit) };
  scope.remark('The container stopped while the tests ran; the reward they had written by then counts, as in Harbor.');
  return { reading, duplicateKeys: duplicateKeys(entries), late: null, facts, trouble: null };
}

function containerGone(exit: Exit): Trouble {
  const why = exit.outOfMemory ? ` ${outOfMemory('the tests ran')}` : ' Its main process ended.';
  return {
    type: 'RuntimeError',
    message: `The container stopped while the tests ran.${why}`,
    undecided: 'no-reward',
  };
}

async function readEntries(sandbox: Sandbox): ReturnType<typeof readVerifierFolder> {
  const tar = await sandbox.get('/logs/verifier');
  if (tar === null) return [];
  return readVerifierFolder(tar).catch((error: unknown) => {
    throw error instanceof EngineError || error instanceof TransferError
      ? error
      : brokenArchive('/logs/verifier', error);
  });
}

/** Reads again 2 s later, or as soon as the cheat's last process is gone: from then on nothing changes any more. */
async function readLater(scope: TrialScope, sandbox: Sandbox, watch: string): Promise<RewardReading | null> {
  const until = scope.context.clock.seconds() + lateMs / 1000;
  do {
    await pause(pollMs, scope.signal);
    if (scope.signal.aborted) return null;
  } while (scope.context.clock.seconds() < until && (await sandbox.hasProcesses(watch)));
  return readReward(await readEntries(sandbox));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** A missing reward says nothing about its cause, so what the script did is added. */
async function explained(
  scope: TrialScope,
  reading: RewardReading,
  exit: Exit,
  input: AgentInput,
): Promise<RewardReading> {
  if (reading.ok || reading.file !== null) return reading;
  const { task } = scope;
  const script = await readFile(join(task.dir, task.layout.testScript ?? '')).catch(() => null);
  const why =
    whyNotStarted(exit, input.sandbox, input.config.verifier.user) ??
    whyScriptFailed('test.sh', script, exit.code) ??
    `test.sh ended with code ${String(exit.code)}.`;
  const memory = exit.outOfMemory ? ` ${outOfMemory('the tests ran')}` : '';
  const last = await lastLines(input.sandbox);
  return { ...reading, message: `${reading.message} ${why}${memory}${last}` };
}

async function lastLines(sandbox: Sandbox): Promise<string> {
  const entries = await readEntries(sandbox);
  const content = entries.find((entry) => entry.name === 'test-stdout.txt')?.content;
  if (!content) return '';
  const lines = Buffer.from(content).toString('utf8').trimEnd().split('\n').slice(-5);
  const text = lines.map((line) => line.slice(0, 300)).join('\n');
  return text === '' ? ' It printed nothing.' : ` Its last output:\n${text}`;
}
