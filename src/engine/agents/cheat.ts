import { resolveEnv } from '../../core/task/templates';
import type { Sandbox } from '../sandbox';
import { describeEnd, whyNotStarted, whyScriptFailed } from '../trial/command';
import type { AgentEnd, TrialScope, Trouble } from '../trial/context';
import { cancelled, missingVariables } from '../trial/environment';
import type { CheatRun } from '../trial/spec';
import { uploadFiles } from '../trial/upload';
import { nothingDone, runLogged, type AgentInput } from './agent';

/** A script says so when there is nothing here that it could attack (cheats.md, section 2). */
const doesNotApply = 77;

const folderLeft = 'taskwright-folder-left';
/**
 * The cheat's folder goes with the command that ran it, which saves a second one. An agent other than root cannot
 * remove the folder itself, and says so on the command's own output.
 */
const runAndRemove = `("$@") > /logs/agent/cheat.txt 2>&1
code=$?
cd / && rm -rf -- "$0" 2>/dev/null
[ ! -e "$0" ] || echo ${folderLeft} >&2
exit "$code"`;

/**
 * Runs one cheat, or an author's own entry: its files go to a random folder below `/tmp` that the agent may use, the
 * entry is executed there directly, in the working directory, and the folder is removed. What it leaves running stays,
 * as Harbor leaves it too. An entry of an author is otherwise run like the oracle.
 */
export async function runCheat(scope: TrialScope, input: AgentInput, cheat: CheatRun): Promise<AgentEnd> {
  const { signal } = scope;
  const { sandbox, config } = input;
  const broken = { ...nothingDone, cheatRan: 'broken' } as const;
  const isAuthors = cheat.source !== 'catalogue';
  // Only another right solution is run as the reference is, with its variables (cheats.md, section 6).
  const own = resolveEnv(
    cheat.source === 'alternative' ? config.solution.env : {},
    (name) => scope.context.hostEnv[name],
  );
  if (!own.ok) return { ...broken, trouble: missingVariables(own.missing, '[solution.env]'), verify: false };
  const folder = `/tmp/${scope.context.random.uuid()}`;
  const files = cheat.files.map((file) => ({
    ...file,
    mode: file.name === cheat.entry ? file.mode | 0o755 : file.mode | 0o444,
  }));
  // Anyone may write there: the ids of the agent's user are the image's own business.
  const upload = await uploadFiles(sandbox, files, folder, 0o777, signal);
  if (!upload.ok) {
    const trouble: Trouble = { type: 'RuntimeError', message: upload.message, undecided: 'start-failed' };
    return { ...broken, trouble: upload.reason === 'cancelled' ? cancelled : trouble, verify: false };
  }
  const user = cheat.user === 'root' ? 0 : config.agent.user;
  const exit = await runLogged(scope, sandbox, {
    argv: ['bash', '-c', runAndRemove, folder, `${folder}/${cheat.entry}`, ...cheat.args],
    user,
    env: { ...input.env, ...(isAuthors ? { DEBIAN_FRONTEND: 'noninteractive' } : {}), ...own.env, ...cheat.env },
    limitSec: Math.min(cheat.timeoutSec, config.agent.timeout_sec ?? Infinity),
    logPath: '/logs/agent/cheat.txt',
    phase: 'agent',
    signal,
  });
  scope.log(`${cheat.label} ${describeEnd(exit)}`);
  const end = {
    ...nothingDone,
    exitCode: exit.code,
    ended: exit.ended,
    outOfMemory: exit.outOfMemory,
    mark: exit.mark,
  };
  switch (exit.ended) {
    case 'cancelled':
      return { ...end, cheatRan: 'broken', trouble: cancelled, verify: false };
    case 'container-gone':
      scope.remark('The container stopped while the cheat ran.');
      return { ...end, cheatRan: 'broken', verify: false };
    case 'limit':
    case 'idle':
      await removeFolder(sandbox, folder, signal);
      scope.remark(`It was ended at its limit of ${cheat.timeoutSec} s.`);
      return { ...end, cheatRan: 'broken' };
    case 'exited':
      break;
  }
  if (exit.code === null || exit.stderr.text.includes(folderLeft)) await removeFolder(sandbox, folder, signal);
  if (exit.code === doesNotApply && (!isAuthors || cheat.mayDecline === true))
    return { ...end, cheatRan: 'skipped', verify: false };
  // Lines lost to CRLF can end a script with any code, also with 0: it has tried nothing.
  const entry = isAuthors ? cheat.files.find(({ name }) => name === cheat.entry) : undefined;
  const script = entry === undefined ? null : Buffer.from(entry.content);
  const why = whyNotStarted(exit, sandbox, user) ?? whyScriptFailed(cheat.entry, script, exit.code);
  if (why !== null) {
    scope.remark(why);
    return { ...end, cheatRan: 'broken' };
  }
  if (exit.code !== 0) scope.remark(`It ended with code ${String(exit.code)}; see agent/cheat.txt.`);
  return { ...end, cheatRan: exit.code === 0 ? 'ran' : 'broken' };
}

async function removeFolder(sandbox: Sandbox, folder: string, signal: AbortSignal): Promise<void> {
  await sandbox.exec(
    { argv: ['rm', '-rf', '--', folder], user: 0, cwd: '/', env: {} },
    { limitSec: 30, idleLimitSec: null, signal },
  );
}

/** The lines by which a cheat says what it planted. */
export function plantedPaths(log: string): readonly string[] {
  return log
    .split('\n')
    .map((line) => /^planted:\s*(.+?)\s*$/u.exec(line)?.[1])
    .filter((path) => path !== undefined)
    .slice(0, 200);
}
