import type { AgentUsage, HarborAgent } from '../../core/results/harbor/agent';
import type { TaskConfig } from '../../core/task/config';
import type { Phase } from '../../protocol/engine';
import type { Exit, Sandbox } from '../sandbox';
import { outOfMemory } from '../trial/command';
import { limitOf, type AgentEnd, type AgentReport, type TrialScope } from '../trial/context';
import { followFile } from '../trial/tail';
import type { AgentSpec } from '../trial/spec';

/** Where an agent acts. */
export interface AgentInput {
  readonly sandbox: Sandbox;
  readonly config: TaskConfig;
  /** Resolved `environment.env`. */
  readonly env: Readonly<Record<string, string>>;
}

export const nothingDone: AgentEnd = {
  exitCode: null,
  ended: null,
  outOfMemory: false,
  trouble: null,
  verify: true,
  mark: null,
  cheatRan: null,
};

/** How records name an agent. Harbor's own are at 1.0.0. */
export function harborAgent(spec: AgentSpec, report: AgentReport | null): HarborAgent {
  const plain: HarborAgent = { name: spec.kind, version: '1.0.0', kwargs: {}, model: null };
  switch (spec.kind) {
    case 'oracle':
    case 'nop':
      return plain;
    case 'cheat':
      return { ...plain, version: String(spec.cheat.version), kwargs: { strategy: spec.cheat.label } };
    case 'command':
      return {
        ...plain,
        version: report?.version ?? '1.0.0',
        kwargs: { command: spec.command },
        model: report?.model ?? null,
      };
  }
}

export const noReport = (usage: AgentUsage): AgentReport => ({
  usage,
  usageFrom: null,
  version: null,
  model: null,
  remarks: [],
});

export interface LoggedCommand {
  readonly argv: readonly string[];
  readonly user: string | number | null;
  readonly env: Readonly<Record<string, string>>;
  readonly limitSec: number | null;
  /** The file in the container that takes the command's output. */
  readonly logPath: string;
  readonly phase: Phase;
  readonly signal: AbortSignal;
}

/** Runs a command that writes its output to a file of the container, and hands the text on while it grows. */
export async function runLogged(scope: TrialScope, sandbox: Sandbox, command: LoggedCommand): Promise<Exit> {
  const tail = scope.context.streamOutput
    ? followFile(sandbox, command.logPath, (text) => {
        scope.output(command.phase, text);
      })
    : null;
  try {
    return await sandbox.exec(
      { argv: command.argv, user: command.user, cwd: null, env: command.env },
      { limitSec: limitOf(command.limitSec), idleLimitSec: null, signal: command.signal },
    );
  } finally {
    await tail?.finish();
  }
}

/** What Harbor calls an agent that ran out of time: the verifier runs all the same (harbor-run.md, section 3). */
export function agentTimeout(limitSec: number | null): AgentEnd['trouble'] {
  const message = `The agent was ended at its limit of ${String(limitSec)} s ([agent].timeout_sec).`;
  return { type: 'AgentTimeoutError', message, undecided: 'timeout' };
}

export function containerGone(exit: Exit): AgentEnd['trouble'] {
  const why = exit.outOfMemory ? outOfMemory('the agent ran') : 'Its main process ended.';
  return {
    type: 'RuntimeError',
    message: `The container stopped during the agent's phase. ${why}`,
    undecided: 'no-reward',
  };
}
