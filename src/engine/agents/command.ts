import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentInstruction } from '../../core/task/instruction';
import { describeEnd, whyNotStarted } from '../trial/command';
import type { AgentEnd, TrialScope, Trouble } from '../trial/context';
import { cancelled } from '../trial/environment';
import { uploadFiles } from '../trial/upload';
import { agentTimeout, containerGone, nothingDone, runLogged, type AgentInput } from './agent';

/** Linux takes at most 128 KiB for one variable. */
const maxVariableBytes = 100_000;

/**
 * Runs a shell command of the person's choice as the agent user in the task's working directory. It gets the
 * instruction as its standard input, and in the variable TASKWRIGHT_INSTRUCTION where that is not too long. Its output
 * goes to `/logs/agent/command.txt`. Afterwards `/logs/agent/trajectory.json` (ATIF) is kept as the trajectory, and
 * tokens and cost are taken from it or from `/logs/agent/usage.json` (see `readUsage`). A command that does not end
 * with 0 is recorded as Harbor records an agent's command line; the verifier runs all the same.
 */
export async function runCommand(scope: TrialScope, input: AgentInput, command: string): Promise<AgentEnd> {
  const { task, signal } = scope;
  const { sandbox, config } = input;
  const { instruction: file } = task.layout;
  const text = file === null ? null : await readFile(join(task.dir, file), 'utf8').catch(() => null);
  if (text === null) {
    const trouble: Trouble = {
      type: 'FileNotFoundError',
      message: 'instruction.md cannot be read.',
      undecided: 'not-loadable',
    };
    return { ...nothingDone, trouble, verify: false };
  }
  const instruction = agentInstruction(text);
  const folder = `/tmp/taskwright-${scope.context.random.uuid()}`;
  const upload = await uploadFiles(sandbox, [{ name: 'instruction.md', content: instruction }], folder, 0o755, signal);
  if (!upload.ok) {
    const trouble: Trouble = { type: 'RuntimeError', message: upload.message, undecided: 'start-failed' };
    return { ...nothingDone, trouble: upload.reason === 'cancelled' ? cancelled : trouble, verify: false };
  }
  const fits = Buffer.byteLength(instruction) <= maxVariableBytes;
  if (!fits) scope.remark('The instruction is too long for a variable: TASKWRIGHT_INSTRUCTION was left out.');
  const limitSec = config.agent.timeout_sec;
  const script = 'exec bash -c "$1" < "$2" > /logs/agent/command.txt 2>&1';
  const exit = await runLogged(scope, sandbox, {
    argv: ['bash', '-c', script, 'taskwright', command, `${folder}/instruction.md`],
    user: config.agent.user,
    env: fits ? { ...input.env, TASKWRIGHT_INSTRUCTION: instruction } : input.env,
    limitSec,
    logPath: '/logs/agent/command.txt',
    phase: 'agent',
    signal,
  });
  scope.log(`The command ${describeEnd(exit)}`);
  const end = {
    ...nothingDone,
    exitCode: exit.code,
    ended: exit.ended,
    outOfMemory: exit.outOfMemory,
    mark: exit.mark,
  };
  switch (exit.ended) {
    case 'cancelled':
      return { ...end, trouble: cancelled, verify: false };
    case 'limit':
    case 'idle':
      // A model that did not come to an end in time is a result, not a flaw of the task: its reward counts.
      return { ...end, trouble: { ...agentTimeout(limitSec), undecided: null } as Trouble };
    case 'container-gone':
      return { ...end, trouble: containerGone(exit), verify: false };
    case 'exited':
      return exit.code === 0
        ? end
        : { ...end, trouble: failed(whyNotStarted(exit, sandbox, config.agent.user), exit.code) };
  }
}

function failed(why: string | null, code: number | null): Trouble {
  const message = why ?? `The command ended with code ${String(code)}; see agent/command.txt.`;
  return { type: 'NonZeroAgentExitCodeError', message, undecided: null };
}
