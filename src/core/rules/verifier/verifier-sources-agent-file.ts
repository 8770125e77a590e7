import { absolutePath, isAtOrBelow } from '../../model/container-path';
import { walkShell } from '../../model/shell-walk';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { ShellAssignment, ShellCommand, ShellScript, ShellWord, Span } from '../../text/shell/script';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { fileOf, nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierSourcesAgentFile: Rule = {
  id: 'verifier-sources-agent-file',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'docker', 'compose', 'toml', 'tree'],
  needsDisk: true,
  why: 'Shell code that the agent wrote then runs inside the grader, with its rights and before its tests.',
  docs: {
    finds:
      'In a shared container: `source` of a file in the agent’s home or working directory, a login shell, `su -`, `sudo -i`, and a folder of the agent put in front of `PATH` or `PYTHONPATH`.',
    silent: 'Files of `tests/`, and a file that the script itself, or an installer that it runs, has just written.',
    bad: 'source /srv/app/.env',
    good: 'PORT=8080',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) {
      const view = subject.derive(stepViews).find(({ step }) => step === test.step);
      if (view !== undefined && test.step.verifier === 'shared') yield* once(claimsOf(subject, test, view));
    }
  },
};

function* claimsOf(subject: Subject, test: TestScript, view: StepView): Generator<Claim> {
  const claims: Claim[] = [];
  const isAgents = agentFolders(view);
  walkShell(test.script, view.expectations.startFolder, ({ command, script, folder }) => {
    const say = (span: Span, message: string): void => {
      claims.push(...claimAt(subject, { file: fileOf(test, script), start: span.start, end: span.end }, { message }));
    };
    const path = sourcedPath(command, folder);
    if (path !== null && isAgents(path) && !isFresh(test, script, command, path))
      say(command, `${nameOf(test)} runs ${path}, which the agent can write.`);
    else if (isLogin(command) && view.space.isRoot !== false)
      say(
        command.programWord ?? command,
        `A login shell runs the profile in the home folder, which the agent can write.`,
      );
    for (const { set, folder: first } of frontFolders(command))
      if (isAgents(first) && !isFresh(test, script, command, first))
        say(
          set,
          `${set.name} then begins with ${first}, where the agent can put ${set.name === 'PYTHONPATH' ? 'modules' : 'programs'} of its own.`,
        );
  });
  yield* claims;
}

/** Root can write anywhere; what counts are the places where an agent would: its home and its work. */
function agentFolders({ space, expectations }: StepView): (path: string) => boolean {
  const work = expectations.startFolder;
  return (path) => {
    if (space.writable(path) === false) return false;
    if (isAtOrBelow(path, '/root')) return space.isRoot !== false;
    if (isAtOrBelow(path, '/home')) return true;
    // A virtual environment of the image is no text of the agent's.
    if (/\/bin\/activate$|\/(?:\.?venv|node_modules)\//u.test(path)) return false;
    return work !== null && work !== '/' && isAtOrBelow(path, work) && space.writable(path) === true;
  };
}

function sourcedPath({ program, args, sourced }: ShellCommand, folder: string | null): string | null {
  if ((program !== 'source' && program !== '.') || sourced !== null) return null;
  const value = args[0]?.value ?? null;
  return value === null || args[0]?.pattern === true ? null : absolutePath(value, folder);
}

/** Written by the script, or by an installer that came before: `curl … | sh` leaves `~/.local/bin/env`. */
function isFresh(test: TestScript, script: ShellScript, command: ShellCommand, path: string): boolean {
  return test.commands.some(({ command: one, script: its }) => {
    if (its !== script || one.start >= command.start) return false;
    if (one.writes.some(({ file }) => file === path)) return true;
    if (one.context.pipeline !== null && one.context.pipeline.index > 0 && /^(?:ba|da|z)?sh$/u.test(one.program ?? ''))
      return true;
    const words = one.words.map(({ value }) => value ?? '').join(' ');
    return (
      /\b(?:pip3?|pipx|uv|npm|cargo|rustup|conda|python[0-9.]* -m venv)\b.*\b(?:install|venv|add|sync|create)\b/u.test(
        words,
      ) || /\/?install(?:er)?\.sh\b/u.test(words)
    );
  });
}

function isLogin({ program, args, wrappers }: ShellCommand): boolean {
  const texts = args.map(({ value }) => value ?? '');
  if (program === 'bash' || program === 'sh')
    return texts.some((text) => /^-[a-z]*l[a-z]*$/u.test(text) || text === '--login');
  if (program === 'su') return texts.some((text) => text === '-' || text === '-l' || text === '--login');
  return wrappers.some(
    ({ name, words }) => name === 'sudo' && words.some(({ value }) => value === '-i' || value === '--login'),
  );
}

/** Constant folders that stand in front of what a search path had before. */
function frontFolders(command: ShellCommand): readonly { readonly set: ShellAssignment; readonly folder: string }[] {
  return command.assignments.flatMap((set) => {
    if ((set.name !== 'PATH' && set.name !== 'PYTHONPATH') || set.value === null) return [];
    return frontOf(set.value).map((folder) => ({ set, folder }));
  });
}

function frontOf(word: ShellWord): string[] {
  const [front = '', ...rest] = word.prefix.split(':');
  // Only what is followed by something is in front of it.
  return front.startsWith('/') && (rest.length > 0 || word.value !== null) ? [front] : [];
}
