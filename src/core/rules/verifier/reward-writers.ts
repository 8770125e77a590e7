import { baseName, isInterpreter } from '../../text/shell/names';
import type { ShellCommand } from '../../text/shell/script';
import { graderOf, isGraderName } from './graders';

/** What the other files of `tests/` say about the reward. */
export interface Writers {
  /** Does any of them name the reward, so that it may write it? */
  readonly any: boolean;
  /** Names of the files, without folders: a script may copy one elsewhere before it runs it. */
  readonly names: ReadonlySet<string>;
}

const namesReward =
  /logs\/verifier|rewards?\.(?:txt|json)|reward_?(?:file|path|dir|out|json|txt)|verifier_?(?:dir|logs|out)|logs?_?dir/iu;

export function writersIn(files: readonly { readonly path: string; readonly text: string | null }[]): Writers {
  return {
    names: new Set(files.map(({ path }) => baseName(path))),
    any: files.some(({ path, text }) =>
      text === null
        ? !/\.(?:csv|json|png|jpe?g|gz|zip|tar|parquet|npy|npz|db|sqlite|pdf)$/iu.test(path)
        : namesReward.test(text),
    ),
  };
}

/** Programs that are known not to write a reward in any way that their words do not show. */
const plain: ReadonlySet<string> = new Set(
  (
    'echo printf rm mkdir chmod chown cat tee cp mv ln touch test [ [[ (( grep egrep sed head tail ls cd set export local declare ' +
    'readonly exit return trap find stat wc sleep date true false : source . read sort uniq cut tr diff cmp kill wait pip pip3 apt-get apt ' +
    'apk curl wget git tar unzip command which type unset shift let install truncate dd eval test id whoami'
  ).split(' '),
);

/** May a command write the reward in a way that the script does not show? */
export function mayWriteReward(command: ShellCommand, writers: Writers): boolean {
  const { program, programWord } = command;
  if (program === null) return programWord !== null;
  if (plain.has(program)) return false;
  if (/reward/iu.test(programWord?.value ?? '')) return true;
  const words = [...command.args, ...command.assignments.flatMap(({ value }) => value ?? [])];
  for (const word of words) {
    const text = word.value ?? word.text;
    if (/reward/iu.test(text) || /^(?:.*=)?\/logs(?:\/verifier)?\/?$/u.test(text)) return true;
    if (text.includes('logs/verifier') && /[\n;]/u.test(text)) return true;
  }
  for (const heredoc of command.heredocs)
    if (heredoc.content === null || namesReward.test(heredoc.content)) return true;
  if (!startsCode(command)) return false;
  if (writers.any) return true;
  if (graderOf(command)?.kind === 'pytest') return false;
  // A checker that is not of the tests, and cannot be read: it may do anything.
  return words.some((word) => {
    const text = word.value ?? '';
    return (
      text.startsWith('/') &&
      !text.startsWith('/tests/') &&
      !writers.names.has(baseName(text)) &&
      isGraderName(text) &&
      /\.(?:sh|py|js)$/u.test(text)
    );
  });
}

function startsCode(command: ShellCommand): boolean {
  const { program, programWord, args } = command;
  if (program === null || isInterpreter(program)) return true;
  if (programWord?.value?.includes('/') === true) return true;
  return (
    /^(?:pytest|py\.test|uvx|uv|poetry|npx|npm|make|cargo|go|xargs|coverage|tox|nox|bats)$/u.test(program) ||
    args.length === 0
  );
}
