import { baseName } from '../../model/container-path';
import { rewardFiles } from '../../model/harbor-paths';
import { grammarsReader, testsShellReader } from '../../model/readers/shell';
import { steps } from '../../model/steps';
import type { TaskStep } from '../../model/steps';
import type { Derivation, Subject } from '../../model/subject';
import { readFlow } from '../../text/shell/flow/flow';
import type { ShellFlow } from '../../text/shell/flow/flow';
import { isShell } from '../../text/shell/names';
import { readShell } from '../../text/shell/read';
import type { ShellCommand, ShellScript } from '../../text/shell/script';
import { decidesVerdict } from './decisions';
import type { Grader } from './graders';
import { graderOf } from './graders';
import { mayWriteReward, writersIn } from './reward-writers';

/** The test script of one step, as the rules of this family see it. */
export interface TestScript {
  readonly step: TaskStep;
  /** Relative to the task folder. */
  readonly file: string;
  readonly script: ShellScript;
  /** Commands of the script and of what it sources, each with the script that it stands in. */
  readonly commands: readonly { readonly command: ShellCommand; readonly script: ShellScript }[];
  readonly graders: ReadonlyMap<ShellCommand, Grader>;
  readonly flow: ShellFlow;
  /** May a program that it starts write the reward, so that nothing follows from what the script itself does? */
  readonly mayWriteElsewhere: boolean;
}

/** The test scripts of a task, one for each pair of script and way of verifying. Only shell scripts. */
export const testScripts: Derivation<readonly TestScript[]> = {
  name: 'verifier-test-scripts',
  derive: (subject) => {
    const found = new Map<string, TestScript>();
    for (const step of subject.derive(steps)) {
      const file = step.testScript;
      if (!file?.endsWith('.sh')) continue;
      const key = `${file} ${step.verifier} ${step.dir === '' ? '' : 'step'}`;
      if (found.has(key)) continue;
      const script = scriptOf(subject, step, file);
      if (script === null || (script.shebang !== null && !isShell(script.shebang.interpreter))) continue;
      found.set(key, testScriptOf(subject, step, file, script));
    }
    return [...found.values()];
  },
};

/** Read once for all rules; once more, with the files that it sources, if it does. */
function scriptOf(subject: Subject, step: TaskStep, file: string): ShellScript | null {
  const script = subject.read(testsShellReader, file);
  const sources = script?.commands.some(({ program }) => program === 'source' || program === '.') ?? false;
  if (script === null || !sources) return script;
  const grammars = subject.read(grammarsReader, file);
  if (grammars === null) return script;
  return readShell(script.text, grammars, {
    file,
    folder: '/tests',
    resolve: (path) => {
      const name = path.startsWith('/tests/') ? step.tests.get(path.slice('/tests/'.length)) : undefined;
      const text = name === undefined ? null : subject.text(name);
      return name === undefined || text === null ? null : { file: name, text };
    },
  });
}

function testScriptOf(subject: Subject, step: TaskStep, file: string, script: ShellScript): TestScript {
  const commands = allCommands(script);
  const graders = new Map<ShellCommand, Grader>();
  for (const { command } of commands) {
    const grader = graderOf(command);
    if (grader !== null) graders.set(command, grader);
  }
  const own = new Set([file, ...commands.flatMap(({ script: one }) => one.file ?? [])]);
  const writers = writersIn(
    [...step.tests.values()].filter((path) => !own.has(path)).map((path) => ({ path, text: subject.text(path) })),
  );
  const mayWrite = (command: ShellCommand): boolean => mayWriteReward(command, writers);
  let flow: ShellFlow | null = null;
  return {
    step,
    file,
    script,
    commands,
    graders,
    get flow() {
      flow ??= readFlow(script, {
        watched: rewardFiles,
        mayWrite,
        grades: (command) => graders.has(command),
        decides: (command) => graders.has(command) || decidesVerdict(command),
        startFolder: null,
      });
      return flow;
    },
    get mayWriteElsewhere() {
      return commands.some(({ command }) => mayWrite(command));
    },
  };
}

function allCommands(script: ShellScript): TestScript['commands'] {
  const found: { command: ShellCommand; script: ShellScript }[] = [];
  const visit = (one: ShellScript): void => {
    for (const command of one.commands) {
      found.push({ command, script: one });
      for (const inner of [command.sourced, command.inline, command.trap]) if (inner !== null) visit(inner);
    }
  };
  visit(script);
  return found;
}

/** How messages call the script. */
export function nameOf(test: TestScript): string {
  return baseName(test.file);
}

/** The file that a script of `commands` stands in: pieces of a file have no name of their own. */
export function fileOf(test: TestScript, script: ShellScript): string {
  return script.file ?? test.file;
}
