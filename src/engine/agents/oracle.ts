import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveEnv } from '../../core/task/templates';
import { describeEnd, outOfMemory, whyNotStarted, whyScriptFailed } from '../trial/command';
import type { AgentEnd, TrialScope, Trouble } from '../trial/context';
import { cancelled, missingVariables } from '../trial/environment';
import { uploadFolder } from '../trial/upload';
import { agentTimeout, containerGone, nothingDone, runLogged, type AgentInput } from './agent';

/** What is missing for the oracle; Harbor finds out in the running container, here it is said before anything starts. */
export function noSolution(): Trouble {
  return {
    type: 'FileNotFoundError',
    message:
      'There is no solution/solve.sh, and without a reference solution nothing shows that the task can be passed.',
    undecided: 'no-reward',
  };
}

/** Runs the reference solution (harbor-run.md, section 11). Its exit code is recorded and means nothing else. */
export async function runOracle(scope: TrialScope, input: AgentInput): Promise<AgentEnd> {
  const { task, signal } = scope;
  const { sandbox, config } = input;
  const { solutionDir, solveScript } = task.layout;
  if (solutionDir === null || solveScript === null) return { ...nothingDone, trouble: noSolution(), verify: false };
  const solutionEnv = resolveEnv(config.solution.env, (name) => scope.context.hostEnv[name]);
  if (!solutionEnv.ok) {
    return { ...nothingDone, trouble: missingVariables(solutionEnv.missing, '[solution.env]'), verify: false };
  }
  const upload = await uploadFolder(sandbox, join(task.dir, solutionDir), '/solution', 'solve.sh', signal);
  if (!upload.ok) {
    const trouble: Trouble = { type: 'RuntimeError', message: upload.message, undecided: 'blocked' };
    return { ...nothingDone, trouble: upload.reason === 'cancelled' ? cancelled : trouble, verify: false };
  }
  const user = config.agent.user;
  const env = { ...input.env, DEBIAN_FRONTEND: 'noninteractive', ...solutionEnv.env };
  const limitSec = config.agent.timeout_sec;
  const exit = await runLogged(scope, sandbox, {
    argv: ['bash', '-c', '(/solution/solve.sh) > /logs/agent/oracle.txt 2>&1'],
    user,
    env,
    limitSec,
    logPath: '/logs/agent/oracle.txt',
    phase: 'agent',
    signal,
  });
  scope.log(`solve.sh ${describeEnd(exit)}`);
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
      return { ...end, trouble: agentTimeout(limitSec) };
    case 'container-gone':
      return { ...end, trouble: containerGone(exit), verify: false };
    case 'exited':
      break;
  }
  const script = await readFile(join(task.dir, solveScript)).catch(() => null);
  const why = whyNotStarted(exit, sandbox, user) ?? whyScriptFailed('solve.sh', script, exit.code);
  if (why !== null) scope.remark(why);
  else if (exit.code !== 0) scope.remark(`solve.sh ended with code ${String(exit.code)}; see agent/oracle.txt.`);
  if (exit.outOfMemory) scope.remark(outOfMemory('the solution ran'));
  return end;
}
